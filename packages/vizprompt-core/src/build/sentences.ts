import type { Language } from '@vizprompt/providers/internal';

/** Text beyond this length says nothing new. */
const MAX_LENGTH = 100_000;

/** Lines of a stack trace, of JavaScript, Java, Python, Rust, Go and .NET; and of a listing of a debugger. */
const TRACE_LINE =
  /^[ \t]*(?:at [^\n]{0,300}(?:[:(]\d\d*(?::\d\d*)?\)?|\(native\)|<anonymous>\)?)|at [\w$.<>/][\w$.<>/]*\.[\w$<>][\w$<>]*\([^\n)]*\)|File "[^"\n]*", line \d\d*[^\n]*(?:\n[ \t]{3}[ \t]*[^\n]*){0,2}|Traceback \(most recent call last\):|\.\.\. \d\d* more|#?\d\d*  *0x[\da-f][\da-f]* [^\n]*|goroutine \d\d* \[[^\n]*\]:|\d\d*:  *0x[\da-f][\da-f]* - [^\n]*|in [\w./<>][\w./<>]* at [^\n]*:\d\d*)[ \t]*$/gm;

/** Marks around words: not those within names and products, such as `user_id` and `a*b`. */
const MARKS =
  /`{1,3}(?=\S)|(?<=\S)`{1,3}|(?<![A-Za-z0-9)\]])[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?![A-Za-z0-9(])/g;

/**
 * Removes what is not prose: blocks of code, stack traces, images, and the marks of Markdown. The marks of
 * list items are removed too.
 */
export function proseOf(text: string): string {
  return withoutCode(text)
    .replaceAll(/^[^\S\r\n\u2028\u2029]*(?:[-*+>•・]|#{1,6}|\d\d*[.)])\s\s*/gm, '')
    .replaceAll(/^[ \t]*\|([^\n]*)\|[ \t]*$/gm, (_, row: string) => sentenceOfRow(row))
    .replaceAll(MARKS, '');
}

/** Returns a row of a table as `head: cell, cell`; the row of dashes says nothing. */
function sentenceOfRow(row: string): string {
  const [head = '', ...cells] = row.split('|').map((cell) => cell.trim());
  const said = cells.filter((cell) => cell !== '' && !/^:?-{2,}:?$/.test(cell)).join(', ');
  if (/^:?-{2,}:?$/.test(head)) return said;
  return head === '' || said === '' ? head + said : `${head}: ${said}`;
}

/** Removes blocks of code, stack traces and images. */
export function withoutCode(text: string): string {
  return (
    text
      .slice(0, MAX_LENGTH)
      .replaceAll(/^[ \t]*(````*|~~~~*(?![~^]))[^]*?(?:^[ \t]*\1[`~]*[ \t]*$|$(?![^]))/gm, '\n')
      .replaceAll(/```[^]*?(?:```|$)/g, '\n')
      .replaceAll(TRACE_LINE, '')
      .replaceAll(/!\[[^[\]\n]*\]\([^()\n]*\)/g, '')
      .replaceAll(/\[([^[\]\n][^[\]\n]*)\]\((?:https?:|\/|#)[^)\s]{0,2000}\)/g, '$1')
      // A line that continues in small letters was only wrapped.
      .replaceAll(/(?<=[^\n])\n(?=\p{Ll})(?!(?:[a-h]|[ivx]{1,4})[.)]\s)/gu, ' ')
  );
}

/** Splits a text into its sentences, without code and without marks. */
export function sentencesOf(text: string): string[] {
  return proseOf(text)
    .split('\n')
    .flatMap((line) => splitLine(line))
    .map((sentence) => sentence.replaceAll(/\s\s*/g, ' ').trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['「', '」'],
  ['『', '』'],
  ['（', '）'],
  ['(', ')'],
  ['【', '】'],
  ['“', '”'],
]);
/** A bracket that is not closed within this many characters is a character like others. */
const MAX_QUOTE = 600;
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|Dr|Mr|Mrs|Ms|Prof|St|No|approx|ca|Fig|Inc|Ltd|Co|Jr|Sr|[A-Z])\.$/;

/** Abbreviations that may also end a sentence: what follows shows it. */
const WEAK_ABBREVIATION =
  /(?:^|[\s(\d])(?:[ap]\.m|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|ave|rd|max|min|incl|est)\.$/i;

/** Splits a line after the marks that end sentences: never within brackets, quotes, code, names or numbers. */
function splitLine(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (let at = 0; at < line.length;) {
    const end = closingOf(line, at);
    if (end !== undefined) {
      at = end;
      if (!/^[.!?]"\s+(?!\p{Ll})/u.test(line.slice(end - 2, end + 8))) continue;
      sentences.push(line.slice(start, at));
      start = at;
      continue;
    }
    at++;
    if (!endsSentence(line, at)) continue;
    while (/[。．！？!?.…」』）)"'”\]]/.test(line[at] ?? '')) at++;
    sentences.push(line.slice(start, at));
    start = at;
  }
  return [...sentences, line.slice(start)];
}

/** Returns where the bracket closes that opens here, if one does. */
function closingOf(line: string, at: number): number | undefined {
  const open = line[at] ?? '';
  if (open === '"') return closingQuote(line, at);
  const close = CLOSERS.get(open);
  if (close === undefined) return undefined;
  let depth = 0;
  for (let to = at; to < Math.min(line.length, at + MAX_QUOTE); to++) {
    if (line[to] === open) depth++;
    if (line[to] === close) depth--;
    if (depth === 0) return to + 1;
  }
  return undefined;
}

/** Returns where a quotation in straight quotes ends that begins here: they are the same on both sides. */
function closingQuote(line: string, at: number): number | undefined {
  if (!/^[\s(—–:]?$/u.test(line[at - 1] ?? '') || !/\S/.test(line[at + 1] ?? '')) return undefined;
  const end = line.indexOf('"', at + 1);
  return end < 0 || end - at > MAX_QUOTE || /[\p{L}\p{N}]/u.test(line[end + 1] ?? '')
    ? undefined
    : end + 1;
}

/** The characters after the last mark of a sentence in Latin script. */
const AFTER_END = /^["'”)\]]*(?:\s|$|[\u3000-\u9fff])/;

/** Checks whether a sentence ends before a place. */
function endsSentence(line: string, at: number): boolean {
  const mark = line[at - 1] ?? '';
  if (/[。．！？]/.test(mark)) return mark !== '．' || !/\d/.test(line[at] ?? '');
  if (!/[.!?]/.test(mark) || !AFTER_END.test(line.slice(at, at + 8))) return false;
  // An ellipsis after a space marks an omission: `SELECT ... FOR UPDATE`.
  if (/(?:^|\s)\.{2,9}$/.test(line.slice(Math.max(0, at - 10), at)) && /\S/.test(line.slice(at))) {
    return false;
  }
  if (mark !== '.') return true;
  const before = line.slice(Math.max(0, at - 12), at);
  if (ABBREVIATION.test(before)) return false;
  return !WEAK_ABBREVIATION.test(before) || !/^\s*[\p{Ll}\d]/u.test(line.slice(at, at + 8));
}

const segmenters = new Map<Language, Intl.Segmenter>();

/** Every segment that `Intl.Segmenter` gives holds a copy of the whole text: so it gets short ones. */
const PIECE = 400;

/** A word and the UTF-16 offset of its first character. */
interface PlacedWord {
  readonly word: string;
  readonly index: number;
}

/** Returns the words of a text, one after the other. */
export function* wordsOf(text: string, language: Language): Generator<PlacedWord> {
  const segmenter =
    segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'word' });
  segmenters.set(language, segmenter);
  for (let from = 0; from < text.length;) {
    const to = pieceEnd(text, from);
    for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, to))) {
      if (isWordLike) yield { word: segment, index: from + index };
    }
    from = to;
  }
}

/** Where a piece ends: after a space or a mark if there is one, never within a character. */
function pieceEnd(text: string, from: number): number {
  const end = from + PIECE;
  if (end >= text.length) return text.length;
  const piece = text.slice(from, end);
  const border = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'), piece.lastIndexOf('。'));
  if (border > 0) return from + border + 1;
  return /[\ud800-\udbff]$/.test(piece) ? end - 1 : end;
}

/** Returns the first words of a text. */
export function firstWords(text: string, language: Language, count: number): PlacedWord[] {
  const words: PlacedWord[] = [];
  for (const word of wordsOf(text, language)) {
    if (words.length >= count) break;
    words.push(word);
  }
  return words;
}
