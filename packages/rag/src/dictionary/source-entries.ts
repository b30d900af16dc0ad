import { readSource } from './source.ts';

/** Three short integers and the offset of the text. */
const RECORD_SIZE = 10;

/** A word of the dictionary in one of its meanings. */
export interface SourceEntry {
  readonly surface: string;
  /** What it connects as; the dictionary has the same number on both sides. */
  readonly left: number;
  readonly right: number;
  readonly cost: number;
  /** Part of speech, three details, type and form of conjugation. */
  readonly features: readonly string[];
  /** `*` if there is none. */
  readonly basic: string;
  readonly reading: string;
}

/** A class of characters and what is done with unknown words that begin so. */
export interface CharacterClass {
  readonly name: string;
  /** Whether unknown words are thought of even where known ones are found. */
  readonly always: boolean;
  /** Whether all neighbours of the class make one word. */
  readonly groups: boolean;
  readonly entries: readonly SourceEntry[];
}

/** Reads all words, those of the same surface in the order of the dictionary. */
export function* readEntries(folder: string): Generator<SourceEntry> {
  const records = readRecords(folder, 'tid', 'tid_pos');
  for (const [, offsets] of readMap(readSource(folder, 'tid_map'))) {
    for (const offset of offsets) yield records(offset);
  }
}

/** Reads what is done with unknown words. */
export function readClasses(folder: string): readonly CharacterClass[] {
  const records = readRecords(folder, 'unk', 'unk_pos');
  const entries = new Map(readMap(readSource(folder, 'unk_map')));
  const bytes = readSource(folder, 'unk_invoke');
  const classes: CharacterClass[] = [];
  // A record: two flags, an integer that nobody uses, the name and a zero.
  for (let at = 0; at + 6 < bytes.length;) {
    const end = bytes.indexOf(0, at + 6);
    const name = bytes.toString('utf8', at + 6, end);
    if (name === '') break;
    classes.push({
      name,
      always: bytes[at] === 1,
      groups: bytes[at + 1] === 1,
      entries: (entries.get(classes.length) ?? []).map(records),
    });
    at = end + 1;
  }
  return classes;
}

/** A list of numbers with numbers each, as it is stored: how many, then each with its own count. */
function* readMap(bytes: Buffer): Generator<[key: number, values: number[]]> {
  const count = bytes.readInt32LE(0);
  let at = 4;
  for (let key = 0; key < count; key++) {
    const end = at + 8 + 4 * bytes.readInt32LE(at + 4);
    const values: number[] = [];
    for (let value = at + 8; value < end; value += 4) values.push(bytes.readInt32LE(value));
    yield [bytes.readInt32LE(at), values];
    at = end;
  }
}

/** Entries by the offset of their facts; the line of text of each has the same place in its file. */
function readRecords(
  folder: string,
  file: 'tid' | 'unk',
  textFile: 'tid_pos' | 'unk_pos',
): (offset: number) => SourceEntry {
  const facts = readSource(folder, file);
  const texts = readSource(folder, textFile);
  const lines = texts.toString('utf8', 0, texts.indexOf('\0\0')).split('\0');
  return (offset) => {
    const line = lines[offset / RECORD_SIZE]?.split(',') ?? [];
    return {
      surface: line[0] ?? '',
      left: facts.readInt16LE(offset),
      right: facts.readInt16LE(offset + 2),
      cost: facts.readInt16LE(offset + 4),
      features: line.slice(1, 7),
      basic: line[7] ?? '*',
      reading: line[8] ?? '*',
    };
  };
}
