import { untilAborted } from '@vizprompt/providers';

/** The values of a source, until the signal is aborted, even if the source has stalled. */
export async function* abortable<T>(
  values: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const iterator =
    Symbol.asyncIterator in values ? values[Symbol.asyncIterator]() : values[Symbol.iterator]();
  let isOver = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const result = await untilAborted(Promise.resolve(iterator.next()), signal);
      isOver = result.done === true;
      if (result.done === true) return;
      yield result.value;
    }
  } finally {
    // What has stalled would let it be waited for, too.
    if (!isOver) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
