/** So many are read at once: a file takes several steps of the disk, each with a wait. */
const AHEAD = 4;

/** Reads items some at a time, and gives each with what was read, in their order. */
export async function* readAhead<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<readonly [Item, Result]> {
  const reading: Promise<readonly [Item, Result]>[] = [];
  for (const item of items) {
    const result = read(item).then((found) => [item, found] as const);
    // It is told when its turn comes; nobody may want it by then.
    result.catch(() => undefined);
    reading.push(result);
    const first = reading.length > AHEAD ? reading.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of reading) yield await result;
}
