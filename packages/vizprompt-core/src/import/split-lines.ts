import type { ImportLimits } from '../limits.ts';
import { EntryPieces } from './entry-pieces.ts';
import type { EntryText } from './entry-pieces.ts';

/** A line with text, with its number, from 1. */
export type NumberedLine = EntryText & { readonly number: number };

/**
 * Splits a document into its lines while it is read. Lines without text are left out, but count.
 *
 * @param chunks - The document in pieces.
 */
export async function* splitLines(
  chunks: AsyncIterable<string>,
  limits: ImportLimits,
): AsyncGenerator<NumberedLine> {
  const line = new EntryPieces(limits.entryCharacters);
  let number = 0;
  const take = (): NumberedLine | undefined => {
    number++;
    const entry = line.take();
    if (entry.text === undefined) return { number, ...entry };
    const text = entry.text.trim();
    return text === '' ? undefined : { number, text };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      line.add(chunk.slice(start, end));
      start = end + 1;
      const taken = take();
      if (taken) yield taken;
    }
    if (start < chunk.length) line.add(chunk.slice(start));
  }
  const last = take();
  if (last) yield last;
}
