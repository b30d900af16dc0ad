import type { ScorePart } from '../contract/search-backend.ts';
import type { GroupSet } from '../rank/query-groups.ts';
import { variantKanji, type KanjiWord } from '../rank/fold-text.ts';
import {
  bestBonus,
  type Bonus,
  idf,
  type NumericQuery,
  pairsOf,
  queryBigrams,
  type RankedQuery,
  SecondLook,
} from '../rank/rerank.ts';
import { WEIGHTS } from '../rank/weights.ts';
import { BestChunks, collectChunks, type ChunkConditions, scoreGroup } from './bm25.ts';
import {
  groupsByTerm,
  resolveQuery,
  type ResolvedQuery,
  TermResolver,
  type ResolvedGroup,
} from './resolve-terms.ts';
import type {
  ChunkContent,
  GroupsByTerm,
  ChunkIndex,
  ChunkPlace,
  IndexPart,
} from './chunk-index.ts';

/** Minimum share of a word for which a term ranks as the word itself; below it, it is only marked: 母 in お母さん. */
const LEAST_RANKED = 0.1;

/** The request to an index. */
export interface FindRequest extends ChunkConditions {
  readonly sets: readonly GroupSet[];
  /** The words of the query as text, for pairs of characters. */
  readonly text: string;
  /** How many of the best are wanted. */
  readonly count: number;
  /** True if {@link Found.explain} will be called. Default: `false`. */
  readonly explain?: boolean | undefined;
}

/** A chunk that was found. */
export interface FoundChunk extends ChunkPlace {
  /** From 0 to 1. */
  readonly score: number;
}

/** The chunks that were found, best first. */
export interface Found {
  readonly total: number;
  /**
   * The share of what the words of the query say that the best text has, by how rare they are: 1 for all, or for a
   * query without words.
   */
  readonly coverage: number;
  readonly best: readonly FoundChunk[];
  /** How telling each group is. */
  readonly groups: readonly number[];
  /** How the score of each of these came about, if the request said that it would be asked. */
  explain(places: readonly FoundChunk[]): readonly (readonly ScorePart[])[];
  /** Returns the texts of chunks with the words that were asked for. */
  read(places: readonly ChunkPlace[]): Promise<readonly ChunkContent[]>;
}

/** Finds the best chunks by BM25, and re-ranks the first of them. */
export async function findChunks(index: ChunkIndex, request: FindRequest): Promise<Found> {
  const resolver = new TermResolver(index.size, index.vocabulary);
  const query = await resolveQuery(resolver, request.sets);
  const { ranking } = query;
  const parts = await index.parts(placesOf(query, request.explain));
  const meanWords = Math.max(1, index.words / Math.max(1, index.size));
  const ranked = await rankQuery(index, query, meanWords, request.text);
  const highest = bestScore(ranking) + bestBonus(ranked);
  const best = new BestChunks(index, Math.max(request.count, WEIGHTS.rerankDepth));
  const total = await collectChunks(parts, meanWords, query, request, best);
  const coverage = coverageOf(query, idf(index.size, 1), best.head[0]?.score ?? 0);
  const groupsOf = groupsByPart(ranking, 0);
  const look = new SecondLook(ranked);
  if (ranking.length > 0) await lookAgain(best, groupsByPart(ranking, LEAST_RANKED), look);

  // A clause without informative words is there or not.
  const isRanked = ranking.length > 0 && highest > 0;
  const bonuses = new Map<FoundChunk, Bonus | undefined>();
  const found = best.head.slice(0, request.count).map(({ part, doc, score, bonus }): FoundChunk => {
    const chunk = { part, doc, score: isRanked ? Math.min(1, score / highest) : 1 };
    bonuses.set(chunk, bonus);
    return chunk;
  });
  return {
    total,
    coverage,
    best: found,
    groups: ranked.groups,
    read: (places) => readContents(places, groupsOf),
    explain(places) {
      const chunks = places.map((chunk) => ({ chunk, bonus: bonuses.get(chunk) }));
      return explainScores(ranking, meanWords, chunks);
    },
  };
}

/**
 * The terms whose postings are read. Those of common groups are the longest lists there are, and only an explanation
 * asks for them.
 */
function placesOf(
  { ranking, common, forbidden }: ResolvedQuery,
  isExplained = false,
): readonly (readonly number[])[] {
  const scored = isExplained ? ranking : ranking.filter((_, place) => !common.has(place));
  return [...scored, ...forbidden.flat()].flatMap(({ finding }) =>
    finding.map((term) => term.places),
  );
}

async function rankQuery(
  index: ChunkIndex,
  { ranking, common }: ResolvedQuery,
  meanWords: number,
  text: string,
): Promise<RankedQuery> {
  const pairs = pairsOf(text);
  const countOf = await index.bigramCounts([...pairs]);
  const rarest = idf(index.size, 1);
  const number = numericQuery(text);
  return {
    groups: ranking.map(({ value }) => value),
    kanji: variantKanji(kanjiWords(ranking, rarest)),
    ...(number ? { number: { ...number, value: weightOfAsked(number) * rarest } } : {}),
    bigrams: queryBigrams(pairs, index.size, countOf),
    meanLength: index.characters / Math.max(1, index.size),
    common: { groups: common, meanWords },
  };
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

function weightOfAsked({ isDate }: NumericQuery): number {
  return isDate ? WEIGHTS.date : WEIGHTS.number;
}

/** Returns the words that may be there in part; those that the index does not have are as telling as the rarest. */
function kanjiWords(ranking: readonly ResolvedGroup[], rarest: number): readonly KanjiWord[] {
  return ranking.flatMap(({ group: { term, weight, field, ways }, value }, group) => {
    const mayBePart = field === 'any' && ways.some(({ kind }) => kind === 'compound');
    return mayBePart ? [{ group, term, value: value > 0 ? value : weight * rarest }] : [];
  });
}

/**
 * Returns how much of a query the text has that scores highest by words. A word that the index does not have is as
 * telling as the rarest; a chunk of mean length that has a word once gets the value of it.
 */
function coverageOf({ ranking, common }: ResolvedQuery, rarest: number, score: number): number {
  let all = 0;
  for (const [place, { group, value }] of ranking.entries()) {
    if (common.has(place) || group.isGuess === true) continue;
    all += value > 0 ? value : group.weight * rarest;
  }
  return all === 0 ? 1 : Math.min(1, score / all);
}

/** Returns the highest score that words alone can give. */
function bestScore(ranking: readonly ResolvedGroup[]): number {
  return ranking.reduce((sum, { group, terms }) => {
    const [main] = terms.toSorted((a, b) => b.factor * b.idf - a.factor * a.idf);
    return sum + (main ? group.weight * main.factor * main.idf * (WEIGHTS.k1 + 1) : 0);
  }, 0);
}

/** Remembers which terms of a part belong to which group. */
function groupsByPart(
  ranking: readonly ResolvedGroup[],
  least: number,
): (part: IndexPart) => GroupsByTerm {
  const cache = new Map<IndexPart, GroupsByTerm>();
  return (part) => {
    let known = cache.get(part);
    known ??= groupsByTerm(ranking, part.number, least);
    cache.set(part, known);
    return known;
  };
}

/** Reads chunks of several parts, keeping their order. */
async function readContents(
  places: readonly ChunkPlace[],
  groupsOf: (part: IndexPart) => GroupsByTerm,
): Promise<readonly ChunkContent[]> {
  const contents = places.map(() => NOTHING);
  for (const part of new Set(places.map((place) => place.part))) {
    const numbers = [...places.keys()].filter((at) => places[at]?.part === part);
    const docs = numbers.map((at) => places[at]?.doc ?? 0);
    const read = await part.contents(docs, groupsOf(part));
    for (const [place, at] of numbers.entries()) contents[at] = read[place] ?? NOTHING;
  }
  return contents;
}

const NOTHING: ChunkContent = { text: '', found: [] };

/** Re-ranks the first chunks, part by part. */
async function lookAgain(
  best: BestChunks,
  groupsOf: (part: IndexPart) => GroupsByTerm,
  look: SecondLook,
): Promise<void> {
  const first = best.head.slice(0, WEIGHTS.rerankDepth);
  for (const part of new Set(first.map((candidate) => candidate.part))) {
    const own = first.filter((candidate) => candidate.part === part);
    const docs = own.map(({ doc }) => doc);
    await part.rank(docs, groupsOf(part), (at, chunk) => {
      const candidate = own[at];
      if (!candidate) return;
      candidate.bonus = look.bonusOf(chunk);
      candidate.score += sumOf(candidate.bonus);
    });
  }
  best.sort();
}

function sumOf({ bigrams, window, adjacency, common }: Bonus): number {
  return bigrams + window + adjacency + common;
}

/** A chunk, and what re-ranking added to its score. */
interface ExplainedChunk {
  readonly chunk: FoundChunk;
  readonly bonus: Bonus | undefined;
}

/** Returns what the words of a query and re-ranking add to scores; together they are the score. */
function explainScores(
  ranking: readonly ResolvedGroup[],
  meanWords: number,
  chunks: readonly ExplainedChunk[],
): readonly (readonly ScorePart[])[] {
  const byWords: ScorePart[][] = chunks.map(() => []);
  for (const part of new Set(chunks.map(({ chunk }) => chunk.part))) {
    const own = [...chunks.entries()].filter(([, { chunk }]) => chunk.part === part);
    const places = own.map(([at, { chunk }]) => ({ doc: chunk.doc, parts: byWords[at] ?? [] }));
    addWords(part, ranking, meanWords, places);
  }
  return chunks.map((chunk, at) => onScale(chunk, byWords[at] ?? []));
}

/** One sheet for all groups: a query of many words would take one of megabytes for each. */
function addWords(
  part: IndexPart,
  ranking: readonly ResolvedGroup[],
  meanWords: number,
  places: readonly { readonly doc: number; readonly parts: ScorePart[] }[],
): void {
  const sheet = part.takeAccumulator().clear();
  const { scores } = sheet;
  for (const [place, group] of ranking.entries()) {
    scoreGroup(part, sheet, group, place + 1, meanWords);
    for (const { doc, parts } of places) {
      const value = scores[doc] ?? 0;
      if (value > 0) parts.push({ name: group.group.term, value });
      scores[doc] = 0;
    }
  }
  part.giveAccumulator(sheet);
}

function onScale(
  { chunk: { score }, bonus }: ExplainedChunk,
  byWords: readonly ScorePart[],
): readonly ScorePart[] {
  const parts = [...byWords];
  if (bonus) {
    parts.push({ name: 'bigrams', value: bonus.bigrams });
    parts.push({ name: 'proximity', value: bonus.window + bonus.adjacency });
  }
  const sum = parts.reduce((total, { value }) => total + value, 0);
  if (sum === 0) return [{ name: 'text', value: score }];
  return parts
    .filter(({ value }) => value > 0)
    .map(({ name, value }) => ({ name, value: (value / sum) * score }));
}
