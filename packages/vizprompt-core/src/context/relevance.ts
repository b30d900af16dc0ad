import { fuse, type Passage } from '@vizprompt/providers';
import type { TextAnalyzer } from '@vizprompt/providers/text';
import { ENGLISH_STOP_WORDS, keywordsOf } from '../build/keywords.ts';
import { type ContextRow, normalizeLabel, parseList } from '../index/node-index.ts';
import type { Project } from '../project/project.ts';
import { type ContextOptions, DEFAULT_RELATED } from './context-options.ts';
import { gistsOf } from './history.ts';
import { findReferents, isLeaning } from './referents.ts';
import { type Bodies, type ContextNode, letterOf, type Scene } from './scene.ts';
import type { RelatedNode } from './write-context.ts';

/** An ancestor that a prompt is about, and why. */
interface Recall {
  readonly id: string;
  readonly reason: 'relevant' | 'referred';
}

/** The nodes and passages that a prompt is about. */
export interface Relevance {
  /** Ancestors, the most relevant first, each once. */
  readonly ranked: readonly Recall[];
  /** Passages of a retriever that are not ancestors, the best first. */
  readonly passages: readonly Passage[];
}

/** At most this many ancestors are looked at. */
const MAX_FOUND = 48;
/** Those that score less, compared with the best, say less about the prompt than others do. */
const MIN_SCORE = 0.35;
/** One sentence must share this much of what the prompt says. */
const MIN_SHARE = 0.25;

/**
 * Ranks ancestors: first those that the prompt points at, then those that share words with it, rare ones
 * counting more, and what a retriever finds. A turn that corrects or continues another goes with it.
 */
export async function findRelevance(
  project: Project,
  scene: Scene,
  bodies: Bodies,
  { prompt, retriever, signal }: Pick<ContextOptions, 'prompt' | 'retriever' | 'signal'>,
): Promise<Relevance> {
  const byId = new Map(scene.ancestors.map((node) => [node.id, node]));
  const byWords = await rankByWords(project, scene, byId, bodies, prompt);
  const passages = retriever
    ? await retriever.retrieve(prompt, {
        limit: MAX_FOUND,
        k: MAX_FOUND,
        ...(signal ? { signal } : {}),
      })
    : [];
  const nodeOf = ({ id, source }: Passage): string | undefined =>
    [id, source.uri].find((name) => byId.has(name));
  const theirs = passages.flatMap((passage) => {
    const id = nodeOf(passage);
    return id === undefined ? [] : [toPassage(id, passage.score)];
  });
  const ids = retriever
    ? fuse([theirs, byWords.map(({ id, score }) => toPassage(id, score))]).map(({ id }) => id)
    : byWords.map(({ id }) => id);
  const allowed = scene.ancestors.filter(({ id }) => !scene.excluded.has(id));
  const referents = await findReferents(prompt, allowed, ids, bodies);
  const relevant = await withNeighbours(allowed, [...new Set(ids)], bodies);
  const reasons = new Map<string, Recall['reason']>(
    referents.map(({ id }) => [id, 'referred'] as const),
  );
  for (const id of relevant) if (!reasons.has(id)) reasons.set(id, 'relevant');
  // Those are given in full already, or never.
  const settled = new Set([...scene.excluded, ...scene.others.map(({ id }) => id)]);
  return {
    ranked: Array.from(reasons, ([id, reason]) => ({ id, reason })),
    passages: passages.filter(
      (passage) =>
        nodeOf(passage) === undefined &&
        !settled.has(passage.id) &&
        !settled.has(passage.source.uri),
    ),
  };
}

/** Turns whose neighbours are looked at. */
const MAX_LED = 3;

/** Adds the turns that correct or continue the best ones, and those that these continue. */
async function withNeighbours(
  ancestors: readonly ContextNode[],
  ids: readonly string[],
  bodies: Bodies,
): Promise<readonly string[]> {
  const places = new Map(ancestors.map(({ id }, place) => [id, place]));
  const leans = async (node: ContextNode | undefined): Promise<boolean> => {
    const stored = node?.row && (await bodies.find(node));
    return stored !== undefined && isLeaning(stored.prompt);
  };
  const added: string[] = [];
  for (const id of ids.slice(0, MAX_LED)) {
    const place = places.get(id);
    if (place === undefined) continue;
    added.push(id);
    const before = ancestors[place - 1];
    if (before && (await leans(ancestors[place]))) added.push(before.id);
    const after = ancestors[place + 1];
    if (after && (await leans(after))) added.push(after.id);
  }
  return [...new Set([...added, ...ids])];
}

interface Ranked {
  readonly id: string;
  readonly score: number;
}

/** By the index, and by the sentence that is nearest to the prompt; half each. */
async function rankByWords(
  project: Project,
  scene: Scene,
  byId: ReadonlyMap<string, ContextNode>,
  bodies: Bodies,
  prompt: string,
): Promise<readonly Ranked[]> {
  const query = queryOf(prompt);
  const ranked = await rankByQuery(project, scene, byId, bodies, query);
  const split = query.replaceAll(/[\p{sc=Katakana}ー]{6,12}/gu, splitsOf);
  return ranked.length > 0 || split === query
    ? ranked
    : rankByQuery(project, scene, byId, bodies, split);
}

/** Returns the two words that a compound in katakana may be made of, wherever it is cut: `チームプラン`. */
function splitsOf(word: string): string {
  const least = 3;
  const cuts = Array.from({ length: word.length - 2 * least + 1 }, (_, at) => at + least);
  return cuts.flatMap((at) => [word.slice(0, at), word.slice(at)]).join(' ');
}

async function rankByQuery(
  project: Project,
  { loaded, before, excluded }: Scene,
  byId: ReadonlyMap<string, ContextNode>,
  bodies: Bodies,
  query: string,
): Promise<readonly Ranked[]> {
  if (!loaded || byId.size <= before.length) return [];
  const hits = await searchFlow(project, loaded.file, query);
  const nodes = hits.flatMap(({ id, score }) => {
    const node = byId.get(id);
    return node && !before.includes(id) && !excluded.has(id) ? [{ node, score }] : [];
  });
  const texts = await Promise.all(
    nodes.map(async ({ node }) => {
      const stored = await bodies.find(node);
      return stored ? `${stored.prompt}\n${stored.response}` : '';
    }),
  );
  const near = scorePassages(project.index.text.analyzer, query, texts, ABSENT_HERE);
  const best = nodes[0]?.score ?? 1;
  const nearest = Math.max(...near) || 1;
  const ranked = nodes.map(({ node, score }, at) => {
    const share = near[at] ?? 0;
    return { id: node.id, share, score: (score / best + share / nearest) / 2 };
  });
  return ranked
    .filter(({ score, share }) => score >= MIN_SCORE && share >= MIN_SHARE)
    .toSorted((a, b) => b.score - a.score);
}

function toPassage(id: string, score: number): Passage {
  return { id, text: '', score, source: { kind: 'node', uri: id } };
}

async function searchFlow(
  { index }: Project,
  file: string,
  query: string,
): Promise<readonly Ranked[]> {
  const where = {
    sql: 'is_current = 1 AND id IN (SELECT node FROM core_flow_node WHERE file = ?)',
    params: [file],
  };
  const hits = await index.text.search(query, { limit: MAX_FOUND, where });
  const rows = await index.nodes.rowsByNumber(hits.map(({ id }) => id));
  const ids = new Map(rows.map(({ row_id: row, id }) => [row, id]));
  return hits.flatMap(({ id: row, score }) => {
    const id = ids.get(row);
    return id === undefined ? [] : [{ id, score }];
  });
}

/** Text beyond this length is not looked at. */
const MAX_PASSAGE = 20_000;
/** In the conversation itself, a word that no turn has, as what is to be done, distinguishes no turn from another. */
const ABSENT_HERE = 0.5;
/** Where one thing that is said ends, code included. */
const BORDER = /[。．！？!?\n][。．！？!?\n]*|\.\s/;

/**
 * How much of a question one sentence of each text has at best: the words that both have, rare ones
 * counting more. A long text in which the words are only scattered scores low.
 *
 * @param absent - The weight of a word that no text has, compared with one that a single sentence has.
 * @returns For each text, the share of the question: from 0 to 1, where one sentence has all of it.
 */
function scorePassages(
  analyzer: TextAnalyzer,
  query: string,
  texts: readonly string[],
  absent = 1,
): number[] {
  const words = wordsOf(analyzer, query);
  const sentences = texts.map((text) =>
    text
      .slice(0, MAX_PASSAGE)
      .split(BORDER)
      .map((sentence) => shared(analyzer, words, sentence)),
  );
  const all = sentences.flat();
  const counts = words.map((_, word) => all.filter((found) => found.includes(word)).length);
  const weights = counts.map((count) =>
    count === 0 ? absent * Math.log(1 + all.length) : Math.log(1 + all.length / count),
  );
  const weigh = (found: readonly number[]): number =>
    found.reduce((sum, word) => sum + (weights[word] ?? 0), 0);
  const whole = weigh([...words.keys()]);
  return sentences.map((list) => (whole > 0 ? Math.max(0, ...list.map(weigh)) / whole : 0));
}

/** Which of the words a sentence has. */
function shared(
  analyzer: TextAnalyzer,
  words: readonly (readonly string[])[],
  sentence: string,
): number[] {
  const terms = new Set(analyzer.analyze(sentence, 'index').map(({ text }) => text));
  return words.flatMap((word, at) => (word.every((term) => terms.has(term)) ? [at] : []));
}

/** Longer prompts are searched by their keywords. */
const MAX_QUERY = 200;
const MAX_KEYWORDS = 32;

/** Returns the words that say what a prompt is about: a search looks at no more than some dozens. */
export function queryOf(prompt: string): string {
  const plain = prompt.replaceAll('"', ' ');
  const words =
    plain.length > MAX_QUERY
      ? keywordsOf(plain, MAX_KEYWORDS).join(' ')
      : plain.replaceAll(/[A-Za-z'][A-Za-z']*/g, (word) =>
          ENGLISH_STOP_WORDS.has(word.toLowerCase()) ? ' ' : word,
        );
  if (words.trim() === '') return plain.slice(0, MAX_QUERY);
  // One word here may be two words there: 画像変換, 画像の変換.
  return words.replaceAll(/\p{sc=Han}{3,}/gu, (run) => pairsOf(Array.from(run)).join(' '));
}

function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

/** Returns the words of a query, each as the terms that a text with the word has. */
function wordsOf(analyzer: TextAnalyzer, query: string): readonly (readonly string[])[] {
  const words = new Map<string, string[]>();
  for (const [at, { text, group, isWeak }] of analyzer.analyze(query, 'query').entries()) {
    if (isWeak) continue;
    const key = group === undefined ? `alone ${at}` : `group ${group}`;
    words.set(key, [...(words.get(key) ?? []), text]);
  }
  return [...new Map([...words.values()].map((terms) => [terms.join(' '), terms])).values()];
}

/** At most this many nodes are looked at. */
const MAX_CANDIDATES = 16;
/** Words of a prompt that may be tags. */
const MAX_LABELS = 24;
/** One sentence must share this much of what the prompt says. */
const LEAST_SHARE = 0.4;
/** A shared tag counts as this much of the prompt. */
const TAG_SHARE = 0.3;

/**
 * Finds the nodes of other branches and flows that share tags or words with the prompt, the best first. Those
 * with the same prompt are other answers to it, which a new one should not know.
 *
 * @param first - The place of the first letter that names one that is not in the flow.
 */
export async function findRelated(
  project: Project,
  scene: Scene,
  bodies: Bodies,
  { prompt, related = DEFAULT_RELATED }: Pick<ContextOptions, 'prompt' | 'related'>,
  first: number,
): Promise<readonly RelatedNode[]> {
  const words = keywordsOf(prompt, MAX_LABELS);
  if (related < 1 || words.length === 0) return [];
  const known = new Set([...scene.ancestors, ...scene.others].map(({ id }) => id));
  const rows = await rowsLike(project, prompt, words);
  const own = squeezed(prompt);
  const candidates = rows.filter(({ id }) => !known.has(id) && !scene.excluded.has(id));
  const tags = new Set(words.map(normalizeLabel));
  const read = await Promise.all(
    candidates.map(async (row) => ({
      row,
      stored: await bodies.find({ id: row.id, label: '', row }),
    })),
  );
  const texts = read.flatMap(({ row, stored }) =>
    stored && squeezed(stored.prompt) !== own && stored.prompt + stored.response !== ''
      ? [{ row, text: `${stored.prompt}\n${stored.response}` }]
      : [],
  );
  const shares = scorePassages(
    project.index.text.analyzer,
    queryOf(prompt),
    texts.map(({ text }) => text),
  );
  const best = texts
    .map(({ row }, at) => {
      const common = parseList(row.tags).filter((tag) => tags.has(normalizeLabel(tag))).length;
      return { row, score: (shares[at] ?? 0) + TAG_SHARE * common, hasTag: common > 0 };
    })
    .filter(({ score, hasTag }) => score >= LEAST_SHARE || hasTag)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, related);
  let letters = first;
  const nodes = best.map(({ row }): ContextNode => {
    const label = scene.labels.get(row.id) ?? letterOf(letters++);
    return { id: row.id, label, row };
  });
  const gists = await gistsOf(project, bodies, nodes);
  return nodes.map((node, at) => ({
    node,
    text: (gists[at]?.text ?? '').replaceAll(/\s\s*/g, ' '),
    tags: parseList(node.row?.tags ?? '[]'),
    form: gists[at]?.source === 'summary' ? 'summary' : 'gist',
  }));
}

/** Returns the rows of nodes that have words of the prompt, or a tag that is one of them. */
async function rowsLike(
  { index }: Project,
  prompt: string,
  words: readonly string[],
): Promise<readonly ContextRow[]> {
  const where = { sql: 'is_current = 1', params: [] };
  const hits = await index.text.search(queryOf(prompt), { limit: MAX_CANDIDATES, where });
  const tagged = await index.nodes.withTags(words.map(normalizeLabel), MAX_CANDIDATES);
  const numbers = [...new Set([...hits.map(({ id }) => id), ...tagged])];
  const rows = await index.nodes.contextRowsByNumber(numbers);
  const byNumber = new Map(rows.map((row) => [row.row_id, row]));
  return numbers.flatMap((number) => byNumber.get(number) ?? []);
}

function squeezed(text: string): string {
  return text.replaceAll(/\s\s*/g, ' ').trim();
}
