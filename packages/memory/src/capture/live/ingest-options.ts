import { FLAG, type Kinds, optional } from '@vizprompt/providers/config/internal';
import { SIGNAL_OPTION, type SignalOption } from '../../model/input-kinds.ts';

/** Options of `ingestHooks`. */
export interface IngestOptions extends SignalOption {
  /** Counts the calls that wait, and stores none. Default: `false`. */
  readonly dryRun?: boolean | undefined;
}

export const INGEST_OPTIONS: Kinds<IngestOptions> = { ...SIGNAL_OPTION, dryRun: optional(FLAG) };
