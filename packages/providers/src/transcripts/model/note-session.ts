import type { JsonValue } from '../../json/json-value.ts';
import type { TranscriptSession } from './entry.ts';

/** The facts of a line about its session; absent or empty ones say nothing. */
export interface SessionFacts {
  readonly cwd?: string | undefined;
  readonly startedAt?: string | undefined;
  readonly branch?: string | undefined;
  /** Other metadata. */
  readonly more?: { readonly [name: string]: JsonValue | undefined };
}

/** Adds facts to a session: its first folder, time and branch are its own, of all else the latest counts. */
export function noteSession(
  session: TranscriptSession | undefined,
  { cwd, startedAt, branch, more = {} }: SessionFacts,
): void {
  if (!session) return;
  if (cwd) session.workspacePath ??= cwd;
  if (startedAt) session.startedAt ??= new Date(startedAt).toISOString();
  if (branch) session.metadata['branch'] ??= branch;
  for (const [name, value] of Object.entries(more)) {
    if (value !== undefined) session.metadata[name] = value;
  }
}
