import { findList } from '../build/find-list.ts';
import { shorten } from '../build/shorten.ts';
import { itemsOf, summarize } from '../build/summarize-offline.ts';
import { LruMap } from '@vizprompt/providers/internal';
import type { StoredNode } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import type { Bodies, ContextNode } from './scene.ts';

/** The limits of a line: long enough for a list of some twenty items. */
const LINE = { maxWords: 60, maxTokens: 72 };
/** A summary of a model leaves room for the items of a list. */
const SUMMARY_WITH_LIST = { maxWords: 30, maxTokens: 36 };
/** Older nodes than these are described by the index: their lines are joined anyway. */
const READ = 150;
/** Characters of all gists that are cached for a project. */
const CACHED = 2_000_000;

/** A node in one line. */
export interface Gist {
  readonly text: string;
  /** The source of the text: the summary that `build` created, the node itself, or its first words. */
  readonly source: 'summary' | 'gist' | 'first-words';
}

const caches = new WeakMap<Project, LruMap<string, string>>();

/**
 * Returns the gist of prompt and answer of each node: its summary, or else the same made here. A list in the
 * answer keeps the beginnings of all its items.
 */
export async function gistsOf(
  project: Project,
  bodies: Bodies,
  nodes: readonly ContextNode[],
): Promise<readonly Gist[]> {
  const first = Math.max(0, nodes.length - READ);
  const cache = caches.get(project) ?? new LruMap<string, string>(CACHED, ({ length }) => length);
  caches.set(project, cache);
  return Promise.all(
    nodes.map(async (node, at): Promise<Gist> => {
      const { row } = node;
      const isBuilt = hasSummary(node);
      const known = isBuilt ? (row?.summary ?? '') : (row?.title ?? '');
      const source = isBuilt ? 'summary' : at < first ? 'first-words' : 'gist';
      if (!row || at < first) return { text: known, source };
      const key = `${row.file} ${row.version}`;
      const cached = cache.get(key);
      if (cached !== undefined) return { text: cached, source };
      const stored = await bodies.find(node);
      if (!stored) return { text: known, source: isBuilt ? 'summary' : 'first-words' };
      const text = isBuilt
        ? withList(known, stored)
        : summarize(stored.prompt, stored.response, LINE);
      cache.set(key, text);
      return { text, source };
    }),
  );
}

/** Checks whether a node has a summary of its present text. */
function hasSummary({ row }: ContextNode): boolean {
  return row !== undefined && row.summary.trim() !== '' && row.is_outdated === 0;
}

/** Returns a summary, and the items of the list in the answer where the summary leaves any out. */
function withList(summary: string, { response }: StoredNode): string {
  const list = findList(response);
  const said = squeezed(summary);
  const isWhole =
    list?.items.every(({ text }) => said.includes(squeezed(text).slice(0, 6))) ?? true;
  if (!list || isWhole) return shorten(summary, LINE);
  const start = shorten(summary, SUMMARY_WITH_LIST);
  for (const most of [28, 18, 12, 8]) {
    const text = `${start} ${itemsOf(list, most)}`;
    if (shorten(text, LINE) === text) return text;
  }
  return shorten(`${start} ${itemsOf(list, 5)}`, LINE);
}

function squeezed(text: string): string {
  return text.replaceAll(/[\s*_`][\s*_`]*/g, '').toLowerCase();
}
