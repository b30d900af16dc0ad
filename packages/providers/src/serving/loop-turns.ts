import { setImmediate } from 'node:timers/promises';

/** Lets small requests come in between: Node accepts one connection in each turn of its event loop. */
export async function loopTurns(turns: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- a turn of the loop each
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}
