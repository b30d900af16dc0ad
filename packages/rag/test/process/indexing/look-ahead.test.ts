import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
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
} from '../../support/indexing/support.ts';

const FILES = 300;
const QUERIES = ['嵐の夜', '凪の朝', '"灯台守は鐘"', '+島 -嵐', '/第[0-9]+章/'];
const analyzer = segmenterAnalyzer();

const pathOf = (at: number): string => `contents/${at % 7}/${at}.md`;

function textOf(word: string, at: number): string {
  return `# 第${at}章\n\n${word}の${at % 2 === 0 ? '夜' : '朝'}、灯台守は鐘を聞いた。`.repeat(6);
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

it(
  'what has changed is shown to the index while it is waited whether more does',
  { timeout: 60_000 },
  async () => {
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
  },
);

it('what changes again or goes while it is waited ends as it is', { timeout: 60_000 }, async () => {
  const folder = makeProject(texts('嵐'));
  const indexer = await openIndexer(folder, { analyzer });
  await indexer.watch();
  for (const [round, word] of ['凪', '雪', '霧'].entries()) {
    putAll(folder, word);
    await sleep(150 * (round + 1));
    for (let at = 0; at < FILES; at += 3) put(folder, pathOf(at), textOf(`${word}の後の嵐`, at));
    for (let at = 1; at < FILES; at += 30) remove(folder, pathOf(at));
    await next(indexer, 'index:finished');
    await indexer.refresh();
    const answers = await answersOf(indexer, QUERIES);
    expect(answers).toEqual(await freshAnswers(folder, QUERIES, { analyzer }));
    expect(answers.hits[0]?.length).toBeGreaterThan(0);
  }
});

it('closing while documents are shown ends it', { timeout: 60_000 }, async () => {
  const folder = makeProject(texts('嵐'));
  const indexer = await openIndexer(folder, { analyzer });
  await indexer.watch();
  for (const wait of [0, 30, 100]) {
    const other = await openIndexer(folder, { analyzer });
    await other.watch();
    putAll(folder, `凪${wait}`);
    await sleep(wait);
    await other.close();
  }
  await indexer.refresh();
  expect(await answersOf(indexer, QUERIES)).toEqual(
    await freshAnswers(folder, QUERIES, { analyzer }),
  );
});
