import { VERDICTS } from '../../search/chunk-index.ts';
import { expansionOf, foldOf } from '../../rank/fold-text.ts';
import { FIVE_BYTES, longForm, THREE_BYTES, TWO_BYTES } from '../format/index-layout.ts';
import type { SegmentReader } from './segment-reader.ts';
import {
  BASE,
  BREAKING,
  classOf,
  CLOSING,
  DASH,
  ITERATION,
  OPEN_ENDED,
  OPENING,
  REPEATING,
  SETTLED,
  SEVERAL,
  WHITE,
} from './unit-classes.ts';

/** Longer phrases are matched as far as a mask of bits reaches. */
const MOST = 30;
/** Longer forms are not matched. */
const LONGEST = 256;
/** A unit that may be read as another one. */
const ANY = 0;

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

/** The signature of a form whose kind does not depend on its units alone. */
const OPEN_SIGNATURE = 0xffff;
const SIGNATURE_BITS = 15;
/** The signature of each form, or 0 where it was not asked for; in use from the first phrase on. */
const signatures = new WeakMap<SegmentReader, Uint16Array>();

function signaturesOf(reader: SegmentReader): Uint16Array {
  let own = signatures.get(reader);
  if (!own) {
    own = new Uint16Array(reader.surfaces.size);
    signatures.set(reader, own);
  }
  return own;
}

function signatureBit(unit: number): number {
  return 1 << ((Math.imul(unit, 0x9e37) >>> 8) % SIGNATURE_BITS);
}

/** Returns bits of the folds of as many of `units`: a phrase without any of them is not in the form. */
function signatureOf(length: number): number {
  let signature = 0;
  if (length > LONGEST) return OPEN_SIGNATURE;
  for (let at = 0; at < length; at++) {
    const unit = units[at] ?? 0;
    const kind = classOf(unit);
    if (kind === SETTLED) signature |= signatureBit(foldOf(unit));
    else if (kind !== WHITE && kind !== BREAKING) return OPEN_SIGNATURE;
  }
  return signature === 0 ? OPEN_SIGNATURE : signature;
}

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
  readonly #signatures: Uint16Array;
  /** That of the phrase. */
  #signature = 0;

  /** @param phrase - As {@link isMatchable} accepts it. */
  constructor(reader: SegmentReader, phrase: string) {
    this.#reader = reader;
    this.#isWhole = phrase.length <= MOST;
    const wanted = Uint16Array.from(phrase.slice(0, MOST), (unit) => unit.charCodeAt(0));
    this.#phrase = wanted;
    this.#signatures = signaturesOf(reader);
    for (let at = 0; at < wanted.length; at++) this.#signature |= signatureBit(wanted[at] ?? 0);
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
      if (form >= THREE_BYTES) {
        const first = form;
        form = longForm(bytes, at);
        at += first < FIVE_BYTES ? 2 : 4;
      } else if (form >= TWO_BYTES) {
        form = TWO_BYTES + (((form - TWO_BYTES) << 8) | (bytes[at++] ?? 0));
      }
      let kind = kinds[form] ?? UNKNOWN;
      if (skipped < overlap) {
        const length = surfaces.lengthOf(form);
        skipped += length;
        if (skipped <= overlap) continue;
        // The own text begins inside of it.
        kind = this.#kindOf(form, length - (skipped - overlap));
      } else if (kind === UNKNOWN) kind = this.#learn(form);
      if (kind === OTHER) {
        if (isFound) return VERDICTS.there;
        sure = 0;
        maybe = 0;
        isInWhite = false;
        continue;
      }
      if (isFound && kind !== SPACE && kind !== BREAK) {
        if (kind !== HARD) return VERDICTS.there;
        isMaybe = true;
        isFound = false;
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
    const { surfaces } = this.#reader;
    let signature = this.#signatures[form] ?? 0;
    if (signature === 0) {
      signature = signatureOf(surfaces.copy(form, units, 0));
      this.#signatures[form] = signature;
    }
    const kind = (signature & this.#signature) === 0 ? OTHER : this.#kindOf(form, 0);
    this.#kinds[form] = kind;
    return kind;
  }

  /** @param from - Where the part of the form begins that is looked at. */
  #kindOf(form: number, from: number): number {
    // A form that does not fit is not written.
    const end = this.#reader.surfaces.copy(form, units, 0);
    if (end > LONGEST) return HARD;
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
          isNear ||= this.#isLong || isWanted[foldOf(unit)] === 1;
          folded[size++] = foldOf(unit);
          break;
        case SEVERAL:
          for (const one of expansionOf(unit) ?? []) {
            folded[size++] = one;
            isNear ||= isWanted[one] === 1;
          }
          break;
        default:
          return HARD;
      }
    }
    if (white === length) return isBreak ? BREAK : SPACE;
    if (!isNear) return OTHER;
    if (white > 0) return HARD;
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
