import { readSource } from './source.ts';
import { Numbering } from '../binary/lookup-tables.ts';

/** Three short integers and the offset of the text. */
const RECORD_SIZE = 10;

/** A word of the dictionary in one of its meanings. */
export interface SourceEntry {
  readonly surface: string;
  /** Its connection number; the dictionary has the same number on both sides. */
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
interface CharacterClass {
  readonly name: string;
  /** True if unknown words are thought of even where known ones are found. */
  readonly always: boolean;
  /** True if all neighbours of the class make one word. */
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
  // A record: two flags, an unused integer, the name and a zero.
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

/** Returns a list of numbers with numbers each, as it is stored: how many, then each with its own count. */
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

/**
 * How a basic form is made of a surface: `cut` units go, `add` comes. `null`: there is none. All
 * the endings of the language need no fifty of these, so that basic forms need no place.
 */
type BasicRule = readonly [cut: number, add: string] | null;

/** The common part of many entries. All lists go by the number of the kind. */
interface WordKinds {
  readonly left: Uint16Array;
  readonly right: Uint16Array;
  /** Index into `allFeatures`. */
  readonly features: Uint16Array;
  /** Index into `allRules`. */
  readonly rules: Uint8Array;
  readonly allFeatures: readonly (readonly string[])[];
  readonly allRules: readonly BasicRule[];
}

/** Gives entries that connect, mean and end alike the same number. */
export class KindNumbering {
  readonly #kinds = new Numbering<readonly [number, number, number, number]>();
  readonly #features = new Numbering<readonly string[]>();
  readonly #rules = new Numbering<BasicRule>();

  of(entry: SourceEntry): number {
    const rule = basicRule(entry);
    const kind = [
      entry.left,
      entry.right,
      this.#features.of(entry.features.join(), entry.features),
      this.#rules.of(rule?.join() ?? '', rule),
    ] as const;
    return this.#kinds.of(kind.join(), kind);
  }

  finish(): WordKinds {
    const kinds = this.#kinds.things;
    return {
      left: Uint16Array.from(kinds, ([left]) => left),
      right: Uint16Array.from(kinds, ([, right]) => right),
      features: Uint16Array.from(kinds, ([, , features]) => features),
      rules: Uint8Array.from(kinds, ([, , , rule]) => rule),
      allFeatures: this.#features.things,
      allRules: this.#rules.things,
    };
  }
}

function basicRule({ surface, basic }: SourceEntry): BasicRule {
  if (basic === '*') return null;
  let same = 0;
  while (same < surface.length && surface[same] === basic[same]) same++;
  return [surface.length - same, basic.slice(same)];
}

/** A word with kanji whose kana may be written in other ways. */
const OKURIGANA = /\p{sc=Han}/u;
const KANA = /[\u3041-\u309f\u30a1-\u30ff]/g;

/** A spelling and the one that replaces it. */
export type Spelling = readonly [word: string, standard: string];

interface Candidate {
  readonly word: string;
  readonly cost: number;
}

/**
 * Finds words that differ in nothing but how many of their kana are written out, such as `行なう` and
 * `行う`, or `取り扱い`, `取扱い` and `取扱`: the same kanji, reading and part of speech. The one that
 * the dictionary thinks most common represents all. Words with several readings are left alone, as
 * `上る` is only sometimes `上がる`; names are too.
 */
export function findSpellings(entries: Iterable<SourceEntry>): Spelling[] {
  const readings = new Map<string, Set<string>>();
  const groups = new Map<string, Candidate[]>();
  for (const { surface, basic, reading, features, cost } of entries) {
    const [pos = '', detail] = features;
    if (!OKURIGANA.test(surface)) continue;
    if (basic !== surface || detail === '固有名詞' || pos === '記号') continue;
    let known = readings.get(surface);
    if (!known) readings.set(surface, (known = new Set()));
    known.add(reading);
    const key = `${surface.replace(KANA, '')} ${reading} ${pos}`;
    const group = groups.get(key);
    if (group) group.push({ word: surface, cost });
    else groups.set(key, [{ word: surface, cost }]);
  }
  const spellings = new Map<string, string>();
  for (const group of groups.values()) {
    const clear = group
      .filter(({ word }) => readings.get(word)?.size === 1)
      .toSorted((a, b) => a.cost - b.cost || (a.word < b.word ? -1 : 1));
    const standard = clear[0]?.word;
    if (standard === undefined) continue;
    for (const { word } of clear) {
      if (word !== standard && !spellings.has(word)) spellings.set(word, standard);
    }
  }
  // A word of two kinds could lead to one that itself leads on.
  return [...spellings].filter(([, standard]) => !spellings.has(standard));
}
