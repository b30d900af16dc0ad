import type { ImportLimits } from '../limits.ts';
import { squash } from './fields.ts';
import type { SourceEntry } from './gather-records.ts';
import { knownRole } from './spellings.ts';

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
  const plain = text.replace(/^\ufeff/, '');
  const [head = [], ...rows] = rowsOf(plain, separatorOf(plain));
  const names = head.map((key, at) => (key.trim() === '' ? `column ${at + 1}` : key.trim()));
  const keys = ofMessenger(names, rows);
  for (const row of rows) {
    const fields = row.map((value, at) => [keys[at] ?? `column ${at + 1}`, value] as const);
    yield { name, value: Object.fromEntries(fields), characters: row.join('').length };
  }
}

/** The columns of the tables of messengers, such as KakaoTalk: when, who, and what; names are squashed. */
const COLUMNS: readonly (readonly [string, readonly string[]])[] = [
  ['saidAt', ['date', 'time', 'datetime', 'timestamp']],
  ['saidBy', ['user', 'sender', 'sendername', 'from']],
  ['text', ['message', 'text']],
];

/**
 * Returns the names of columns, those of a chat between people as they are read. With another column, such as that of an
 * answer, or where a model speaks, they stay.
 */
function ofMessenger(names: readonly string[], rows: readonly string[][]): readonly string[] {
  const places = COLUMNS.map(([, all]) => names.findIndex((name) => all.includes(squash(name))));
  const [, speaker = -1] = places;
  const isOfPeople = rows.every((row) => knownRole(row[speaker]) === undefined);
  if (names.length > COLUMNS.length || places.includes(-1) || !isOfPeople) return names;
  return names.map((name, at) => COLUMNS[places.indexOf(at)]?.[0] ?? name);
}

/** Returns the sign between the names of the first row: a comma, or a semicolon or a tab where there is none. */
function separatorOf(text: string): string {
  const [head = ''] = /^[^\r\n]{0,10000}/.exec(text) ?? [];
  return [',', ';', '\t'].find((each) => head.includes(each)) ?? ',';
}

/** Splits CSV into its rows; quoted fields may hold anything. */
function rowsOf(text: string, separator: string): string[][] {
  const border = new RegExp(`[${separator}\\r\\n]`, 'g');
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; ;) {
    const quoted = endOfQuoted(text, at, separator);
    const end = quoted < 0 ? endOfPlain(text, at, border) : quoted;
    if (end === text.length && end === at && row.length === 0) break;
    const field = text.slice(at, end);
    row.push(quoted < 0 ? field : field.slice(1, -1).replaceAll('""', '"'));
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
    if (text[end] === separator) continue;
    if (row.some((value) => value !== '')) rows.push(row);
    row = [];
    if (end === text.length) break;
  }
  return rows;
}

function endOfPlain(text: string, at: number, border: RegExp): number {
  border.lastIndex = at;
  return border.exec(text)?.index ?? text.length;
}

/** Returns the end of a field in quotes, or -1. Not by an expression, in which each quote in the field takes memory. */
function endOfQuoted(text: string, at: number, separator: string): number {
  if (text[at] !== '"') return -1;
  let quote = text.indexOf('"', at + 1);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  if (quote < 0) return -1;
  const isEnd = [separator, '\r', '\n', ''].includes(text.charAt(quote + 1));
  return isEnd ? quote + 1 : -1;
}
