import type { ScorePart } from '../backends/search-backend.ts';
import { bestBonus, bonusOf, queryBigrams, rankedQuery, type Bonus } from '../rank/rerank.ts';
import { WEIGHTS } from '../rank/weights.ts';
import {
  groupsByTerm,
  readContent,
  scanChunk,
  type ChunkContent,
  type GroupsByTerm,
} from './chunk-content.ts';
import { DEAD, type LiveSegment } from './live-segment.ts';
import type { ScoreSheet } from './score-sheet.ts';
import type { ResolvedGroup } from './resolve-terms.ts';
import { scoreSegments, type ResolvedQuery } from './score-segments.ts';
import type { ChunkPlace, Snapshot } from './snapshot.ts';

/** What is looked for in a snapshot. */
export interface FindRequest {
  readonly query: ResolvedQuery;
  /** The words of the query as text, for pairs of characters. */
  readonly text: string;
  /** Whether a document is looked at. */
  readonly allows?: ((document: number, tags: readonly string[]) => boolean) | undefined;
  /** How many of the best are wanted. */
  readonly count: number;
  /** What the text of a chunk must be, beside its words. */
  readonly accepts?: (text: string, titles: readonly string[]) => boolean;
  readonly signal?: AbortSignal;
}

/** A chunk that was found. */
export interface FoundChunk extends ChunkPlace {
  /** From 0 to 1. */
  readonly score: number;
}

/** The chunks that were found, best first. */
export interface Found {
  readonly total: number;
  readonly best: readonly FoundChunk[];
  /** The text of a chunk, with the words that were found. */
  read(place: ChunkPlace): ChunkContent;
  /** How a score came about. */
  explain(place: ChunkPlace): readonly ScorePart[];
  /** How telling each group is. */
  readonly groups: readonly number[];
}

interface Candidate {
  readonly segment: LiveSegment;
  readonly doc: number;
  score: number;
}

/** How many chunks are read between two looks at the signal and the other tasks of the process. */
const SLICE = 500;

export async function findChunks(snapshot: Snapshot, request: FindRequest): Promise<Found> {
  const { query } = request;
  const groups = query.ranking.map(({ value }) => value);
  const ranked = rankedQuery(
    groups,
    queryBigrams(request.text, snapshot.size, (pair) => snapshot.bigrams.count(pair)),
    snapshot.characters / Math.max(1, snapshot.size),
  );
  const best = bestScore(query.ranking) + bestBonus(ranked);
  const cache = new Map<LiveSegment, GroupsByTerm>();
  const byTerm = (segment: LiveSegment): GroupsByTerm => {
    let known = cache.get(segment);
    known ??= groupsByTerm(query.ranking, snapshot.segments.indexOf(segment));
    cache.set(segment, known);
    return known;
  };
  const look = ({ segment, doc }: ChunkPlace): Bonus =>
    bonusOf(ranked, scanChunk(segment.reader, doc, byTerm(segment)));
  const { total, head } = await collect(snapshot, request);
  if (groups.length > 0) {
    for (const candidate of head.slice(0, WEIGHTS.rerankDepth)) {
      const { bigrams, window, adjacency } = look(candidate);
      candidate.score += bigrams + window + adjacency;
    }
    head.sort((a, b) => order(snapshot, a, b));
  }
  return {
    total,
    best: head.slice(0, request.count).map(({ segment, doc, score }) => {
      return { segment, doc, score: best > 0 ? Math.min(1, score / best) : 1 };
    }),
    groups,
    read: ({ segment, doc }) => readContent(segment.reader, doc, byTerm(segment)),
    explain: (place) => explain(snapshot, query, place, look(place), best),
  };
}

/** The highest score that words alone can give. */
function bestScore(ranking: readonly ResolvedGroup[]): number {
  return ranking.reduce((sum, { group, terms }) => {
    const [main] = terms.toSorted((a, b) => b.factor * b.idf - a.factor * a.idf);
    return sum + (main ? group.weight * main.factor * main.idf * (WEIGHTS.k1 + 1) : 0);
  }, 0);
}

async function collect(
  snapshot: Snapshot,
  request: FindRequest,
): Promise<{ readonly total: number; readonly head: Candidate[] }> {
  const { query, allows } = request;
  const size = Math.max(request.count, WEIGHTS.rerankDepth);
  const head: Candidate[] = [];
  let total = 0;
  for (const { segment, sheet } of scoreSegments(snapshot, query)) {
    let count = listMatches(segment, sheet, query.ranking.length > 0, allows);
    if (request.accepts) count = await keepAccepted(segment, sheet.docs, count, request);
    total += count;
    keepBest(snapshot, head, size, segment, sheet, count);
    segment.giveSheet(sheet);
  }
  return { total, head };
}

/** Writes the chunks that match on the sheet; tells how many. */
function listMatches(
  { reader, documents }: LiveSegment,
  { scores, excluded, docs }: ScoreSheet,
  isByWords: boolean,
  allows: FindRequest['allows'],
): number {
  let count = 0;
  for (let doc = 0; doc < scores.length; doc++) {
    if (excluded[doc] === 1 || (isByWords && scores[doc] === 0)) continue;
    if (allows) {
      const tags = reader.strings.tags[reader.column(doc, 'tags')] ?? [];
      if (!allows(documents[doc] ?? DEAD, tags)) continue;
    }
    docs[count++] = doc;
  }
  return count;
}

/** Leaves only the chunks whose text is as it must be. */
async function keepAccepted(
  { reader }: LiveSegment,
  docs: Uint32Array,
  count: number,
  { accepts, signal }: FindRequest,
): Promise<number> {
  let kept = 0;
  for (let at = 0; at < count; at++) {
    if (at % SLICE === SLICE - 1) {
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
    const doc = docs[at] ?? 0;
    const headings = reader.strings.headings[reader.column(doc, 'headings')] ?? [];
    if (accepts?.(reader.textOf(reader.formsOf(doc)), headings) === true) docs[kept++] = doc;
  }
  return kept;
}

function keepBest(
  snapshot: Snapshot,
  head: Candidate[],
  size: number,
  segment: LiveSegment,
  { scores, docs }: ScoreSheet,
  count: number,
): void {
  let least = head.length < size ? -1 : (head.at(-1)?.score ?? -1);
  for (let at = 0; at < count; at++) {
    const doc = docs[at] ?? 0;
    if ((scores[doc] ?? 0) < least) continue;
    insert(snapshot, head, { segment, doc, score: scores[doc] ?? 0 }, size);
    if (head.length >= size) least = head.at(-1)?.score ?? -1;
  }
}

/** Puts a candidate at its place among the best. */
function insert(snapshot: Snapshot, head: Candidate[], candidate: Candidate, size: number): void {
  let low = 0;
  let high = head.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = head[middle];
    if (other && order(snapshot, other, candidate) <= 0) low = middle + 1;
    else high = middle;
  }
  head.splice(low, 0, candidate);
  if (head.length > size) head.pop();
}

function order(snapshot: Snapshot, a: Candidate, b: Candidate): number {
  return b.score - a.score || compare(snapshot, a, b);
}

/** By project, document and place: an order that does not depend on how the index came about. */
function compare(snapshot: Snapshot, a: ChunkPlace, b: ChunkPlace): number {
  const [first, second] = [a, b].map(
    ({ segment, doc }) => snapshot.documents[segment.documents[doc] ?? 0],
  );
  if (!first || !second) return 0;
  if (first === second) {
    return (a.segment.indexes[a.doc] ?? 0) - (b.segment.indexes[b.doc] ?? 0);
  }
  if (first.novelId !== second.novelId) return first.novelId < second.novelId ? -1 : 1;
  return first.filePath < second.filePath ? -1 : 1;
}

function explain(
  snapshot: Snapshot,
  query: ResolvedQuery,
  { segment, doc }: ChunkPlace,
  bonus: Bonus,
  best: number,
): readonly ScorePart[] {
  const parts: ScorePart[] = [];
  for (const group of query.ranking) {
    const alone: ResolvedQuery = { ranking: [group], required: new Set(), forbidden: [] };
    for (const { segment: scored, sheet } of scoreSegments(snapshot, alone)) {
      const value = scored === segment ? (sheet.scores[doc] ?? 0) : 0;
      if (value > 0) parts.push({ name: group.group.term, value });
      scored.giveSheet(sheet);
    }
  }
  parts.push({ name: 'bigrams', value: bonus.bigrams });
  parts.push({ name: 'proximity', value: bonus.window + bonus.adjacency });
  return parts
    .filter(({ value }) => value > 0)
    .map(({ name, value }) => ({ name, value: best > 0 ? value / best : 0 }));
}
