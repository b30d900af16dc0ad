import { setTimeout as sleep } from 'node:timers/promises';

/** V8 shrinks the room for new objects when it collects after seconds with little work ... */
const QUIET_MS = 6000;
/** ... and gives the pages back a while later. */
const RELEASE_MS = 10_000;

/** Resident memory in megabytes, now. */
export const residentMemory = () => process.memoryUsage().rss / 1e6;

/** Resident memory in megabytes after garbage collection, as soon as it has settled. */
export async function restingMemory() {
  globalThis.gc();
  await sleep(QUIET_MS);
  globalThis.gc();
  globalThis.gc();
  await sleep(RELEASE_MS);
  return residentMemory();
}
