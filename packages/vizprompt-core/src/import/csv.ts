import type { ImportLimits } from '../limits.ts';
import type { SourceEntry } from './gather-records.ts';

/**
 * Reads a table of messages as CSV (RFC 4180), such as the activity of Copilot: each row is a message whose fields
 * are called as in the first row.
 */
export async function* readCsv(
  name: string,
  chunks: AsyncIterable<string>,
  { entryCharacters }: ImportLimits,
): AsyncGenerator<SourceEntry> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length > entryCharacters) {
      yield { name, error: `it has more than ${entryCharacters} characters: split it` };
      return;
    }
  }
  const [head = [], ...rows] = rowsOf(text.replace(/^\ufeff/, ''));
  const keys = head.map((key, at) => (key.trim() === '' ? `column ${at + 1}` : key.trim()));
  for (const row of rows) {
    const fields = row.map((value, at) => [keys[at] ?? `column ${at + 1}`, value] as const);
    yield { name, value: Object.fromEntries(fields), characters: row.join('').length };
  }
}

/** Splits CSV into its rows; quoted fields may hold anything. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const match of text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|\r|\n|$)/g)) {
    const [whole, field = '', end] = match;
    if (whole === '' && row.length === 0) break;
    row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === ',') continue;
    if (row.some((value) => value !== '')) rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows;
}
