import { VERDICTS } from '../../search/chunk-index.ts';
import { expansionOf, foldOf, SIGNS } from '../../rank/fold-text.ts';
import type { SegmentReader } from './segment-reader.ts';

/** Longer phrases are matched as far as a mask of bits reaches. */
const MOST = 30;
/** Longer forms are not matched. */
const LONGEST = 256;
/** A unit that may be read as another one. */
const ANY = 0;

function unitsIn(text: string): ReadonlySet<number> {
  return new Set(Array.from(text, (unit) => unit.charCodeAt(0)));
}

const ITERATION = unitsIn('ゝゞヽヾ');
/** They may be read as a long vowel. */
const DASHES = unitsIn('―‐−～〜－—─‑');
const OPENING = unitsIn('《≪（(');
const CLOSING = unitsIn('》≫）)');
const BASE = unitsIn('｜|');
/** Those that may begin or be other markup. */
const MARKUP = unitsIn('［］[]*~=_`\\<>&{}#＊＝～＿｀＜＞＆｛｝＃〔〕＼〱〲〳〴〵');
/** Characters that are read as they are, and have no marks, directions or joiners among them. */
const READ_AS_WRITTEN =
  /^[!-~\u00a1-\u00ac\u00ae-\u036f\u0391-\u0482\u048a-\u0556\u2010-\u2027\u2030-\u205e\u2070-\u20cf\u2100-\u2bff\u3001-\u3029\u3030-\u3098\u309b-\u30ff\u3105-\u318e\u31f0-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff9d\uffe0-\uffee]$/u;

/** The classes of units. */
const SETTLED = 1;
const WHITE = 2;
const BREAKING = 3;
/** An iteration mark. */
const REPEATING = 4;
const DASH = 5;
/** Its fold is several units. */
const SEVERAL = 6;
/** Its reading depends on the characters around it. */
const OPEN_ENDED = 7;

/** The kinds of forms; from {@link FIRST_STEP} on, a number is that of a step. */
const UNKNOWN = 0;
/** It ends every match. */
const OTHER = 1;
/** It is white, without a line break or with one. */
const SPACE = 2;
const BREAK = 3;
/** Its value depends on more than itself. */
const HARD = 4;
/** It may begin or end a reading that is left out, or the base of one. */
const OPEN = 5;
const CLOSE = 6;
const MARK = 7;
const FIRST_STEP = 8;

/** 1 for each unit of the phrase that has the sheet. */
const isWanted = new Uint8Array(65_536);
const NO_KINDS = new Uint16Array();
/** The kinds of the forms for one phrase, which the next one writes over: they take as much as a thousand texts. */
const sheet: { owner?: object; kinds: Uint16Array<ArrayBuffer>; wanted: Uint16Array } = {
  kinds: NO_KINDS,
  wanted: NO_KINDS,
};
/** Written over by each form. */
const units = new Uint16Array(LONGEST);
const folded = new Uint16Array(LONGEST * 20);

/** The effect of a form on matches that have begun; each is a bit, by the length that is matched. */
interface Step {
  /** Matches that begin in the form. */
  readonly begun: number;
  /** Those that continue through all of it, by this number of units. */
  readonly through: number;
  readonly length: number;
  /** Those that it ends. */
  readonly ended: number;
  /** True if the phrase is inside of it. */
  readonly isInside: boolean;
  /** True if a unit of it may be read as another. */
  readonly isSoft: boolean;
}

/** The place of the step of a part of a form. */
const PART_STEP = 0;
const NO_STEP: Step = {
  begun: 0,
  through: 0,
  length: 0,
  ended: 0,
  isInside: false,
  isSoft: false,
};

/**
 * Finds a folded phrase in chunks by their forms: what a form does to a match is the same wherever it comes, so that
 * no text is put together.
 */
export class PhraseMatcher {
  readonly #reader: SegmentReader;
  readonly #phrase: Uint16Array;
  readonly #isWhole: boolean;
  /** Lengths after which a line break is none. */
  #unbroken = 0;
  /** 1 for each unit that an iteration mark may replace. */
  readonly #mayRepeat: Uint16Array;
  readonly #isLong: boolean;
  readonly #isRepeated: boolean;
  /** Says whose the sheet is without holding on to the segment. */
  readonly #token = {};
  #steps: Step[] = [NO_STEP];
  #kinds = NO_KINDS;

  /** @param phrase - As {@link isMatchable} accepts it. */
  constructor(reader: SegmentReader, phrase: string) {
    this.#reader = reader;
    this.#isWhole = phrase.length <= MOST;
    const wanted = Uint16Array.from(phrase.slice(0, MOST), (unit) => unit.charCodeAt(0));
    this.#phrase = wanted;
    this.#mayRepeat = wanted.map((unit, at) => {
      return isKana(unit) && (at === 0 || plainOf(unit) === plainOf(wanted[at - 1] ?? 0)) ? 1 : 0;
    });
    this.#isLong = phrase.includes('ー');
    this.#isRepeated = Array.from(wanted).some((unit) => ITERATION.has(unit));
    for (let at = 1; at < wanted.length; at++) {
      const isInside = isJapanese(wanted[at - 1] ?? 0) && isJapanese(wanted[at] ?? 0);
      if (isInside) this.#unbroken |= 1 << at;
    }
  }

  /** Returns what is known of the own texts of chunks. */
  verdicts(docs: Uint32Array): Uint8Array {
    this.#takeSheet();
    const verdicts = new Uint8Array(docs.length);
    this.#reader.eachText(docs, (at, bytes, start, end) => {
      const overlap = this.#reader.column(docs[at] ?? 0, 'overlap');
      verdicts[at] = this.#verdictOf(bytes, start, end, overlap);
    });
    return verdicts;
  }

  /** The next phrase does not see what was learned about forms for the one before: it asks again. */
  #takeSheet(): void {
    const { size } = this.#reader.surfaces;
    if (sheet.owner === this.#token) return;
    for (const unit of sheet.wanted) isWanted[unit] = 0;
    for (const unit of this.#phrase) isWanted[unit] = 1;
    if (sheet.kinds.length < size) sheet.kinds = new Uint16Array(size);
    else sheet.kinds.fill(0, 0, size);
    sheet.owner = this.#token;
    sheet.wanted = this.#phrase;
    this.#kinds = sheet.kinds;
    this.#steps = [NO_STEP];
  }

  #verdictOf(bytes: Uint8Array, start: number, end: number, overlap: number): number {
    const { surfaces } = this.#reader;
    const kinds = this.#kinds;
    let sure = 0;
    let maybe = 0;
    let saved = 0;
    let isMaybe = false;
    /** True if it is there unless the next form changes its last character, as a mark does. */
    let isFound = false;
    let isInWhite = false;
    let isBroken = false;
    let skipped = 0;
    for (let at = start; at < end;) {
      let form = bytes[at++] ?? 0;
      if (form > 127) {
        form &= 127;
        for (let shift = 7; ; shift += 7) {
          const byte = bytes[at++] ?? 0;
          form |= (byte & 127) << shift;
          if (byte < 128) break;
        }
      }
      let kind = kinds[form] ?? UNKNOWN;
      if (skipped < overlap) {
        const length = surfaces.lengthOf(form);
        skipped += length;
        if (skipped <= overlap) continue;
        // The own text begins inside of it.
        kind = this.#kindOf(form, length - (skipped - overlap));
      } else if (kind === UNKNOWN) kind = this.#learn(form);
      if (isFound && kind !== SPACE && kind !== BREAK) {
        if (kind !== HARD) return VERDICTS.there;
        isMaybe = true;
        isFound = false;
      }
      if (kind === OTHER) {
        sure = 0;
        maybe = 0;
        isInWhite = false;
        continue;
      }
      if (kind === SPACE || kind === BREAK) {
        isBroken = kind === BREAK || (isInWhite && isBroken);
        if (isBroken) saved = 0;
        isInWhite = true;
        continue;
      }
      if (isInWhite) {
        isInWhite = false;
        sure = isBroken ? sure & this.#unbroken : 0;
        if (!isBroken) maybe = 0;
      }
      if (kind < FIRST_STEP) {
        sure = 0;
        isMaybe ||= kind === HARD;
        if (kind === OPEN) saved |= maybe;
        if (kind === CLOSE) maybe |= saved;
        continue;
      }
      const step = this.#steps[kind - FIRST_STEP];
      if (!step) continue;
      const { begun, through, length, ended, isInside, isSoft } = step;
      if (isInside || (maybe & ended) !== 0) {
        isFound = !isSoft && this.#isWhole && (isInside || (sure & ended) !== 0);
        isMaybe ||= !isFound;
      }
      sure = isSoft ? 0 : ((sure & through) << length) | begun;
      maybe = ((maybe & through) << length) | begun;
    }
    if (isFound) return VERDICTS.there;
    return isMaybe ? VERDICTS.unsure : VERDICTS.absent;
  }

  /** Returns the kind of a form that was not seen before. */
  #learn(form: number): number {
    const kind = this.#kindOf(form, 0);
    this.#kinds[form] = kind;
    return kind;
  }

  /** @param from - Where the part of the form begins that is looked at. */
  #kindOf(form: number, from: number): number {
    const { surfaces } = this.#reader;
    if (surfaces.lengthOf(form) > LONGEST) return HARD;
    const end = surfaces.copy(form, units, 0);
    const length = end - from;
    const first = units[from] ?? 0;
    if (length === 1 && OPENING.has(first)) return OPEN;
    if (length === 1 && CLOSING.has(first)) return CLOSE;
    if (length === 1 && BASE.has(first)) return MARK;
    let size = 0;
    let isSoft = false;
    let white = 0;
    let isBreak = false;
    let isNear = false;
    for (let at = from; at < end; at++) {
      const unit = units[at] ?? 0;
      switch (classOf(unit)) {
        case SETTLED: {
          const fold = foldOf(unit);
          folded[size++] = fold;
          isNear ||= isWanted[fold] === 1;
          break;
        }
        case WHITE:
          white++;
          break;
        case BREAKING:
          white++;
          isBreak = true;
          break;
        case REPEATING:
          isSoft ||= !this.#isRepeated;
          isNear = true;
          folded[size++] = this.#isRepeated ? unit : ANY;
          break;
        case DASH:
          isSoft ||= this.#isLong;
          isNear = true;
          folded[size++] = foldOf(unit);
          break;
        case SEVERAL:
          isNear = true;
          for (const one of expansionOf(unit) ?? []) folded[size++] = one;
          break;
        default:
          return HARD;
      }
    }
    if (white === length) return isBreak ? BREAK : SPACE;
    if (white > 0) return HARD;
    if (!isNear) return OTHER;
    if (this.#isLong && isSoft) return HARD;
    const step = this.#stepOf(size, isSoft);
    if (!step) return OTHER;
    // That of a part is used once, so that those of many texts take no room.
    const place = from > 0 ? PART_STEP : this.#steps.length;
    if (FIRST_STEP + place > 0xffff) return HARD;
    this.#steps[place] = step;
    return FIRST_STEP + place;
  }

  #stepOf(size: number, isSoft: boolean): Step | undefined {
    const { length } = this.#phrase;
    let [begun, through, ended] = [0, 0, 0];
    let isInside = false;
    for (let from = 0; from < size; from++) {
      if (!this.#agrees(0, from, size)) continue;
      if (size - from >= length) isInside = true;
      else begun |= 1 << (size - from);
    }
    for (let done = 1; done < length; done++) {
      if (!this.#agrees(done, 0, size)) continue;
      if (size >= length - done) ended |= 1 << done;
      else through |= 1 << done;
    }
    if (begun === 0 && through === 0 && ended === 0 && !isInside) return undefined;
    return { begun, through, length: size, ended, isInside, isSoft };
  }

  /** Checks whether the phrase from a place on and the form from another agree as far as both reach. */
  #agrees(place: number, from: number, size: number): boolean {
    const phrase = this.#phrase;
    const count = Math.min(phrase.length - place, size - from);
    for (let at = 0; at < count; at++) {
      const unit = folded[from + at] ?? 0;
      if (unit === ANY ? this.#mayRepeat[place + at] === 0 : unit !== phrase[place + at]) {
        return false;
      }
    }
    return true;
  }
}

/** Checks whether a folded phrase can be matched by forms: it has no spaces and no signs of markup. */
export function isMatchable(phrase: string): boolean {
  for (let at = 0; at < phrase.length; at++) {
    const kind = classOf(phrase.charCodeAt(at));
    if (kind === WHITE || kind === BREAKING || kind === OPEN_ENDED) return false;
  }
  return phrase !== '';
}

/** It is white and unseen at once. */
const BYTE_ORDER_MARK = 0xfeff;
/** The class of each unit that was asked for, or 0. */
const classes = new Uint8Array(65_536);

function classOf(unit: number): number {
  const known = classes[unit] ?? 0;
  return known > 0 ? known : (classes[unit] = findClass(unit));
}

function findClass(unit: number): number {
  const character = String.fromCharCode(unit);
  if (unit === BYTE_ORDER_MARK) return OPEN_ENDED;
  if (/\s/u.test(character)) return /[\n\v\f\r\u2028\u2029]/u.test(character) ? BREAKING : WHITE;
  if (ITERATION.has(unit)) return REPEATING;
  if (!READ_AS_WRITTEN.test(character) || MARKUP.has(unit)) return OPEN_ENDED;
  if (OPENING.has(unit) || CLOSING.has(unit) || BASE.has(unit)) return OPEN_ENDED;
  if (foldOf(unit) < SIGNS) return DASHES.has(unit) ? DASH : SETTLED;
  const isSolid = expansionOf(unit)?.every((one) => classOf(one) === SETTLED) ?? false;
  return isSolid ? SEVERAL : OPEN_ENDED;
}

/** Checks whether a unit has beyond ASCII what folds to it. */
function isJapanese(unit: number): boolean {
  return (unit >= 0x3001 && unit <= 0x30ff) || (unit >= 0x3400 && unit <= 0x9fff);
}

function isKana(unit: number): boolean {
  return unit >= 0x3041 && unit <= 0x30fe;
}

/** Returns a kana without its voicing mark. */
function plainOf(unit: number): number {
  return String.fromCharCode(unit).normalize('NFD').charCodeAt(0);
}
