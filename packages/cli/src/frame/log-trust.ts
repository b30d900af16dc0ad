import { join } from 'node:path';
import { type TrustRequest } from '@vizprompt/providers/trust';
import { pathUses } from '@vizprompt/providers/trust/internal';

/** The log of talks in a folder. */
export const TALK_LOG: string = join('logs', 'conversation.db');

/**
 * Returns what a log of talks asks its user to consent to. One that came with a folder would store what
 * is said, and would send its author's words to models.
 *
 * @param folders - The folders that it may be in, links followed.
 */
export function logTrust(
  path: string,
  folders: readonly string[],
): TrustRequest & { readonly place: string } {
  const source = 'log of talks';
  const text = 'what is said in talks is stored in it, and its contents are sent to models';
  const elsewhere = pathUses({ path, folders, what: 'the log of the talk is written to', source });
  return { place: path, uses: [{ kind: 'memory', text, source }, ...elsewhere] };
}
