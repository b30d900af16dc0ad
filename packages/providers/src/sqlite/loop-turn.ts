/** How long statements may follow each other before timers and sockets get their turn, in milliseconds. */
const TURN_AFTER_MS = 15;

/** When the first statement since the last turn of the event loop ran. One for all databases. */
let busySince: number | undefined;

/**
 * SQLite answers at once, so awaiting it never leaves the queue of promises: a loop of awaited statements
 * would keep every timer and socket of the process waiting until it ends.
 *
 * @returns A promise to wait for after a statement, or `undefined` while there is time left.
 */
export function loopTurn(): Promise<void> | undefined {
  const now = performance.now();
  if (busySince === undefined) {
    busySince = now;
    setImmediate(endTurn);
    return undefined;
  }
  return now - busySince < TURN_AFTER_MS ? undefined : nextTurn();
}

/** Returns the same after what was done, whose result waits for it. */
export async function withTurn<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    const turn = loopTurn();
    if (turn) await turn;
  }
}

function endTurn(): void {
  busySince = undefined;
}

/** Waits until the loop has been round: a timer that is due runs before it, or in the next turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
