import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { IndexerManager, ProjectIndexer } from '../../../src/index.ts';
import { paragraphs, scriptAnalyzer } from '../../support/search-index.ts';
import { eventually, makeProject, put } from '../../support/indexed-project.ts';

/** Returns a manager of real indexers of one folder, and how often they were opened and are open. */
function openManager(idleMs: number): {
  manager: IndexerManager;
  folder: string;
  count: { opened: number; failures: number };
} {
  const folder = makeProject({ 'contents/01.md': '嵐の夜' });
  const count = { opened: 0, failures: 0 };
  const manager = new IndexerManager({
    idleMs,
    async open(project) {
      count.opened++;
      if (count.failures-- > 0) throw new Error('not now');
      const options = { analyzer: scriptAnalyzer(), chunking: paragraphs };
      const indexer = await ProjectIndexer.open({ project, folder, ...options });
      await indexer.refresh();
      return indexer;
    },
  });
  onTestFinished(() => manager.close());
  return { manager, folder, count };
}

it('those that come first at the same time share one indexer', async () => {
  const { manager, count } = openManager(60_000);
  const found = await Promise.all(
    Array.from({ length: 8 }, () => manager.use('灯台', (indexer) => indexer.search('嵐'))),
  );
  expect(found.map(({ total }) => total)).toEqual(Array.from({ length: 8 }, () => 1));
  expect(count.opened).toBe(1);
  expect(manager.projects).toEqual(['灯台']);
});

it('one that could not be opened is tried again by the next use', async () => {
  const { manager, count } = openManager(60_000);
  count.failures = 1;
  const search = (): Promise<number> =>
    manager.use('灯台', async (indexer) => (await indexer.search('嵐')).total);
  const both = await Promise.allSettled([search(), search()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await search()).toBe(1);
  expect(count.opened).toBe(2);
});

it('closes an unused one, never one in use, and opens it again', async () => {
  const { manager, folder, count } = openManager(20);
  let kept: ProjectIndexer | undefined;
  await manager.use('灯台', async (indexer) => {
    kept = indexer;
    await manager.use('灯台', async (other) => expect(other).toBe(indexer));
    // Much longer than an unused one is kept.
    await sleep(80);
    expect((await indexer.search('嵐')).total).toBe(1);
  });
  await eventually(async () => manager.projects, []);
  // It is closed before another one is opened.
  put(folder, 'contents/02.md', '嵐の海');
  expect(await manager.use('灯台', async (indexer) => (await indexer.search('嵐')).total)).toBe(2);
  await expect(kept?.search('嵐')).rejects.toMatchObject({ code: 'closed' });
  expect(count.opened).toBe(2);
});

it('errors of the work are those of the use, and the indexer continues', async () => {
  const { manager, count } = openManager(60_000);
  const broken = manager.use('灯台', () => Promise.reject(new Error('mine')));
  await expect(broken).rejects.toThrow('mine');
  await manager.use('灯台', (indexer) => indexer.search('嵐'));
  expect(count.opened).toBe(1);
});

it('closing waits for those at work, and closes all', async () => {
  const { manager } = openManager(60_000);
  let kept: ProjectIndexer | undefined;
  const done: string[] = [];
  let closes = (): void => {};
  const isClosing = new Promise<void>((resolve) => (closes = resolve));
  const use = manager.use('灯台', async (indexer) => {
    kept = indexer;
    await isClosing;
    await indexer.search('嵐');
    done.push('used');
  });
  await eventually(async () => kept !== undefined, true);
  const closed = manager.close().then(() => done.push('closed'));
  closes();
  await closed;
  await use;
  expect(done).toEqual(['used', 'closed']);
  await expect(kept?.search('嵐')).rejects.toMatchObject({ code: 'closed' });
  await expect(manager.use('灯台', async () => 1)).rejects.toMatchObject({ code: 'closed' });
});

it('closing stops what is being opened', async () => {
  let isStopped = false;
  const manager = new IndexerManager({
    open: (_project, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isStopped = true;
          reject(signal.reason as Error);
        });
      }),
  });
  const use = manager.use('灯台', (indexer) => indexer.search('嵐'));
  await Promise.all([
    expect(use).rejects.toMatchObject({ code: 'closed' }),
    new Promise((resolve) => setImmediate(resolve)).then(() => manager.close()),
  ]);
  expect(isStopped).toBe(true);
});
