import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  RagError,
  segmenterAnalyzer,
  type SegmentBackend,
  type SourceDocument,
} from '../../src/index.ts';
import { writeSegment } from '../../src/segment/format/index-layout.ts';
import { openBackend, temporaryFolder } from '../support/search-index.ts';

const analyzer = segmenterAnalyzer();
const document = (filePath: string, text: string): SourceDocument => ({
  novelId: '灯台',
  filePath,
  text,
});
const found = async (backend: SegmentBackend, query: string): Promise<number> =>
  (await backend.search(query)).total;

interface GatedSource {
  readonly documents: AsyncGenerator<SourceDocument>;
  /** Resolves when the first document was taken. */
  readonly isRead: Promise<void>;
  goOn(): void;
}

/** Returns a source that gives one document, and the other when it may. */
function gatedSource(first: SourceDocument, second: SourceDocument): GatedSource {
  let goOn = (): void => {};
  let taken = (): void => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const isRead = new Promise<void>((resolve) => {
    taken = resolve;
  });
  async function* documents(): AsyncGenerator<SourceDocument> {
    yield first;
    taken();
    await gate;
    yield second;
  }
  return { documents: documents(), isRead, goOn };
}

describe('while documents are indexed', () => {
  it.each([
    ['is new', false, false],
    ['the index has', true, false],
    ['the index has, with a merge after it', true, true],
  ])('one that %s can be removed, and does not come back', async (_name, isKnown, isMerged) => {
    const backend = await openBackend({ analyzer });
    if (isKnown) await backend.updateFile(document('secret.md', '古い秘密'));
    const { documents, isRead, goOn } = gatedSource(
      document('secret.md', '秘密の灯台'),
      document('other.md', '嵐の夜'),
    );
    const run = backend.index(documents);
    await isRead;
    await backend.removeByFile({ novelId: '灯台', filePath: 'secret.md' });
    if (isMerged) await backend.compact();
    goOn();
    await run;
    expect(await found(backend, '秘密')).toBe(0);
    expect(backend.documents()).toEqual([{ novelId: '灯台', filePath: 'other.md', chunks: 1 }]);
  });

  it('the folder can be deleted, and what is written later counts', async () => {
    const folder = temporaryFolder();
    const backend = await openBackend({ analyzer, folder });
    for (let at = 0; at < 7; at++) await backend.updateFile(document('a.md', `第${at}版`));
    const { documents, isRead, goOn } = gatedSource(
      document('a.md', '最初の灯台'),
      document('b.md', '嵐'),
    );
    const run = backend.index(documents);
    await isRead;
    rmSync(folder, { recursive: true });
    await backend.updateFile(document('x.md', '別の文'));
    goOn();
    await run.catch(() => undefined);
    await backend.updateFile(document('a.md', '更新された鐘'));
    expect(await found(backend, '鐘')).toBe(1);
    expect(await found(backend, '最初')).toBe(0);
    await backend.removeByFile({ novelId: '灯台', filePath: 'a.md' });
    expect(await found(backend, '鐘')).toBe(0);
  });

  it('a source that has stalled does not keep a stop, or closing, waiting', async () => {
    const backend = await openBackend({ analyzer });
    const stop = new AbortController();
    const { documents, isRead } = gatedSource(document('a.md', '灯台'), document('b.md', '嵐'));
    const run = backend.index(documents, { signal: stop.signal });
    await isRead;
    stop.abort(new Error('enough'));
    await expect(run).rejects.toThrow('enough');
    expect(await found(backend, '灯台')).toBe(0);
    const other = gatedSource(document('a.md', '灯台'), document('b.md', '嵐'));
    const closed = backend.index(other.documents);
    await other.isRead;
    await Promise.all([expect(closed).rejects.toMatchObject({ code: 'closed' }), backend.close()]);
  });

  it('of two runs the one that ends last has the last word', async () => {
    const folder = temporaryFolder();
    const first = await openBackend({ analyzer, folder });
    const second = await openBackend({ analyzer, folder });
    const { documents, isRead, goOn } = gatedSource(
      document('x.md', '別'),
      document('a.md', '新しい鐘'),
    );
    const later = second.index(documents);
    await isRead;
    await first.index([document('a.md', '古い灯台')]);
    goOn();
    await later;
    expect([await found(first, '鐘'), await found(first, '灯台')]).toEqual([1, 0]);
  });
});

describe('closing', () => {
  it.each(['compact', 'updateFile', 'removeByFile'] as const)(
    'waits for %s, and closes no file of others',
    async (what) => {
      const folder = temporaryFolder();
      const backend = await openBackend({ analyzer, folder });
      for (let at = 0; at < 3; at++) await backend.updateFile(document(`${at}.md`, `第${at}夜`));
      const works = {
        compact: () => backend.compact(),
        updateFile: () => backend.updateFile(document('0.md', '嵐の夜')),
        removeByFile: () => backend.removeByFile({ novelId: '灯台', filePath: '0.md' }),
      };
      const state: { isSettled: boolean; error?: unknown } = { isSettled: false };
      const work = works[what]()
        .catch((error: unknown) => {
          state.error = error;
        })
        .finally(() => {
          state.isSettled = true;
        });
      await backend.close();
      const files = [1, 2, 3, 4, 5, 6].map((at) => openSync(join(folder, `own-${at}`), 'w'));
      onTestFinished(() => files.forEach((file) => closeSync(file)));
      expect(state.isSettled).toBe(true);
      expect([undefined, 'closed']).toContain(
        RagError.isInstance(state.error) ? state.error.code : state.error,
      );
      await work;
      await new Promise((resolve) => setTimeout(resolve, 20));
      for (const file of files) expect(writeSync(file, '灯')).toBe(3);
    },
  );
});

it('an update is analysed before others have to wait for it, and hears its signal', async () => {
  const folder = temporaryFolder();
  const backend = await openBackend({ analyzer, folder });
  const other = await openBackend({ analyzer, folder });
  const long = document('long.md', '嵐の海で灯台守の娘が灯を守った。\n\n'.repeat(4000));
  const update = backend.updateFile(long);
  await new Promise(setImmediate);
  await other.updateFile(document('short.md', '凪'));
  expect(await found(backend, '灯台守')).toBe(0);
  await update;
  expect(await found(other, '灯台守')).toBe(4000);

  const stop = new AbortController();
  const stopped = backend.updateFile({ ...long, filePath: 'stopped.md' }, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 5);
  await expect(stopped).rejects.toThrow('enough');
  expect(await found(backend, '灯台守')).toBe(4000);
});

it('two that write the same document at once both count, one after the other', async () => {
  const folder = temporaryFolder();
  const backends = await Promise.all([0, 1].map(() => openBackend({ analyzer, folder })));
  const lines = Array.from({ length: 200 }, (_, at) => `第${at}夜の嵐`);
  const reports = await Promise.all(
    backends.map((backend, at) =>
      backend.updateFile(document('a.md', [...lines, `筆者${at}`].join('\n\n'))),
    ),
  );
  expect(reports.map(({ kept }) => kept).toSorted((a, b) => a - b)).toEqual([0, 200]);
  const [one, two] = backends;
  expect(one && (await one.stats()).chunks).toBe(201);
  expect(two && (await two.stats()).chunks).toBe(201);
});

it('after the folder was deleted, those that have it open and those that come lock each other out', async () => {
  const folder = temporaryFolder();
  const first = await openBackend({ analyzer, folder });
  await first.updateFile(document('first.md', '灯台'));
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const second = await openBackend({ analyzer, folder });
  await second.updateFile(document('second.md', '嵐'));
  await Promise.all([
    ...[1, 2, 3].map((at) => first.updateFile(document(`a${at}.md`, `第${at}夜`))),
    ...[1, 2, 3].map((at) => second.updateFile(document(`b${at}.md`, `第${at}夜`))),
  ]);
  expect(first.documents()).toHaveLength(7);
});

it('a segment that cannot be written leaves nothing, and an error that names the folder', () => {
  const file = join(temporaryFolder(), 'file');
  closeSync(openSync(file, 'w'));
  expect(() => writeSegment(file, [])).toThrow(`the index in ${file} could not be written`);
  expect(readdirSync(join(file, '..'))).toEqual(['file']);
});
