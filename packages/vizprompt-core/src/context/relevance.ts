import { fuse, type Passage, type Retriever } from '@vizprompt/providers';
import { keywordsOf } from '../build/keywords.ts';
import { ENGLISH_STOP_WORDS } from '../build/stop-words.ts';
import type { Project } from '../project/project.ts';
import type { Scene } from './scene.ts';

/** What a prompt is about. */
export interface Relevance {
  /** The ids of ancestors, the most relevant first. */
  readonly ranked: readonly string[];
  /** Passages of a retriever that are no ancestors, the best first. */
  readonly passages: readonly Passage[];
}

/** At most so many ancestors are looked at. */
const MAX_FOUND = 64;
/** Those that score less than this share of the best say too little about the prompt. */
const MIN_SHARE = 0.35;
/** Longer prompts are searched by their keywords. */
const MAX_QUERY = 200;
const MAX_KEYWORDS = 32;

/**
 * Ranks ancestors by the words that they share with the prompt, rare ones counting more, and by what
 * a retriever finds.
 */
export async function findRelevance(
  project: Project,
  { loaded, ancestors }: Scene,
  prompt: string,
  retriever: Retriever | undefined,
  signal: AbortSignal | undefined,
): Promise<Relevance> {
  if (ancestors.length === 0 && !retriever) return { ranked: [], passages: [] };
  const ids = new Set(ancestors.map(({ id }) => id));
  const own = loaded ? await searchFlow(project, loaded.file, prompt) : [];
  const shared = own.filter(({ id }) => ids.has(id));
  const best = shared[0]?.score ?? 0;
  const byWords = shared.filter(({ score }) => score >= best * MIN_SHARE);
  if (!retriever) return { ranked: byWords.map(({ id }) => id), passages: [] };

  const options = { k: MAX_FOUND, ...(signal ? { signal } : {}) };
  const found = await retriever.retrieve(prompt, options);
  const nodeOf = ({ id, source }: Passage): string | undefined =>
    [id, source.uri].find((name) => ids.has(name));
  const theirs = found.flatMap((passage) => {
    const id = nodeOf(passage);
    return id === undefined ? [] : [toPassage(id, passage.score)];
  });
  const both = fuse([theirs, byWords.map(({ id, score }) => toPassage(id, score))]);
  return {
    ranked: [...new Set(both.map(({ id }) => id))],
    passages: found.filter((passage) => nodeOf(passage) === undefined),
  };
}

function toPassage(id: string, score: number): Passage {
  return { id, text: '', score, source: { kind: 'node', uri: id } };
}

async function searchFlow(
  { index }: Project,
  file: string,
  prompt: string,
): Promise<readonly { readonly id: string; readonly score: number }[]> {
  const where = {
    sql: 'is_current = 1 AND id IN (SELECT node FROM core_flow_node WHERE file = ?)',
    params: [file],
  };
  const hits = await index.text.search(queryOf(prompt), { limit: MAX_FOUND, where });
  const rows = await index.nodes.rowsByNumber(hits.map(({ id }) => id));
  const ids = new Map(rows.map(({ row_id: row, id }) => [row, id]));
  return hits.flatMap(({ id: row, score }) => {
    const id = ids.get(row);
    return id === undefined ? [] : [{ id, score }];
  });
}

/** The words that say what a prompt is about: a search looks at no more than some dozens. */
function queryOf(prompt: string): string {
  const plain = prompt.replaceAll('"', ' ');
  const words =
    plain.length > MAX_QUERY
      ? keywordsOf(plain, MAX_KEYWORDS).join(' ')
      : plain.replaceAll(/[A-Za-z']+/g, (word) =>
          ENGLISH_STOP_WORDS.has(word.toLowerCase()) ? ' ' : word,
        );
  return words.trim() === '' ? plain.slice(0, MAX_QUERY) : words;
}
