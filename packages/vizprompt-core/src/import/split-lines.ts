/**
 * Cuts a document into its lines while it is read. Lines without text are left out, but count.
 *
 * @param chunks - The document in pieces.
 * @returns Each line with its number, from 1.
 */
export async function* splitLines(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  let pieces: string[] = [];
  let number = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      pieces.push(chunk.slice(start, end));
      const text = pieces.join('').trim();
      pieces = [];
      number++;
      start = end + 1;
      if (text !== '') yield { number, text };
    }
    if (start < chunk.length) pieces.push(chunk.slice(start));
  }
  const rest = pieces.join('').trim();
  if (rest !== '') yield { number: number + 1, text: rest };
}
