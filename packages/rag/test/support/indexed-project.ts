import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ProjectIndexer, type ProjectIndexerOptions, type SearchHit } from '../../src/index.ts';
import { paragraphs, scriptAnalyzer, temporaryFolder } from './search-index.ts';
import type { IndexingEvents } from '../../src/events.ts';

const PROJECT = '灯台';

/** Returns a project of files. */
export function makeProject(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) put(folder, path, content);
  return folder;
}

/** Writes a file, and the folders above it. */
export function put(folder: string, path: string, content: string | Uint8Array): void {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content);
}

export function remove(folder: string, path: string): void {
  rmSync(join(folder, path), { recursive: true, force: true });
}

/** Returns an indexer of a project, closed when the test is over. */
export async function openIndexer(
  folder: string,
  options: Partial<ProjectIndexerOptions> = {},
): Promise<ProjectIndexer> {
  const indexer = await ProjectIndexer.open({
    project: PROJECT,
    folder,
    analyzer: scriptAnalyzer(),
    chunking: paragraphs,
    ...options,
  });
  onTestFinished(() => indexer.close());
  return indexer;
}

/** Lists the events, in order: their names with the path or the figures in them. */
export function journalOf(indexer: ProjectIndexer): string[] {
  const journal: string[] = [];
  const { events } = indexer;
  for (const name of ['file:indexed', 'file:removed', 'file:failed'] as const) {
    events.on(name, ({ path }) => journal.push(`${name} ${path}`));
  }
  events.on('index:started', ({ files, removed }) =>
    journal.push(`index:started ${files} ${removed}`),
  );
  events.on('index:finished', ({ indexed, removed }) =>
    journal.push(`index:finished ${indexed} ${removed}`),
  );
  events.on('watch:ready', ({ isPolling }) => journal.push(`watch:ready ${isPolling}`));
  events.on('watch:failed', () => journal.push('watch:failed'));
  events.on('index:failed', ({ error }) => journal.push(`index:failed ${String(error)}`));
  return journal;
}

/** Waits for an event. */
export function next<Name extends keyof IndexingEvents>(
  indexer: ProjectIndexer,
  name: Name,
): Promise<IndexingEvents[Name]> {
  return new Promise((resolve) => {
    indexer.events.once(name, resolve);
  });
}

/** Returns the paths of the documents that fit a query. */
export async function filesOf(indexer: ProjectIndexer, query: string): Promise<readonly string[]> {
  const { hits } = await indexer.search(query, { k: 50 });
  return [...new Set(hits.map(({ payload }) => payload.file))].toSorted();
}

/** Waits until it is so; the last state is in the error if it never is. */
export async function eventually<T>(get: () => Promise<T>, expected: T): Promise<void> {
  await expect.poll(get, { interval: 25 }).toEqual(expected);
}

/** Returns the answers of an index to some queries, with scores and lines, and how much it holds. */
export async function answersOf(
  search: Pick<ProjectIndexer, 'search' | 'backend'>,
  queries: readonly string[],
): Promise<{ hits: readonly (readonly SearchHit[])[]; chunks: number }> {
  const hits: (readonly SearchHit[])[] = [];
  for (const query of queries) hits.push((await search.search(query, { k: 50 })).hits);
  return { hits, chunks: (await search.backend.stats()).chunks };
}

/** Returns the answers of a fresh index of the same files. */
export async function freshAnswers(
  folder: string,
  queries: readonly string[],
  options: Partial<ProjectIndexerOptions> = {},
): Promise<Awaited<ReturnType<typeof answersOf>>> {
  const fresh = await openIndexer(folder, { ...options, indexFolder: temporaryFolder() });
  try {
    await fresh.refresh();
    return await answersOf(fresh, queries);
  } finally {
    await fresh.close();
  }
}
