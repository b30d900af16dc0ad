import { fuse, type Passage } from '@vizprompt/providers';
import type { Project } from '../project/project.ts';
import type { Bodies } from './bodies.ts';
import type { ContextOptions } from './context-options.ts';
import { scorePassages } from './passages.ts';
import { queryOf } from './question.ts';
import type { ContextNode, Scene } from './scene.ts';

/** What a prompt is about. */
export interface Relevance {
  /** The ids of ancestors, the most relevant first. */
  readonly ranked: readonly string[];
  /** Passages of a retriever that are no ancestors, the best first. */
  readonly passages: readonly Passage[];
}

/** At most so many ancestors are looked at. */
const MAX_FOUND = 48;
/** Those that score less, compared with the best, say less about the prompt than others do. */
const MIN_SCORE = 0.35;
/** One sentence must share this much of what the prompt says. */
const MIN_SHARE = 0.25;

/**
 * Ranks ancestors by the words that they share with the prompt, rare ones counting more, and by what
 * a retriever finds.
 */
export async function findRelevance(
  project: Project,
  scene: Scene,
  bodies: Bodies,
  { prompt, retriever, signal }: Pick<ContextOptions, 'prompt' | 'retriever' | 'signal'>,
): Promise<Relevance> {
  const byId = new Map(scene.ancestors.map((node) => [node.id, node]));
  const byWords = await rankByWords(project, scene, byId, bodies, prompt);
  if (!retriever) return { ranked: byWords.map(({ id }) => id), passages: [] };

  const options = { k: MAX_FOUND, ...(signal ? { signal } : {}) };
  const found = await retriever.retrieve(prompt, options);
  const nodeOf = ({ id, source }: Passage): string | undefined =>
    [id, source.uri].find((name) => byId.has(name));
  const theirs = found.flatMap((passage) => {
    const id = nodeOf(passage);
    return id === undefined ? [] : [toPassage(id, passage.score)];
  });
  const both = fuse([theirs, byWords.map(({ id, score }) => toPassage(id, score))]);
  // Those are given in full already, or never.
  const settled = new Set([...scene.excluded, ...scene.others.map(({ id }) => id)]);
  return {
    ranked: [...new Set(both.map(({ id }) => id))],
    passages: found.filter(
      (passage) =>
        nodeOf(passage) === undefined &&
        !settled.has(passage.id) &&
        !settled.has(passage.source.uri),
    ),
  };
}

interface Ranked {
  readonly id: string;
  readonly score: number;
}

/** By the index, and by the sentence that is nearest to the prompt; half each. */
async function rankByWords(
  project: Project,
  { loaded, before, excluded }: Scene,
  byId: ReadonlyMap<string, ContextNode>,
  bodies: Bodies,
  prompt: string,
): Promise<readonly Ranked[]> {
  if (!loaded || byId.size <= before.length) return [];
  const query = queryOf(prompt);
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
  const near = scorePassages(project.index.text.analyzer, query, texts);
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
