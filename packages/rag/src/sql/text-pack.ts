import { deflateRawSync } from 'node:zlib';
import { ByteReader, ByteWriter } from '../binary/section-file.ts';
import type { NumberedText, StoredText, StoredWord, TextFields } from './chunk-text.ts';
import { BY, type DecodedWords, inflate, LONG, PackWords, WAYS, wordsOf } from './pack-words.ts';
import type { WordRecords, WrittenText } from './word-records.ts';

/**
 * Chunks of one row at most: those whose numbers have the same quotient by it. Texts of neighbours take half of what each takes
 * alone, and have most of their words in common; but all of a row is read for one of them.
 */
export const PACK_CHUNKS = 8;

/** Returns the numbers that the rows of chunks may have. */
export function packsOf(chunks: readonly number[]): readonly number[] {
  const packs = new Set<number>();
  for (const chunk of chunks) {
    for (let at = chunk - (chunk % PACK_CHUNKS); at <= chunk; at++) packs.add(at);
  }
  return [...packs];
}

/** Cuts chunks, by ascending numbers, into those of one row each. */
export function cutPacks<T extends { readonly chunk: number }>(
  texts: readonly T[],
): readonly (readonly T[])[] {
  const packs: T[][] = [];
  let last = -1;
  for (const text of texts) {
    const quotient = Math.floor(text.chunk / PACK_CHUNKS);
    if (quotient === last) packs.at(-1)?.push(text);
    else packs.push([text]);
    last = quotient;
  }
  return packs;
}

/** The number of a term that is not known. */
const NO_TERM = 0;

/** The longest word, and the widest gap before one, that the byte of a word holds. */
const MAX_LENGTH = 6;
const MAX_GAP = 7;

/**
 * In this thread: another one takes it as much time to ask as compressing does, and three times as much in all. A higher level
 * makes a text 3 % smaller, in a quarter more time.
 */
function deflate(bytes: Uint8Array): Buffer {
  return deflateRawSync(bytes, { level: 1, chunkSize: LEAST_DEFLATED + bytes.length });
}

const LEAST_DEFLATED = 256;

/**
 * Encodes some chunks: the places of their words in a byte each, deflated; the numbers of the terms of each word that has others
 * than its surface, and whose surface no word before had; and their texts as UTF-16, deflated. Nothing of a string is lost, lone surrogates neither.
 *
 * @param key - The number of the row; not above that of any chunk.
 * @param numberOf - Returns the number that is written for a term. Default: the term is its number.
 */
export function writePack(
  key: number,
  texts: readonly WrittenText[],
  numberOf: (term: number) => number = (term) => term,
): Uint8Array {
  const writer = new ByteWriter(1024);
  const [places, numbers] = [new ByteWriter(1024), new ByteWriter(1024)];
  writer.varint(texts.length);
  let before = key;
  const known: KnownWords = new Map();
  let titles: readonly number[] = [];
  for (const text of texts) {
    writer.varint(text.chunk - before);
    before = text.chunk;
    places.varint(text.count);
    writeWords(text, known, { places, numbers, numberOf });
    if (isSame(titles, text.titles)) numbers.varint(0);
    else {
      numbers.varint(text.titles.length + 1);
      for (const term of text.titles) numbers.varint(numberOf(term));
    }
    titles = text.titles;
  }
  const head = JSON.stringify(texts.map(({ fields }) => headOf(fields)));
  const contents = texts.map(({ fields }) => fields.content);
  const deflated = deflate(places.view());
  const text = deflate(Buffer.from(head + contents.join(''), 'utf16le'));
  writer.varint(deflated.length);
  writer.append(deflated);
  writer.varint(numbers.length);
  writer.append(numbers.view());
  writer.varint(head.length);
  writer.append(text);
  return writer.view().slice();
}

/** The last word of each surface whose terms are stored: its text, and the place of its kind. */
type KnownWords = Map<string, readonly [words: WordRecords, kind: number]>;

/** Where words are written to. */
interface WordWriting {
  readonly places: ByteWriter;
  readonly numbers: ByteWriter;
  readonly numberOf: (term: number) => number;
}

function writeWords({ fields, words }: WrittenText, known: KnownWords, writing: WordWriting): void {
  const { places } = writing;
  let before = 0;
  for (let at = 0; at < words.length;) {
    const [start, end] = [words[at] ?? 0, words[at + 1] ?? 0];
    const kind = at + 2;
    const size = words[kind] ?? 0;
    at = kind + 1 + (size >>> 1);
    let by: number = BY.surface;
    if ((size & 1) === 0) {
      const surface = fields.content.slice(start, end);
      const last = known.get(surface);
      by = last && isSameWord(...last, words, kind) ? BY.known : BY.numbers;
      if (by === BY.numbers) {
        known.set(surface, [words, kind]);
        writeTerms(writing, words, kind + 1, at);
      }
    }
    writePlace(places, start, end, before, by);
    before = end;
  }
}

/** Checks whether two words have the same terms, by the places of their kinds. */
function isSameWord(a: WordRecords, atA: number, b: WordRecords, atB: number): boolean {
  const size = b[atB] ?? 0;
  for (let at = 0; at <= size >>> 1; at++) if (a[atA + at] !== b[atB + at]) return false;
  return true;
}

type Head = readonly [
  length: number,
  title: string,
  tags: readonly string[],
  headingPath: readonly string[],
  overlap: number,
  ordinal: number,
];

function headOf(fields: TextFields): Head {
  const { content, title, tags = [], headingPath = [], overlap = 0, ordinal } = fields;
  return [content.length, title, tags, headingPath, overlap, ordinal];
}

/** A row of texts. */
export interface PackRow {
  readonly chunk: number;
  readonly data: Uint8Array;
}

/** A chunk with its number, as it is read from a row. */
export interface ReadText extends NumberedText {
  readonly row: PackRow;
  /** The words of its text as they are decoded. */
  readonly decoded: () => DecodedWords;
}

/**
 * Reads what {@link writePack} wrote.
 *
 * @param numberOf - Returns the number of a term, or `NO_TERM`. Words are decoded, and it is called, when they are asked for.
 * @param asked - The chunks that are returned, if they are there. Default: all.
 */
export function readPack(
  row: PackRow,
  numberOf: (term: string) => number = () => NO_TERM,
  asked?: ReadonlySet<number>,
): readonly ReadText[] {
  const { chunk: key, data: bytes } = row;
  const reader = new ByteReader(bytes);
  let chunk = key;
  const chunks = Array.from({ length: reader.varint() }, () => (chunk += reader.varint()));
  const [places, numbers] = [take(reader), take(reader)];
  const length = reader.varint();
  const all = inflate(bytes.subarray(reader.at)).toString('utf16le');
  const heads: readonly Head[] = JSON.parse(all.slice(0, length));
  let at = length;
  const fields = heads.map((head): TextFields => {
    const [size, title, tags, headingPath, overlap, ordinal] = head;
    const content = all.slice(at, at + size);
    at += size;
    return { title, content, tags, headingPath, overlap, ordinal };
  });
  const isAsked = (place: number): boolean => asked?.has(chunks[place] ?? -1) ?? true;
  const contents = fields.map(({ content }) => content);
  const words = new PackWords(contents, places, numbers, isAsked);
  return fields.flatMap((one, place): readonly ReadText[] => {
    if (!isAsked(place)) return [];
    let own: readonly StoredWord[] | undefined;
    const text: StoredText = {
      fields: one,
      get words() {
        return (own ??= wordsOf(one.content, words.at(place), numberOf));
      },
      get titles() {
        return words.at(place).titles;
      },
    };
    return [{ chunk: chunks[place] ?? -1, text, row, decoded: () => words.at(place) }];
  });
}

function writePlace(
  places: ByteWriter,
  start: number,
  next: number,
  end: number,
  by: number,
): void {
  const [gap, length] = [start - end, next - start];
  const isShort = gap >= 0 && gap <= MAX_GAP && length > 0 && length <= MAX_LENGTH;
  places.byte((isShort ? gap * 8 + length : LONG) * WAYS + by);
  if (isShort) return;
  // Words may overlap.
  places.varint(gap < 0 ? -gap * 2 - 1 : gap * 2);
  places.varint(length);
}

/** Most words have one term. */
function writeTerms(
  { numbers, numberOf }: WordWriting,
  words: WordRecords,
  from: number,
  to: number,
): void {
  const first = to > from ? numberOf(words[from] ?? 0) : 0;
  const isOne = to - from === 1;
  numbers.varint(first * 2 + (isOne ? 0 : 1));
  if (isOne) return;
  numbers.varint(to - from);
  for (let at = from + 1; at < to; at++) numbers.varint(numberOf(words[at] ?? 0));
}

function take(reader: ByteReader): Uint8Array {
  const length = reader.varint();
  reader.at += length;
  return reader.bytes.subarray(reader.at - length, reader.at);
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((term, at) => term === b[at]);
}
