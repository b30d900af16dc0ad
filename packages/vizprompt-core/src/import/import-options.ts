import { type Kinds, ANYTHING, optional, SIGNAL } from '@vizprompt/providers/config/internal';
import type { ImportFormat } from './conversation.ts';

/** Options of `importConversations`. */
export interface ImportOptions {
  /** Which program wrote it. Default: found out for each conversation. */
  readonly format?: ImportFormat | undefined;
  /** Stops between two conversations, and while a file is read; what was imported stays. */
  readonly signal?: AbortSignal | undefined;
}

export const IMPORT_OPTIONS: Kinds<ImportOptions> = {
  format: ANYTHING,
  signal: optional(SIGNAL),
};
