import { keywordsOf } from '../build/keywords.ts';
import { type ContextRow, normalizeLabel, parseList } from '../index/node-index.ts';
import type { Project } from '../project/project.ts';
import { type ContextOptions, DEFAULT_RELATED } from './context-options.ts';
import { gistsOf } from './gist.ts';
import { queryOf, scorePassages } from './relevance.ts';
import { type Bodies, type ContextNode, letterOf, type Scene } from './scene.ts';
import type { RelatedNode } from './write-context.ts';

/** At most this many nodes are looked at. */
const MAX_CANDIDATES = 16;
/** Words of a prompt that may be tags. */
const MAX_LABELS = 24;
/** One sentence must share this much of what the prompt says. */
const MIN_SHARE = 0.4;
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
      const shared = parseList(row.tags).filter((tag) => tags.has(normalizeLabel(tag))).length;
      return { row, score: (shares[at] ?? 0) + TAG_SHARE * shared, hasTag: shared > 0 };
    })
    .filter(({ score, hasTag }) => score >= MIN_SHARE || hasTag)
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
