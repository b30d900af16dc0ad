import { expect, it } from 'vitest';
import {
  type ProjectIndexer,
  SegmentBackend,
  segmenterAnalyzer,
  type ProjectIndexerOptions,
} from '../../../src/index.ts';
import {
  answersOf,
  freshAnswers,
  makeProject,
  next,
  openIndexer,
  put,
  remove,
} from '../../support/indexed-project.ts';
import { paragraphs } from '../../support/search-index.ts';

/** Enough that many documents are expected. */
const FILES = 220;
const QUERIES = ['嵐の夜', '凪の朝', '"灯台守は鐘"', '+島 -嵐', '/第[0-9]+章/'];
const analyzer = segmenterAnalyzer();

const pathOf = (at: number): string => `contents/${at % 7}/${at}.md`;

function textOf(word: string, at: number): string {
  return `# 第${at}章\n\n${word}の${at % 2 === 0 ? '夜' : '朝'}、灯台守は鐘を聞いた。`;
}

function texts(word: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [pathOf(at), textOf(word, at)]),
  );
}

function putAll(folder: string, word: string): void {
  for (const [path, text] of Object.entries(texts(word))) put(folder, path, text);
}

/** An index that notes what it is shown before it comes. */
function noting(shown: string[]): Pick<ProjectIndexerOptions, 'openBackend'> {
  return {
    async openBackend(folder) {
      const backend = await SegmentBackend.open({ folder, analyzer });
      const expectMany: SegmentBackend['expectMany'] = async (documents) => {
        for await (const { filePath, text } of documents) shown.push(`${filePath} ${text.length}`);
      };
      return Object.assign(backend, { expectMany });
    },
  };
}

it('what has changed is shown to the index while it is waited whether more does', async () => {
  const folder = makeProject(texts('嵐'));
  const shown: string[] = [];
  const indexer = await openIndexer(folder, { ...noting(shown), debounceMs: 2000 });
  await indexer.watch();
  put(folder, pathOf(3), textOf('島', 3));
  await next(indexer, 'index:finished');
  expect(shown).toEqual([]);
  let before: readonly string[] = [];
  indexer.events.once('index:started', () => (before = [...shown]));
  putAll(folder, '凪');
  expect(await next(indexer, 'index:finished')).toMatchObject({ indexed: FILES });
  const written = Object.entries(texts('凪')).map(([path, text]) => `${path} ${text.length}`);
  expect(new Set(before)).toEqual(new Set(written));
  expect(shown).toEqual(before);
});

/** Opens a watched index, and tells when it is shown documents before its refresh, or the refresh begins. */
async function openShown(
  folder: string,
): Promise<{ readonly indexer: ProjectIndexer; readonly isShown: () => Promise<unknown> }> {
  let shown = (): void => {};
  const indexer = await openIndexer(folder, {
    async openBackend(place) {
      const backend = await SegmentBackend.open({ folder: place, analyzer, chunking: paragraphs });
      const expectMany = backend.expectMany.bind(backend);
      backend.expectMany = (...args) => {
        shown();
        return expectMany(...args);
      };
      return backend;
    },
  });
  await indexer.watch();
  const isShown = (): Promise<unknown> =>
    Promise.race([
      new Promise<void>((resolve) => (shown = resolve)),
      next(indexer, 'index:started'),
    ]);
  return { indexer, isShown };
}

it('what changes again or goes while it is waited ends as it is', async () => {
  const folder = makeProject(texts('嵐'));
  const { indexer, isShown } = await openShown(folder);
  for (const word of ['凪', '雪']) {
    const begun = isShown();
    putAll(folder, word);
    await begun;
    for (let at = 0; at < FILES; at += 3) put(folder, pathOf(at), textOf(`${word}の後の嵐`, at));
    for (let at = 1; at < FILES; at += 30) remove(folder, pathOf(at));
    await next(indexer, 'index:finished');
    await indexer.refresh();
    const answers = await answersOf(indexer, QUERIES);
    expect(answers).toEqual(await freshAnswers(folder, QUERIES, { analyzer }));
    expect(answers.hits[0]?.length).toBeGreaterThan(0);
  }
});

it('closing while documents are shown ends it', async () => {
  const folder = makeProject(texts('嵐'));
  const indexer = await openIndexer(folder, { analyzer });
  await indexer.watch();
  for (const waits of [false, true]) {
    const other = await openShown(folder);
    const begun = other.isShown();
    putAll(folder, `凪${waits}`);
    if (waits) await begun;
    await other.indexer.close();
  }
  await indexer.refresh();
  expect(await answersOf(indexer, QUERIES)).toEqual(
    await freshAnswers(folder, QUERIES, { analyzer }),
  );
});
