import { FUNCTION, type Kinds, optional, SIGNAL, TEXT } from '@vizprompt/providers/config/internal';
import { SESSION, WORKSPACE } from '../model/input-kinds.ts';
import type { DamagedEvent } from '../store/event-rows.ts';

/** What to export: everything, or a part. */
export interface ExportOptions {
  /** The id of a session. */
  readonly session?: string | undefined;
  /** This folder, and all that were declared the same workspace. */
  readonly workspace?: string | undefined;
  /** Only intentions and edits of this file: absolute, or relative to `workspace`. */
  readonly path?: string | undefined;
  /**
   * Called for each event, and each session whose metadata, cannot be read. The export has all others; as JSON
   * it names the damaged ones, too.
   */
  readonly onDamaged?: ((damaged: DamagedRecord) => void) | undefined;
  /** Ends the export. */
  readonly signal?: AbortSignal | undefined;
}

export const EXPORT_OPTIONS: Kinds<ExportOptions> = {
  session: SESSION,
  workspace: WORKSPACE,
  path: optional(TEXT, {
    en: 'Only intentions and edits of this file',
    ja: 'このファイルの意図と編集だけ',
  }),
  onDamaged: optional(FUNCTION),
  signal: optional(SIGNAL),
};

/** What an export could not read: an event, or without `sequence` the metadata of a session. */
export type DamagedRecord =
  | DamagedEvent
  | { readonly session_id: string; readonly sequence?: undefined; readonly problem: string };
