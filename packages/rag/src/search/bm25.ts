import { WEIGHTS } from '../rank/weights.ts';
import {
  type IndexPart,
  type ChunkIndex,
  type ChunkPlace,
  type ChunkText,
  VERDICTS,
} from './chunk-index.ts';
import type { ResolvedQuery, ResolvedGroup } from './resolve-terms.ts';
import type { ScoreAccumulator } from './score-accumulator.ts';
import { lowerBound } from '../binary/packed-tables.ts';
import type { Bonus } from '../rank/rerank.ts';

/** From this many words on, chunks with only one of them are left out, if others have more. */
const MANY_WORDS = 8;

/** The scores of the chunks of one part. */
interface PartScores {
  readonly part: IndexPart;
  /** To be given back to the part. */
  readonly sheet: ScoreAccumulator;
}

/** BM25 over the words of a query, and which chunks may be found: all, if it has no words. */
async function scoreParts(
  parts: readonly IndexPart[],
  meanWords: number,
  { ranking, required, common, forbidden }: ResolvedQuery,
  phrases: readonly (readonly string[])[],
): Promise<readonly PartScores[]> {
  const all: PartScores[] = [];
  for (const part of parts) {
    const sheet = part.takeAccumulator().clear();
    for (const [place, group] of ranking.entries()) {
      if (!common.has(place)) scoreGroup(part, sheet, group, place + 1, meanWords);
    }
    if (ranking.length === 0 || phrases.length > 0) {
      sheet.take(await docsWith(part, phrases));
    }
    if (required.size > 0) {
      const groups = ranking.filter((_, place) => required.has(place));
      const counts = countGroups(part, sheet, groups);
      sheet.keep((doc) => counts[doc] === groups.length);
    }
    for (const groups of forbidden) {
      const counts = countGroups(part, sheet, groups);
      sheet.keep((doc) => counts[doc] !== groups.length);
    }
    if (!part.isComplete) sheet.keep((doc) => part.documentOf(doc) >= 0);
    all.push({ part, sheet });
  }
  const isFree = required.size === 0 && phrases.length === 0;
  if (ranking.length - common.size >= MANY_WORDS && isFree) dropWeak(all);
  return all;
}

/** Returns the chunks of a part that may have all of these phrases. */
async function docsWith(
  part: IndexPart,
  phrases: readonly (readonly string[])[],
): Promise<Iterable<number>> {
  let docs: Uint32Array | readonly number[] | undefined;
  for (const phrase of phrases) {
    const some = await part.mayHold?.(phrase);
    if (!some) continue;
    const others = docs && new Set(docs);
    docs = others ? Array.from(some).filter((doc) => others.has(doc)) : some;
  }
  return docs ?? Array.from({ length: part.capacity }, (_, doc) => doc);
}

/** Adds what a group gives to the chunks of a part. */
export function scoreGroup(
  part: IndexPart,
  sheet: ScoreAccumulator,
  { group, finding }: ResolvedGroup,
  mark: number,
  meanWords: number,
): void {
  const { k1, b } = WEIGHTS;
  for (const { factor, idf, places, isTitle, isForm, formOf } of finding) {
    const term = places[part.number] ?? -1;
    if (term < 0) continue;
    const weight = group.weight * factor * idf * (k1 + 1);
    const fixed = isTitle ? k1 : k1 * (1 - b);
    const byLength = isTitle ? 0 : (k1 * b) / meanWords;
    const name = isForm
      ? undefined
      : finding.find((other) => {
          return other.term === formOf && other.isTitle === isTitle;
        });
    const count = decodeWithout(part, sheet, term, name?.places[part.number] ?? -1);
    const own = isTitle ? sheet.titled : sheet.seen;
    sheet.addScores(count, mark, weight, fixed, byLength, part.words, !isForm, own);
  }
}

/** Decodes the chunks that have a term, but for those that have the other as well, if there is one. */
function decodeWithout(
  part: IndexPart,
  sheet: ScoreAccumulator,
  term: number,
  other: number,
): number {
  const { docs, frequencies } = sheet;
  if (other < 0) return part.decode(term, docs, frequencies);
  const others = sheet.emptyCounts();
  const without = part.decode(other, docs, frequencies);
  for (let at = 0; at < without; at++) others[docs[at] ?? 0] = 1;
  const count = part.decode(term, docs, frequencies);
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const doc = docs[at] ?? 0;
    if (others[doc] === 1) continue;
    docs[kept] = doc;
    frequencies[kept++] = frequencies[at] ?? 0;
  }
  return kept;
}

/** How many of these groups each chunk has for certain, up to the first that it has not. */
function countGroups(
  part: IndexPart,
  sheet: ScoreAccumulator,
  groups: readonly ResolvedGroup[],
): Uint32Array {
  const { docs, frequencies } = sheet;
  const counts = sheet.emptyCounts();
  for (const [place, { terms }] of groups.entries()) {
    for (const { isCertain, places } of terms) {
      const term = places[part.number] ?? -1;
      if (term < 0 || !isCertain) continue;
      const count = part.decode(term, docs, frequencies);
      for (let at = 0; at < count; at++) {
        const doc = docs[at] ?? 0;
        if (counts[doc] === place) counts[doc] = place + 1;
      }
    }
  }
  return counts;
}

/** With many words, one of them alone is chance; unless no chunk has more. */
function dropWeak(all: readonly PartScores[]): void {
  const isMore = all.some(({ sheet: { matched, found, count } }) => {
    for (let at = 0; at < count; at++) if ((matched[found[at] ?? 0] ?? 0) > 1) return true;
    return false;
  });
  if (!isMore) return;
  for (const { sheet } of all) sheet.keepSeveral();
}

/** A chunk that may be among the best. */
interface Candidate extends ChunkPlace {
  score: number;
  /** The bonus, if the chunk was re-ranked. */
  bonus: Bonus | undefined;
}

/** The best of the candidates that it is given, best first. */
export class BestChunks {
  readonly head: Candidate[] = [];
  readonly #index: ChunkIndex;
  readonly #size: number;

  constructor(index: ChunkIndex, size: number) {
    this.#index = index;
    this.#size = size;
  }

  /** Takes the chunks that were found on a sheet. */
  addAll(part: IndexPart, sheet: ScoreAccumulator): void {
    let late = -1;
    for (let at = 0; ; at++) {
      const least = this.#least();
      at = sheet.nextAbove(at, least);
      if (at === sheet.count) return;
      const doc = sheet.found[at] ?? 0;
      const score = sheet.scores[doc] ?? 0;
      const document = part.documentOf(doc);
      // Chunks of a document that comes after the last one, which only gets better.
      if (score === least && document === late) continue;
      const candidate: Candidate = { part, doc, score, bonus: undefined };
      if (!this.#add(candidate) && score === least && document !== this.#lastDocument()) {
        late = document;
      }
    }
  }

  /** Returns the score that a chunk needs at least. */
  #least(): number {
    return this.head.length < this.#size ? -1 : (this.head.at(-1)?.score ?? -1);
  }

  /** Returns the document of the last chunk, if it is in this part, or -1. */
  #lastDocument(): number {
    const last = this.head.at(-1);
    return last ? last.part.documentOf(last.doc) : -1;
  }

  /** Returns false if the candidate comes after the last one that is wanted. */
  #add(candidate: Candidate): boolean {
    const { head } = this;
    const last = head.length < this.#size ? undefined : head.at(-1);
    if (last && this.#order(last, candidate) <= 0) return false;
    const place = lowerBound(head.length, (at) => {
      const other = head[at];
      return other !== undefined && this.#order(other, candidate) <= 0;
    });
    head.splice(place, 0, candidate);
    if (head.length > this.#size) head.pop();
    return true;
  }

  /** Scores have changed. */
  sort(): void {
    this.head.sort((a, b) => this.#order(a, b));
  }

  #order(a: Candidate, b: Candidate): number {
    return b.score - a.score || compare(this.#index, a, b);
  }
}

/** By project, document and place: an order that does not depend on how the index came about. */
function compare(index: ChunkIndex, a: ChunkPlace, b: ChunkPlace): number {
  const [first, second] = [a, b].map(({ part, doc }) => index.document(part.documentOf(doc)));
  if (!first || !second) return 0;
  if (first.novelId !== second.novelId) return first.novelId < second.novelId ? -1 : 1;
  if (first.filePath !== second.filePath) return first.filePath < second.filePath ? -1 : 1;
  return a.part.indexOf(a.doc) - b.part.indexOf(b.doc);
}

/** The conditions on chunks, besides the words they have. */
export interface ChunkConditions {
  /** Checks whether the chunks of a document with these tags are looked at. */
  readonly allows?: ((document: number, tags: readonly string[]) => boolean) | undefined;
  /** Phrases of which each must be there, in the forms in which it may be written. */
  readonly phrases?: readonly (readonly string[])[] | undefined;
  /** True if `accepts` asks for these phrases, and for nothing else. */
  readonly arePhrases?: boolean | undefined;
  /** Lists of strings: every text has one of each, as they are, if `accepts` returns `true` for it. */
  readonly literals?: readonly (readonly string[])[] | undefined;
  /** Checks whether a chunk may be found, by its text and titles. */
  readonly accepts?: ((text: string, titles: readonly string[]) => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How many texts are judged, or read, between two looks at the signal and the other tasks of the process. */
const SLICE = 8192;
const READ_SLICE = 500;

/**
 * Gives the chunks that match to `best`.
 *
 * @returns How many they are.
 */
export async function collectChunks(
  parts: readonly IndexPart[],
  meanWords: number,
  query: ResolvedQuery,
  conditions: ChunkConditions,
  best: BestChunks,
): Promise<number> {
  let total = 0;
  const { allows, accepts, phrases = [], literals = [] } = conditions;
  for (const { part, sheet } of await scoreParts(parts, meanWords, query, phrases)) {
    if (allows) sheet.keep((doc) => allows(part.documentOf(doc), part.tagsOf(doc)));
    if (literals.length > 0) await keepContaining(part, sheet, literals);
    if (accepts) await keepAccepted(part, sheet, accepts, conditions);
    total += sheet.count;
    best.addAll(part, sheet);
    part.giveAccumulator(sheet);
  }
  return total;
}

/** Leaves only the chunks that may have one of each of these lists of strings, as far as the part knows without reading texts. */
async function keepContaining(
  part: IndexPart,
  sheet: ScoreAccumulator,
  literals: readonly (readonly string[])[],
): Promise<void> {
  const docs = await part.mayContain?.(literals);
  if (!docs) return;
  const some = new Set(docs);
  sheet.keep((doc) => some.has(doc));
}

/** Leaves only the chunks whose text is as it must be; those that have to be read come in the order of the file. */
async function keepAccepted(
  part: IndexPart,
  sheet: ScoreAccumulator,
  accepts: NonNullable<ChunkConditions['accepts']>,
  { phrases = [], arePhrases = false, signal }: ChunkConditions,
): Promise<void> {
  const { found, count } = sheet;
  const docs = found.subarray(0, count).toSorted();
  const judge = phrases.length > 0 ? part.judge?.(phrases) : undefined;
  const accepted: number[] = [];
  const unsure: number[] = [];
  for (let from = 0; from < count; from += SLICE) {
    if (from > 0) await nextTurn(signal);
    const slice = docs.subarray(from, from + SLICE);
    const verdicts = judge?.(slice);
    for (const [at, doc] of slice.entries()) {
      const verdict = verdicts?.[at];
      if (verdict === VERDICTS.absent) continue;
      if (arePhrases && verdict === VERDICTS.there) accepted.push(doc);
      else unsure.push(doc);
    }
  }
  for await (const { own, texts } of inSlices(part, unsure)) {
    signal?.throwIfAborted();
    for (const [at, doc] of own.entries()) {
      const chunk = texts[at];
      if (chunk && accepts(chunk.text, chunk.headings)) accepted.push(doc);
    }
  }
  sheet.count = accepted.length;
  found.set(Uint32Array.from(accepted).toSorted());
}

async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  await new Promise(setImmediate);
  signal?.throwIfAborted();
}

/** The texts of some chunks. */
interface TextSlice {
  readonly own: readonly number[];
  readonly texts: readonly (ChunkText | undefined)[];
}

/** Reads texts, the next ones while those before are tested: a database reads them meanwhile. */
async function* inSlices(part: IndexPart, docs: readonly number[]): AsyncGenerator<TextSlice> {
  const read = async (from: number): Promise<TextSlice> => {
    const own = docs.slice(from, from + READ_SLICE);
    return { own, texts: await part.texts(own) };
  };
  let next = docs.length > 0 ? read(0) : undefined;
  for (let from = READ_SLICE; next; from += READ_SLICE) {
    const slice = await next;
    next = from < docs.length ? read(from) : undefined;
    // It is awaited below, unless the search ends before.
    next?.catch(() => undefined);
    yield slice;
    if (next) await new Promise(setImmediate);
  }
}
