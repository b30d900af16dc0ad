import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { makeFolders } from '@vizprompt/providers/internal';

const MAX_BYTES = 1 << 20;

/** Adds a line of JSON to the log of hooks. It never throws: there is no caller left to report to. */
export function logFailure(logFile: string, event: string, error: unknown): void {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
  const line = { time: new Date().toISOString(), event, code, message: messageOf(error) };
  try {
    makeFolders(dirname(logFile));
    const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    if (size > MAX_BYTES) renameSync(logFile, `${logFile}.1`);
    appendFileSync(logFile, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  } catch {
    // See above.
  }
}
