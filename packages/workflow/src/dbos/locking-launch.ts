import type { FileStore } from '@vizprompt/providers';

/** How long to wait for others that start, in milliseconds. */
const LAUNCH_MS = 60_000;

/** DBOS makes its tables as it starts, and fails where two of them do so at the same time. */
export async function lockingLaunch<T>(files: FileStore, launch: () => Promise<T>): Promise<T> {
  const lock = await files.lock('dbos-launch', { timeoutMs: LAUNCH_MS });
  try {
    return await launch();
  } finally {
    await lock.release();
  }
}
