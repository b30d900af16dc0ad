import { lowerBound } from '../../binary/packed-tables.ts';
import { ONLY_SIGNS } from '../../dictionary/kana-and-scripts.ts';
import { foldPhrase } from '../../rank/fold-text.ts';
import { eachPairKey, hasOwnList } from '../format/bigrams.ts';
import { isMatchable } from './phrase-matcher.ts';
import type { SegmentReader } from './segment-reader.ts';

/** Surfaces whose characters are their own folds, with no markup in them. */
const PLAIN =
  /^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\u3001\u3002\u300c\u300da-z0-9][\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\u3001\u3002\u300c\u300da-z0-9]*$/;
/** Markup in a word, of which the other half may be elsewhere. */
const MARKUP =
  /<(rt|rp)>[^<>]*<\/\1>|<[^<>]*>|[*~=][*~=]*|《《|》》|《[^《》]*》|≪[^≪≫]*≫|［＃[^［］]*］|[（(][\u3041-\u30fc]*[）)]|\[\[rb:|\{\{r(?:uby)?\||\|[^{}|]*\}\}|#|__[\u3041-\u30fc]*__#|\s*>[^[\]]*\]\]|\|[\u3041-\u30fc|]*\}|[{|｜\s]/gu;
/** Marks that repeat what is before them with or without its voicing: そい／″＼ is read そいぞい. */
const VOICING = /[″〲〴ゝゞヽヾ]/;
/** Kana that have a voiced form or are one. */
const VOICED = /[うか-どは-ぽゔウカ-ドハ-ポヴ]/;
/** Parts of speech without content: words of other parts of speech lack a term only where chunks overlap, or as signs. */
const NO_CONTENT = /^(?:助|記号|$)/;
/** Maximum number of characters of a phrase that are tried. */
const TRIED = 4;
/** So few chunks are read rather than the postings of another character. */
const FEW = 64;
/** A chunk is matched in about the time in which as many bytes of a list of pairs are decoded. */
const BYTES_IN_MATCH = 400;

/** From more chunks than this on, words are looked at, too. */
const MANY = 1000;
/** The highest rank of a character that distinguishes words: kanji and katakana. */
const TELLING = 1;

/** How surfaces are read that are read otherwise than they are written. */
interface FoldedSurfaces {
  /** All folds, with {@link END} before and after each. */
  readonly text: string;
  /** Where each fold begins in `text`, and the form that it is of. */
  readonly starts: Uint32Array;
  readonly forms: Uint32Array;
}

const END = '\0';

/** Forms of which each has postings. */
interface PostedForms {
  readonly forms: readonly number[];
  /** In how many chunks they are at most. */
  readonly count: number;
}

/** Written over by each phrase. */
let decoded: readonly [Uint32Array, Uint32Array] = [new Uint32Array(), new Uint32Array()];

/** Facts about the forms of a segment by which the words around a character are found; read when they are needed. */
interface FormFacts {
  readonly folded: FoldedSurfaces;
  /** Forms that may be read as kana, by what is before them. */
  readonly voicing: readonly number[];
  readonly isContent: (form: number) => boolean;
  /** Chunks whose own text begins inside of a word, which has no term there, by the form of that word. */
  readonly straddling: ReadonlyMap<number, readonly number[]>;
}

/**
 * Finds the chunks of a segment whose text may hold a phrase: those with its pairs of characters. Where these are few or
 * none, those with a word in common with it: every occurrence of a phrase goes through the form that covers one of its
 * characters; the forms that fit the phrase around that character are few, and their terms have postings.
 */
export class PhraseCandidates {
  readonly #reader: SegmentReader;
  #known: FormFacts | undefined;

  constructor(reader: SegmentReader) {
    this.#reader = reader;
  }

  get #facts(): FormFacts {
    return (this.#known ??= factsOf(this.#reader));
  }

  /** Returns the chunks in which one of these texts may be; they are folded, and written in several ways. */
  find(phrases: readonly string[]): Uint32Array | readonly number[] {
    const [first = '', ...others] = phrases;
    const only = others.length === 0 ? this.withPairs(first) : undefined;
    if (only) return this.#worded(first, only);
    const found = new Set<number>();
    for (const phrase of phrases) {
      const paired = this.withPairs(phrase);
      if (!paired && !this.#addDocs(phrase, found)) return allNumbers(this.#reader.size);
      if (paired) for (const doc of this.#worded(phrase, paired)) found.add(doc);
    }
    return [...found].toSorted((a, b) => a - b);
  }

  /** Leaves out, where many chunks have the pairs of a phrase, those that have no word of it. */
  #worded(phrase: string, paired: Uint32Array): Uint32Array {
    if (paired.length <= MANY || hasOwnList(phrase)) return paired;
    const telling = tellingPlaces(phrase).filter((at) => rankOf(phrase.charCodeAt(at)) <= TELLING);
    if (telling.length === 0) return paired;
    let kept = paired;
    // Each occurrence goes through a form of every place.
    for (const { forms } of this.#posted(phrase, telling.slice(0, 2))) {
      if (kept.length <= MANY) break;
      const docs = this.#postedDocs(forms);
      kept = kept.filter((doc) => docs[doc] === 1);
    }
    return kept;
  }

  /**
   * Returns the chunks with all pairs of characters of a phrase, in order, or so few that reading them takes less time
   * than the other lists; nothing if it has no pair with a list.
   */
  withPairs(phrase: string): Uint32Array | undefined {
    const { pairs, size } = this.#reader;
    const keys = new Set<number>();
    eachPairKey(phrase, (key) => keys.add(key));
    const sizes = [...keys].map((key) => [key, pairs.sizeOf(key)] as const);
    if (decoded[0].length < size) decoded = [new Uint32Array(size), new Uint32Array(size)];
    const isExact = hasOwnList(phrase);
    let docs: Uint32Array | undefined;
    for (const [key, bytes] of sizes.toSorted(([, one], [, other]) => one - other)) {
      if (docs && docs.length * BYTES_IN_MATCH < (isExact ? 1 : bytes)) break;
      if (!docs) docs = this.#reader.docsWithPair(key, decoded[0]);
      else docs = intersection(docs, this.#reader.docsWithPair(key, decoded[1]));
    }
    return docs?.slice();
  }

  /** Returns false if the phrase may be in any chunk. */
  #addDocs(phrase: string, found: Set<number>): boolean {
    const places = tellingPlaces(phrase);
    // Each occurrence goes through a form of every place.
    const [best, second] = this.#posted(phrase, places);
    if (!best) {
      // Matching them all takes less time than looking for their forms first.
      if (isMatchable(phrase)) return false;
      const isThere = this.scanTest(phrase);
      for (let doc = 0; doc < this.#reader.size; doc++) if (isThere(doc)) found.add(doc);
      return true;
    }
    if (VOICED.test(phrase)) {
      const isVoiced = this.#scanTest(this.#facts.voicing);
      for (let doc = 0; doc < this.#reader.size; doc++) if (isVoiced(doc)) found.add(doc);
    }
    const docs = this.#postedDocs(best.forms);
    const others = second && best.count > FEW ? this.#postedDocs(second.forms) : docs;
    for (let doc = 0; doc < docs.length; doc++) {
      if (docs[doc] === 1 && others[doc] === 1) found.add(doc);
    }
    return true;
  }

  /** Returns the forms around places of a phrase if all of them have postings, those in the fewest chunks first. */
  #posted(phrase: string, places: readonly number[]): readonly PostedForms[] {
    const posted: PostedForms[] = [];
    for (const at of places) {
      const forms = this.#formsAround(phrase, at);
      if (!forms.every(this.#facts.isContent)) continue;
      const count = this.#termsOf(forms).reduce((sum, term) => sum + this.#reader.countOf(term), 0);
      posted.push({ forms, count });
    }
    return posted.toSorted((a, b) => a.count - b.count);
  }

  /** Returns 1 for each chunk that has one of some forms. */
  #postedDocs(forms: readonly number[]): Uint8Array {
    const docs = new Uint32Array(this.#reader.size);
    const frequencies = new Uint8Array(this.#reader.size);
    const isPosted = new Uint8Array(this.#reader.size);
    for (const term of this.#termsOf(forms)) {
      const count = this.#reader.decode(term, docs, frequencies);
      for (let at = 0; at < count; at++) isPosted[docs[at] ?? 0] = 1;
    }
    for (const form of forms)
      for (const doc of this.#facts.straddling.get(form) ?? []) isPosted[doc] = 1;
    return isPosted;
  }

  /** Returns a test of whether a phrase may be in a chunk by its forms: a particle or sign has no postings. */
  scanTest(phrase: string): (doc: number) => boolean {
    const all = tellingPlaces(phrase).map((at) => this.#formsAround(phrase, at));
    const [fewest = []] = all.toSorted((a, b) => a.length - b.length);
    return this.#scanTest(VOICED.test(phrase) ? [...fewest, ...this.#facts.voicing] : fewest);
  }

  #scanTest(forms: readonly number[]): (doc: number) => boolean {
    if (forms.length === 0) return () => false;
    const isWanted = new Uint8Array(this.#reader.surfaces.size);
    for (const form of forms) isWanted[form] = 1;
    return (doc) => this.#reader.formsOf(doc).some((form) => isWanted[form] === 1);
  }

  #termsOf(forms: readonly number[]): readonly number[] {
    const terms = new Set(forms.map((form) => this.#reader.formTerms.mainOf(form)));
    terms.delete(-1);
    return [...terms];
  }

  /** Returns the forms that may cover a character of an occurrence. */
  #formsAround(phrase: string, at: number): readonly number[] {
    const { surfaces } = this.#reader;
    const unit = phrase.charAt(at);
    const found: number[] = [];
    for (const form of surfaces.placesWith(unit)) {
      const surface = END + surfaces.get(form) + END;
      if (fits(surface, phrase, at) && PLAIN.test(surface.slice(1, -1))) found.push(form);
    }
    const { text, starts, forms } = this.#facts.folded;
    for (let place = text.indexOf(unit); place >= 0; place = text.indexOf(unit, place + 1)) {
      if (!agreesAt(text, place, phrase, at)) continue;
      const fold = lowerBound(starts.length, (number) => (starts[number] ?? 0) <= place) - 1;
      const form = forms[fold] ?? 0;
      if (found.at(-1) !== form) found.push(form);
    }
    return found;
  }
}

function allNumbers(size: number): Uint32Array {
  return Uint32Array.from({ length: size }, (_, number) => number);
}

/** Returns the characters of a phrase to look for, kanji and katakana first: most others are in every chunk. */
function tellingPlaces(phrase: string): readonly number[] {
  return Array.from({ length: phrase.length }, (_, at) => at)
    .filter((at) => phrase.charAt(at) !== ' ')
    .map((at) => ({ at, rank: rankOf(phrase.charCodeAt(at)) }))
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, TRIED)
    .map(({ at }) => at);
}

function rankOf(unit: number): number {
  if (unit >= 0x4e00 && unit <= 0x9fff) return 0;
  if (unit >= 0x30a1 && unit <= 0x30fa) return 1;
  return unit >= 0x3041 && unit <= 0x3096 ? 3 : 2;
}

/** Checks whether a surface and a phrase agree as far as they reach, with one character of the phrase in both. */
function fits(surface: string, phrase: string, at: number): boolean {
  const unit = phrase.charAt(at);
  for (let place = surface.indexOf(unit); place >= 0; place = surface.indexOf(unit, place + 1)) {
    if (agreesAt(surface, place, phrase, at)) return true;
  }
  return false;
}

/** Checks whether a place of a text that {@link END} bounds agrees with that of a phrase. */
function agreesAt(text: string, place: number, phrase: string, at: number): boolean {
  return agrees(text, place, phrase, at, -1) && agrees(text, place, phrase, at, 1);
}

function agrees(text: string, place: number, phrase: string, at: number, step: 1 | -1): boolean {
  for (let distance = step; ; distance += step) {
    const [one, other] = [text.charAt(place + distance), phrase.charAt(at + distance)];
    // Spaces may be line breaks, and none at all between characters of Japanese.
    if (one === END || other === '' || one === ' ' || other === ' ') return true;
    if (one !== other) return false;
  }
}

function factsOf(reader: SegmentReader): FormFacts {
  const texts: string[] = [];
  const starts: number[] = [];
  const forms: number[] = [];
  let end = END.length;
  const voicing: number[] = [];
  for (let form = 0; form < reader.surfaces.size; form++) {
    const surface = reader.surfaces.get(form);
    if (PLAIN.test(surface)) continue;
    if (VOICING.test(surface)) voicing.push(form);
    const read = surface.replace(MARKUP, '');
    const folds = new Set([surface, ...foldPhrase(surface), ...foldPhrase(read)]);
    for (const fold of folds) {
      texts.push(fold);
      starts.push(end);
      forms.push(form);
      end += fold.length + END.length;
    }
  }
  const parts = reader.inflated('formPos');
  const { partsOfSpeech } = reader.strings;
  const isContent = (form: number): boolean =>
    reader.formTerms.mainOf(form) >= 0 ||
    (!NO_CONTENT.test(partsOfSpeech[parts[form] ?? 0] ?? '') &&
      !ONLY_SIGNS.test(reader.surfaces.get(form).normalize('NFKC')));
  const folded = {
    text: [END, ...texts.flatMap((text) => [text, END])].join(''),
    starts: Uint32Array.from(starts),
    forms: Uint32Array.from(forms),
  };
  return { folded, voicing, isContent, straddling: straddlingDocs(reader) };
}

/** Returns the numbers that are in both; they are ascending. The first is written over. */
function intersection(some: Uint32Array, others: Uint32Array): Uint32Array {
  let kept = 0;
  for (let at = 0, other = 0; at < some.length && other < others.length;) {
    const [one, next] = [some[at] ?? 0, others[other] ?? 0];
    if (one === next) some[kept++] = one;
    if (one <= next) at++;
    if (next <= one) other++;
  }
  return some.subarray(0, kept);
}

function straddlingDocs(reader: SegmentReader): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (let doc = 0; doc < reader.size; doc++) {
    const overlap = reader.column(doc, 'overlap');
    if (overlap === 0) continue;
    const forms = reader.formsOf(doc);
    let end = 0;
    let form = -1;
    for (let at = 0; end < overlap && at < forms.length; at++) {
      form = forms[at] ?? 0;
      end += reader.surfaces.lengthOf(form);
    }
    if (end <= overlap) continue;
    const docs = found.get(form);
    if (docs) docs.push(doc);
    else found.set(form, [doc]);
  }
  return found;
}
