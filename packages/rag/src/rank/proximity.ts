import { foldOf, type VariantKanji } from './fold-text.ts';
import { WEIGHTS } from './weights.ts';

/** The words that may be in a window. */
export interface ProximityQuery {
  /** How telling each group of terms is. */
  readonly groups: readonly number[];
  readonly kanji: VariantKanji;
  /** Absent: the query asks for no number. */
  readonly number?: NumericQuery & { readonly value: number };
}

/** The content words of a chunk in order. */
export interface ProximityChunk {
  /** The group of the query that each belongs to, or -1. */
  readonly hits: Int16Array;
  /** Where each ends in `units`. */
  readonly ends: Uint32Array;
  readonly units: Uint16Array;
}

/** The kanji of the query in a chunk, in order; see `CharacterScan`. */
export interface FoundKanji {
  readonly kanjiCount: number;
  /** Where each is in `units`. */
  readonly kanjiAt: Uint32Array;
  /** The place of each. */
  readonly kanji: Uint16Array;
}

/** Returns the highest sum that a window can have: of each word, or of all its kanji. */
export function bestProximity({ groups, kanji, number }: ProximityQuery): number {
  const loose = new Map<number, number>();
  for (const { group, value } of kanji.owners.flat()) {
    loose.set(group, (loose.get(group) ?? 0) + value);
  }
  return groups.reduce(
    (sum, value, group) => sum + Math.max(value, loose.get(group) ?? 0),
    number?.value ?? 0,
  );
}

/** Finds the window of a chunk that has the most telling words of one query. */
export class ProximityScorer {
  readonly #groups: number;
  /** Where the owners of each kanji end, their groups, and what the kanji is worth to each. */
  readonly #ownerEnds: Uint32Array;
  readonly #owners: Uint32Array;
  readonly #ownerValues: Float64Array;
  readonly #asked: NumericQuery | undefined;
  /** The value of each slot: those of the groups, of the kanji, and of a number. */
  readonly #values: Float64Array;
  readonly #counts: Uint32Array;
  readonly #number: number;
  /** The slots that the words of a chunk fill, in order, and which word each belongs to. */
  #slots = new Int16Array(256);
  #words = new Uint32Array(256);

  constructor(query: ProximityQuery) {
    const { groups, kanji, number } = query;
    const owners = kanji.owners.flat();
    let end = 0;
    this.#groups = groups.length;
    this.#ownerEnds = Uint32Array.from(kanji.owners, ({ length }) => (end += length));
    this.#owners = Uint32Array.from(owners, ({ group }) => group);
    this.#ownerValues = Float64Array.from(owners, ({ value }) => value);
    this.#asked = number && { counter: number.counter, isDate: number.isDate };
    this.#number = groups.length + kanji.owners.length;
    this.#values = new Float64Array(this.#number + 1);
    this.#values.set(groups);
    this.#values[this.#number] = number?.value ?? 0;
    this.#counts = new Uint32Array(this.#number + 1);
  }

  /** Returns the sum of what is found in the best window of words. */
  score(chunk: ProximityChunk, found: FoundKanji): number {
    const filled = this.#fill(chunk, found, this.#weighKanji(chunk.hits));
    const counts = this.#counts.fill(0);
    const values = this.#values;
    const slots = this.#slots;
    const words = this.#words;
    let best = 0;
    let sum = 0;
    let first = 0;
    for (let at = 0; at < filled; at++) {
      for (
        const left = (words[at] ?? 0) - WEIGHTS.windowWords;
        (words[first] ?? 0) <= left;
        first++
      ) {
        const gone = slots[first] ?? 0;
        counts[gone] = (counts[gone] ?? 0) - 1;
        if (counts[gone] === 0) sum -= values[gone] ?? 0;
      }
      const slot = slots[at] ?? 0;
      if (counts[slot] === 0) sum += values[slot] ?? 0;
      counts[slot] = (counts[slot] ?? 0) + 1;
      if (sum > best) best = sum;
    }
    return best;
  }

  /** A kanji is worth something where a word that has it is missing; returns whether any is. */
  #weighKanji(hits: Int16Array): boolean {
    const seen = this.#counts.fill(0);
    const owners = this.#owners;
    const ends = this.#ownerEnds;
    for (let at = 0; at < hits.length; at++) {
      const group = hits[at] ?? -1;
      if (group >= 0) seen[group] = 1;
    }
    let isAnyMissing = false;
    let owner = 0;
    for (let place = 0; place < ends.length; place++) {
      let most = 0;
      for (const end = ends[place] ?? 0; owner < end; owner++) {
        const value = this.#ownerValues[owner] ?? 0;
        if (seen[owners[owner] ?? 0] === 0 && value > most) most = value;
      }
      this.#values[this.#groups + place] = most;
      isAnyMissing ||= most > 0;
    }
    return isAnyMissing;
  }

  /** Notes the slots of each word: its group, or the kanji and the number in it; returns how many. */
  #fill(
    { hits, ends, units }: ProximityChunk,
    { kanjiCount, kanjiAt, kanji }: FoundKanji,
    isAnyMissing: boolean,
  ): number {
    const asked = this.#asked;
    // At most a group or a number for each word.
    const most = kanjiCount + hits.length;
    if (this.#slots.length < most) {
      this.#slots = new Int16Array(most * 2);
      this.#words = new Uint32Array(most * 2);
    }
    const slots = this.#slots;
    const words = this.#words;
    let count = 0;
    let next = 0;
    let start = 0;
    for (let word = 0; word < hits.length; word++) {
      const group = hits[word] ?? -1;
      const end = ends[word] ?? 0;
      if (group >= 0) {
        words[count] = word;
        slots[count++] = group;
      }
      for (; next < kanjiCount && (kanjiAt[next] ?? 0) < end; next++) {
        if (group >= 0 || !isAnyMissing) continue;
        words[count] = word;
        slots[count++] = this.#groups + (kanji[next] ?? 0);
      }
      if (asked && group < 0 && hasNumber(units, start, end, asked)) {
        words[count] = word;
        slots[count++] = this.#number;
      }
      start = end;
    }
    return count;
  }
}

/** A question that a number answers. */
export interface NumericQuery {
  /** The first UTF-16 unit of what is counted, such as 人 of 何人; 0 if the question does not say. */
  readonly counter: number;
  /** True if it asks when something was: the number is one of a year, a month, a day or a century. */
  readonly isDate: boolean;
}

/** 何年, 何月 and 何日 ask for a date and not how many there are, 何県 and 何語 for a name. */
const COUNTERS =
  '人名個つ回本件%割倍番円種冊章巻品歳才曲枚台隻機頭匹羽軒戸階位点歩杯通項条度分秒部基字両段面次代';
const MEASURES =
  '年間|日間|時間|世(?!紀)|[かヶカヵ](?:国|所|月)|文字|言語|往復|世帯|パーセント|ドル|メートル|キロ|グラム|トン|ページ|[kcm]?m|k?g';
const COUNTED = new RegExp(`何(${MEASURES}|[${COUNTERS}])`, 'u');
const HOW_MUCH =
  /いくつ|いくら|幾つ|幾ら|どれ(?:くらい|ぐらい|ほど|だけ)|どの(?:くらい|ぐらい|程度)/u;
const WHEN = /何(?:年|月|日|世紀)|いつ(?!も|でも|まで|しか|の[間ま])/u;
/** Measured quantity at the end of the question: ～の数は？, 人口を答えよ. */
const MEASURED =
  /(?:(?<![多少複無半])数|人口|面積|割合|率|額|(?<!大)量|[高長広重深厚]さ|値段|価格|気温|温度|距離|標高)(?:を(?:答|教)え.*|[はが])?[？?。\s]*$/u;

/** Checks whether a question asks for a number, as 何人, いくつ, いつ and 人口は do; undefined if it does not. */
export function numericQuery(question: string): NumericQuery | undefined {
  const text = question.normalize('NFKC').toLowerCase();
  const counted = COUNTED.exec(text)?.[1];
  if (counted !== undefined) return { counter: counted.charCodeAt(0), isDate: false };
  if (HOW_MUCH.test(text) || MEASURED.test(text)) return { counter: 0, isDate: false };
  return WHEN.test(text) ? { counter: 0, isDate: true } : undefined;
}

const NUMERALS = new Set(
  Array.from('一二三四五六七八九十百千万億兆数', (one) => one.charCodeAt(0)),
);

/** Checks whether a piece of a text has a number: digits, or numerals before what is counted. */
export function hasNumber(
  units: Uint16Array,
  start: number,
  end: number,
  { counter, isDate }: NumericQuery,
): boolean {
  for (let at = start; at < end; at++) {
    const unit = units[at] ?? 0;
    const next = units[at + 1] ?? 0;
    if (isDate) {
      if (isOfDate(next) && (isDigit(unit) || NUMERALS.has(unit))) return true;
    } else if (isDigit(unit) || (counter !== 0 && NUMERALS.has(unit) && foldOf(next) === counter)) {
      return true;
    }
  }
  return false;
}

/** Checks whether a unit is a counter of dates: 年, 月, 日, and 世 of 世紀. */
function isOfDate(unit: number): boolean {
  return unit === 0x5e74 || unit === 0x6708 || unit === 0x65e5 || unit === 0x4e16;
}

/** Full-width ones too. */
function isDigit(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0xff10 && unit <= 0xff19);
}
