import { readSource } from './source.ts';
import { Numbering } from '../binary/packed-tables.ts';

/** Three short integers and the offset of the text. */
const RECORD_SIZE = 10;
/** Part of speech, three details, type and form of conjugation. */
const FEATURES = 6;

/** A piece of the text of the words. */
export type Piece = readonly [from: number, to: number];

const NOTHING: Piece = [0, 0];

/**
 * The words of a dictionary, each in one of its meanings, as pieces of the text of their file:
 * `surface,features,basic form,reading,pronunciation`. There are 400,000, so none is an object.
 */
export class SourceWords {
  readonly text: string;
  /** Where the surface of each word begins and ends. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Their connection numbers; the dictionary has the same number on both sides. */
  readonly lefts: Int16Array;
  readonly rights: Int16Array;
  readonly costs: Int16Array;
  readonly #lineEnds: Uint32Array;

  /** @param offsets - The places of the words in the file, in their order. */
  constructor(
    folder: string,
    file: 'tid' | 'unk',
    textFile: 'tid_pos' | 'unk_pos',
    offsets: readonly number[],
  ) {
    const facts = readSource(folder, file);
    const texts = readSource(folder, textFile);
    this.text = texts.toString('utf8', 0, texts.indexOf('\0\0'));
    const lines = linesOf(this.text);
    const { length } = offsets;
    this.starts = new Uint32Array(length);
    this.ends = new Uint32Array(length);
    this.lefts = new Int16Array(length);
    this.rights = new Int16Array(length);
    this.costs = new Int16Array(length);
    this.#lineEnds = new Uint32Array(length);
    for (let word = 0; word < length; word++) {
      const offset = offsets[word] ?? 0;
      const line = offset / RECORD_SIZE;
      const start = lines[line] ?? 0;
      const end = (lines[line + 1] ?? start + 1) - 1;
      this.starts[word] = start;
      this.#lineEnds[word] = end;
      this.ends[word] = this.#comma(start, end);
      this.lefts[word] = facts.readInt16LE(offset);
      this.rights[word] = facts.readInt16LE(offset + 2);
      this.costs[word] = facts.readInt16LE(offset + 4);
    }
  }

  surfaceOf(word: number): string {
    return this.text.slice(this.starts[word], this.ends[word]);
  }

  /**
   * Returns where the features of a word end.
   *
   * @param known - Those of a word with the same connection, which it probably has, with the comma after them.
   */
  featuresEnd(word: number, known: string | undefined): number {
    const from = (this.ends[word] ?? 0) + 1;
    const end = this.#lineEnds[word] ?? 0;
    if (known !== undefined && this.text.startsWith(known, from)) return from + known.length - 1;
    let at = from - 1;
    for (let count = 0; count < FEATURES && at < end; count++) at = this.#comma(at + 1, end);
    return at;
  }

  /** Returns the field that begins after a comma; nothing if the line ends there, or for `*`. */
  fieldAfter(word: number, comma: number): Piece {
    const end = this.#lineEnds[word] ?? 0;
    return comma < end ? [comma + 1, this.#comma(comma + 1, end)] : NOTHING;
  }

  /** Checks whether a field says that there is none. */
  isAbsent([from, to]: Piece): boolean {
    return from === to || (to - from === 1 && this.text[from] === '*');
  }

  #comma(from: number, end: number): number {
    const at = this.text.indexOf(',', from);
    return at < 0 || at > end ? end : at;
  }
}

/** Returns where each line begins, and after the last one where another would. */
function linesOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\0'); at >= 0; at = text.indexOf('\0', at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return starts;
}

/** Reads all words, those of the same surface in the order of the dictionary. */
export function readWords(folder: string): SourceWords {
  const offsets: number[] = [];
  for (const [, values] of readMap(readSource(folder, 'tid_map'))) offsets.push(...values);
  return new SourceWords(folder, 'tid', 'tid_pos', offsets);
}

/** A class of characters and what is done with unknown words that begin so. */
interface CharacterClass {
  readonly name: string;
  /** True if unknown words are thought of even where known ones are found. */
  readonly always: boolean;
  /** True if all neighbours of the class make one word. */
  readonly groups: boolean;
  /** The numbers of its words. */
  readonly words: readonly number[];
}

/** Reads what is done with unknown words. */
export function readClasses(folder: string): {
  readonly classes: readonly CharacterClass[];
  readonly words: SourceWords;
} {
  const entries = new Map(readMap(readSource(folder, 'unk_map')));
  const bytes = readSource(folder, 'unk_invoke');
  const classes: CharacterClass[] = [];
  const offsets: number[] = [];
  // A record: two flags, an unused integer, the name and a zero.
  for (let at = 0; at + 6 < bytes.length;) {
    const end = bytes.indexOf(0, at + 6);
    const name = bytes.toString('utf8', at + 6, end);
    if (name === '') break;
    const own = entries.get(classes.length) ?? [];
    const words = own.map((offset) => offsets.push(offset) - 1);
    classes.push({ name, always: bytes[at] === 1, groups: bytes[at + 1] === 1, words });
    at = end + 1;
  }
  return { classes, words: new SourceWords(folder, 'unk', 'unk_pos', offsets) };
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

/** A word as {@link KindNumbering} numbered it. */
interface NumberedWord {
  readonly kind: number;
  /** Part of speech, and its first detail. */
  readonly pos: string;
  readonly detail: string;
  /** True if it is its own basic form. */
  readonly isBasic: boolean;
  readonly reading: Piece;
}

/** Gives entries that connect, mean and end alike the same number. */
export class KindNumbering {
  readonly #kinds: (readonly [number, number, number, number])[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #features = new Numbering<readonly string[]>();
  readonly #rules = new Numbering<BasicRule>();
  /** By their left connection, as the dictionary makes this one of them; with a comma at the end. */
  readonly #known: { readonly text: string; readonly number: number }[] = [];
  /** The rule of words that are their own basic form. */
  #same: number | undefined;

  of(words: SourceWords, word: number): NumberedWord {
    const { text, starts, ends } = words;
    const left = words.lefts[word] ?? 0;
    const right = words.rights[word] ?? 0;
    const known = this.#known[left];
    const end = words.featuresEnd(word, known?.text);
    const from = (ends[word] ?? 0) + 1;
    const isKnown = known !== undefined && text.startsWith(known.text, from);
    const feature = isKnown ? known.number : this.#feature(left, text.slice(from, end));
    const basic = words.fieldAfter(word, end);
    const [rule, isBasic] = this.#ruleOf(words, basic, [starts[word] ?? 0, ends[word] ?? 0]);
    const key = ((left * 0x1_00_00 + right) * 0x10_00 + feature) * 0x1_00 + rule;
    let kind = this.#numbers.get(key);
    if (kind === undefined) {
      kind = this.#kinds.push([left, right, feature, rule]) - 1;
      this.#numbers.set(key, kind);
    }
    const [pos = '', detail = ''] = this.#features.things[feature] ?? [];
    return { kind, pos, detail, isBasic, reading: words.fieldAfter(word, basic[1] || end) };
  }

  #feature(left: number, features: string): number {
    const number = this.#features.of(features, features.split(','));
    this.#known[left] = { text: `${features},`, number };
    return number;
  }

  finish(): WordKinds {
    const kinds = this.#kinds;
    return {
      left: Uint16Array.from(kinds, ([left]) => left),
      right: Uint16Array.from(kinds, ([, right]) => right),
      features: Uint16Array.from(kinds, ([, , features]) => features),
      rules: Uint8Array.from(kinds, ([, , , rule]) => rule),
      allFeatures: this.#features.things,
      allRules: this.#rules.things,
    };
  }

  #ruleOf(words: SourceWords, basic: Piece, [start, end]: Piece): [rule: number, isBasic: boolean] {
    if (words.isAbsent(basic)) return [this.#rules.of('', null), false];
    const { text } = words;
    const [from, to] = basic;
    let same = 0;
    while (
      start + same < end &&
      from + same < to &&
      text.charCodeAt(start + same) === text.charCodeAt(from + same)
    ) {
      same++;
    }
    if (same === end - start && same === to - from) {
      return [(this.#same ??= this.#rules.of('0,', [0, ''])), true];
    }
    const rule = [end - start - same, text.slice(from + same, to)] as const;
    return [this.#rules.of(`${rule[0]},${rule[1]}`, rule), false];
  }
}
