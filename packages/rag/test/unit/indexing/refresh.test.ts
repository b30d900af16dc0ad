import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RACY_MS } from '../../../src/indexing/scan-project.ts';
import { KeywordFlexBackend, ProjectNotFoundError } from '../../../src/index.ts';
import { paragraphs, scriptAnalyzer, temporaryFolder } from '../../support/search-index.ts';
import {
  answersOf,
  filesOf,
  freshAnswers,
  journalOf,
  makeProject,
  openIndexer,
  put,
  remove,
} from '../../support/indexed-project.ts';

const STORM = '嵐の夜';

it('indexes instructions, settings and contents in .md and .txt, and nothing else', async () => {
  const folder = makeProject({
    'DIALOGOI.md': STORM,
    'settings/人物/灯.md': STORM,
    'contents/01.txt': STORM,
    'contents/深い/所/02.MD': STORM,
    'novel.json': `"${STORM}"`,
    'README.md': STORM,
    'contents/note.json': STORM,
    'contents/.hidden.md': STORM,
    'contents/.git/x.md': STORM,
    'contents/~$01.md': STORM,
    'contents/01.md~': STORM,
    'contents/#01.md#': STORM,
    'contents/4913': STORM,
    'other/03.md': STORM,
  });
  const indexer = await openIndexer(folder);
  expect(await indexer.refresh()).toEqual({ indexed: 4, removed: 0, unchanged: 0, failed: 0 });
  expect(await filesOf(indexer, '嵐')).toEqual([
    'DIALOGOI.md',
    'contents/01.txt',
    'contents/深い/所/02.MD',
    'settings/人物/灯.md',
  ]);
  const own = join(folder, '.vizprompt');
  expect(readFileSync(join(own, '.gitignore'), 'utf8')).toBe('*\n');
  expect(existsSync(join(own, 'rag', 'manifest.json'))).toBe(true);
});

it('reads only what differs, and indexes only what reads differently', async () => {
  const folder = makeProject({ 'contents/01.md': '灯台の朝', 'contents/02.md': STORM });
  const past = new Date(Date.now() - 60_000);
  for (const name of ['01', '02']) utimesSync(join(folder, `contents/${name}.md`), past, past);
  const indexer = await openIndexer(folder);
  const journal = journalOf(indexer);
  await indexer.refresh();
  expect(journal).toEqual([
    'index:started 2 0',
    'file:indexed contents/01.md',
    'file:indexed contents/02.md',
    'index:finished 2 0',
  ]);
  journal.length = 0;
  utimesSync(join(folder, 'contents/01.md'), new Date(), new Date());
  expect(await indexer.refresh()).toEqual({ indexed: 0, removed: 0, unchanged: 2, failed: 0 });
  expect(journal).toEqual([]);
  put(folder, 'contents/02.md', '凪の夜');
  remove(folder, 'contents/01.md');
  put(folder, 'settings/a/b/c.md', '嵐の島');
  expect(await indexer.refresh()).toEqual({ indexed: 2, removed: 1, unchanged: 0, failed: 0 });
  expect(journal.toSorted()).toEqual([
    'file:indexed contents/02.md',
    'file:indexed settings/a/b/c.md',
    'file:removed contents/01.md',
    'index:finished 2 1',
    'index:started 2 1',
  ]);
  expect(await filesOf(indexer, '嵐')).toEqual(['settings/a/b/c.md']);
});

it('notices a change that leaves size and time of a file as they were', async () => {
  const folder = makeProject({ 'contents/01.md': '灯台の朝' });
  const path = join(folder, 'contents/01.md');
  const past = new Date('2026-01-01T00:00:00Z');
  utimesSync(path, past, past);
  const indexer = await openIndexer(folder);
  await indexer.refresh();
  writeFileSync(path, '灯台の嵐');
  utimesSync(path, past, past);
  await indexer.refresh();
  expect(await filesOf(indexer, '嵐')).toEqual(['contents/01.md']);
});

it('names files that are no text or cannot be read, once, and indexes all others', async () => {
  const folder = makeProject({
    'contents/01.md': STORM,
    'contents/latin.md': Uint8Array.of(0x63, 0x61, 0x66, 0xe9),
    'contents/utf16.txt': Uint8Array.of(0xff, 0xfe, 0x50, 0x5d),
    'contents/long.md': '嵐'.repeat(500),
    'contents/nul.md': '嵐\0の海',
    'contents/bom.md': '\u{feff}嵐と灯',
    'contents/empty.md': '',
  });
  const indexer = await openIndexer(folder, { maxFileBytes: 1000 });
  const journal = journalOf(indexer);
  expect(await indexer.refresh()).toEqual({ indexed: 5, removed: 0, unchanged: 0, failed: 2 });
  expect(journal.filter((line) => line.startsWith('file:failed')).toSorted()).toEqual([
    'file:failed contents/latin.md',
    'file:failed contents/long.md',
  ]);
  expect(await filesOf(indexer, '嵐')).toEqual([
    'contents/01.md',
    'contents/bom.md',
    'contents/nul.md',
    'contents/utf16.txt',
  ]);
  const { hits } = await indexer.search('灯');
  expect(hits[0]?.content).toBe('嵐と灯');
  journal.length = 0;
  expect((await indexer.refresh()).failed).toBe(2);
  expect(journal).toEqual([]);
  put(folder, 'contents/latin.md', '嵐の町');
  put(folder, 'contents/01.md', Uint8Array.of(0xff));
  await indexer.refresh();
  expect(await filesOf(indexer, '嵐')).toEqual([
    'contents/bom.md',
    'contents/latin.md',
    'contents/nul.md',
    'contents/utf16.txt',
  ]);
  expect(journal).toContain('file:failed contents/01.md');
});

it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'tries a file that may not be read again, without being asked to',
  async () => {
    const folder = makeProject({ 'contents/01.md': STORM });
    chmodSync(join(folder, 'contents/01.md'), 0o000);
    const indexer = await openIndexer(folder);
    expect((await indexer.refresh()).failed).toBe(1);
    chmodSync(join(folder, 'contents/01.md'), 0o600);
    expect((await indexer.refresh()).indexed).toBe(1);
  },
);

it.skipIf(process.platform === 'win32')(
  'ignores links: files in the project are found at their own path',
  async () => {
    const outside = makeProject({ 'secret.md': STORM, 'more/secret.md': STORM });
    const folder = makeProject({ 'contents/01.md': STORM, 'settings/a.md': '灯台' });
    symlinkSync(join(outside, 'secret.md'), join(folder, 'contents/out.md'));
    symlinkSync(join(outside, 'more'), join(folder, 'contents/more'));
    symlinkSync('01.md', join(folder, 'contents/in.md'));
    symlinkSync('..', join(folder, 'contents/round'));
    symlinkSync('nowhere.md', join(folder, 'contents/dangling.md'));
    const indexer = await openIndexer(folder);
    writeFileSync(join(folder, 'notes.md'), STORM);
    symlinkSync('../notes.md', join(folder, 'contents/notes.md'));
    await indexer.refresh();
    expect(await filesOf(indexer, '嵐')).toEqual(['contents/01.md']);
  },
);

it('starts where the last process ended, and removes what was deleted meanwhile', async () => {
  const folder = makeProject({ 'contents/01.md': '灯台の朝', 'contents/02.md': STORM });
  const first = await openIndexer(folder);
  await first.refresh();
  await first.close();
  remove(folder, 'contents/02.md');
  put(folder, 'contents/03.md', '嵐の海');
  const second = await openIndexer(folder);
  expect(await filesOf(second, '嵐')).toEqual(['contents/02.md']);
  expect(await second.refresh()).toEqual({ indexed: 1, removed: 1, unchanged: 1, failed: 0 });
  expect(await filesOf(second, '嵐')).toEqual(['contents/03.md']);
});

it('makes the index again when it, or what is remembered of it, was deleted or damaged', async () => {
  const folder = makeProject({ 'contents/01.md': '灯台の朝', 'contents/02.md': STORM });
  const index = join(folder, '.vizprompt/rag');
  const indexer = await openIndexer(folder);
  await indexer.refresh();

  remove(index, 'sources.json');
  remove(folder, 'contents/01.md');
  expect(await indexer.refresh()).toEqual({ indexed: 1, removed: 1, unchanged: 0, failed: 0 });

  writeFileSync(join(index, 'sources.json'), '{"half');
  expect((await indexer.refresh()).indexed).toBe(1);

  remove(folder, '.vizprompt');
  expect((await indexer.refresh()).indexed).toBe(1);
  expect(await filesOf(indexer, '嵐')).toEqual(['contents/02.md']);

  writeFileSync(join(index, 'manifest.json'), 'damaged');
  await indexer.close();
  const again = await openIndexer(folder);
  expect((await again.refresh()).indexed).toBe(1);
  expect(await filesOf(again, '嵐')).toEqual(['contents/02.md']);
});

it.each([
  '.vizprompt',
  '.vizprompt/rag',
  '.vizprompt/rag/manifest.json',
  '.vizprompt/rag/sources.json',
])(
  'searches make the index again when %s is deleted while it is open, and never find nothing',
  async (path) => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`contents/${at}.md`, `${STORM}${at}`.repeat(200)]),
    );
    const folder = makeProject(files);
    const indexer = await openIndexer(folder);
    await indexer.watch();
    const before = (await indexer.search('嵐', { k: 50 })).total;
    expect(before).toBeGreaterThan(0);
    for (let round = 0; round < 3; round++) {
      remove(folder, path);
      const found = await Promise.all([1, 2, 3].map(() => indexer.search('嵐', { k: 50 })));
      expect(found.map(({ total }) => total)).toEqual([before, before, before]);
    }
    expect(readFileSync(join(folder, '.vizprompt/.gitignore'), 'utf8')).toBe('*\n');
    // Now while another process is about to make it again.
    remove(folder, path);
    const refreshing = indexer.refresh();
    const late = setInterval(() => void totals.push(indexer.search('嵐', { k: 50 })), 5);
    const totals: Promise<{ readonly total: number }>[] = [];
    await refreshing;
    clearInterval(late);
    for (const one of totals) expect((await one).total).toBe(before);
    remove(folder, path);
    remove(folder, 'contents');
    expect((await indexer.search('嵐')).total).toBe(0);
  },
);

it('cuts all documents again when they are cut in another way', async () => {
  const folder = makeProject({ 'contents/01.md': '灯台の朝\n\n嵐の夜' });
  const first = await openIndexer(folder);
  await first.refresh();
  expect((await first.backend.stats()).chunks).toBe(2);
  await first.close();
  const whole = { ...paragraphs, id: 'whole', chunk: paragraphs.chunk };
  const second = await openIndexer(folder, { chunking: whole });
  expect((await second.refresh()).indexed).toBe(1);
});

it('keeps a backend that is memory, and one that offers no more than it must', async () => {
  const folder = makeProject({ 'contents/01.md': '灯台の朝', 'contents/02.md': STORM });
  const open = async (): Promise<KeywordFlexBackend> =>
    KeywordFlexBackend.open({ analyzer: scriptAnalyzer(), chunking: paragraphs });
  const first = await openIndexer(folder, { openBackend: open });
  expect((await first.refresh()).indexed).toBe(2);
  remove(folder, 'contents/01.md');
  put(folder, 'contents/03.md', '嵐の海');
  expect(await first.refresh()).toMatchObject({ indexed: 1, removed: 1 });
  expect(await filesOf(first, '嵐')).toEqual(['contents/02.md', 'contents/03.md']);
  await first.close();
  const second = await openIndexer(folder, { openBackend: open });
  expect((await second.refresh()).indexed).toBe(2);
  expect(await filesOf(second, '嵐')).toEqual(['contents/02.md', 'contents/03.md']);
});

it('a document that the backend cannot take is named, and all others are indexed', async () => {
  const folder = makeProject({
    'contents/01.md': STORM,
    'contents/02.md': '毒',
    'contents/03.md': STORM,
  });
  const poisoned = {
    id: 'poisoned',
    chunk: (document: Parameters<typeof paragraphs.chunk>[0]) => {
      if (document.text.startsWith('毒')) throw new RangeError('too deep');
      return paragraphs.chunk(document);
    },
  };
  // Few bytes are one commit, and many are indexed as a stream.
  for (const size of [0, 120_000]) {
    put(folder, 'contents/04.md', `${'海'.repeat(1000)}\n\n`.repeat(size / 3000));
    const options = { chunking: poisoned, indexFolder: temporaryFolder() };
    const indexer = await openIndexer(folder, options);
    const journal = journalOf(indexer);
    expect(await indexer.refresh()).toMatchObject({ indexed: 3, failed: 1 });
    expect(journal).toContain('file:failed contents/02.md');
    expect(await filesOf(indexer, '嵐')).toEqual(['contents/01.md', 'contents/03.md']);
  }
});

it('a project that is not there, or goes away, is an error, and the index stays', async () => {
  await expect(openIndexer('/nowhere/at/all')).rejects.toBeInstanceOf(ProjectNotFoundError);
  const folder = makeProject({ 'contents/01.md': STORM });
  const indexer = await openIndexer(folder, { indexFolder: temporaryFolder() });
  await indexer.refresh();
  remove(folder, '.');
  await expect(indexer.refresh()).rejects.toBeInstanceOf(ProjectNotFoundError);
  expect(await filesOf(indexer, '嵐')).toEqual(['contents/01.md']);
});

it('stops when it is aborted, or closed, and continues from there', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `contents/${at}.md`,
      `嵐${at}\n\n${'海の町。'.repeat(1500)}`,
    ]),
  );
  const folder = makeProject(files);
  const indexer = await openIndexer(folder);
  const stop = new AbortController();
  indexer.events.on('index:progress', ({ done }) => {
    if (done === 20) stop.abort(new Error('enough'));
  });
  await expect(indexer.refresh({ signal: stop.signal })).rejects.toThrow('enough');
  indexer.events.once('index:started', () => void indexer.close());
  await expect(indexer.refresh()).rejects.toMatchObject({ code: 'closed' });
  await expect(indexer.refresh()).rejects.toMatchObject({ code: 'closed' });
  await expect(indexer.search('嵐')).rejects.toMatchObject({ code: 'closed' });
  const again = await openIndexer(folder);
  await again.refresh();
  expect(await filesOf(again, '嵐')).toHaveLength(50);
  expect((await again.backend.stats()).documents).toBe(60);
});

it('many refreshes at once do the work once', async () => {
  const folder = makeProject({ 'contents/01.md': STORM, 'contents/02.md': STORM });
  const indexer = await openIndexer(folder);
  const reports = await Promise.all([1, 2, 3, 4].map(() => indexer.refresh()));
  expect(reports.reduce((sum, { indexed }) => sum + indexed, 0)).toBe(2);
});

it('an index that is damaged is found out by a search, and made again', async () => {
  const words = ['灯台', '嵐', '猫', '夜明け', 'カモメ', '手紙'];
  const files = Object.fromEntries(
    words.map((word, at) => [`contents/${at}.md`, `${word}の夜\n\n海と${word}\n\n${word}の町`]),
  );
  const folder = makeProject(files);
  const index = join(folder, '.vizprompt/rag');
  const queries = ['灯台の夜', '海', '"嵐の町"', '/猫/'];
  const expected = await freshAnswers(folder, queries);
  let repaired = 0;
  for (let part = 0; part < 12; part++) {
    const indexer = await openIndexer(folder);
    await indexer.refresh();
    const journal = journalOf(indexer);
    const segment = readdirSync(index).find((name) => name.startsWith('segment-')) ?? '';
    const bytes = readFileSync(join(index, segment));
    const at = Math.floor((bytes.length * part) / 12);
    bytes.fill(0x55, at, at + 60);
    // While it is open: what is in memory is sound, and what is read is not.
    writeFileSync(join(index, segment), bytes);
    expect(await answersOf(indexer, queries)).toEqual(expected);
    if (journal.includes('index:finished 6 0')) repaired++;
    await indexer.close();

    const again = await openIndexer(folder);
    await again.refresh();
    expect(await answersOf(again, queries)).toEqual(expected);
    await again.close();
    remove(folder, '.vizprompt');
  }
  expect(repaired).toBeGreaterThan(0);
});

it('times of files in the future are no reason to read them again and again', async () => {
  const folder = makeProject({ 'contents/01.md': STORM });
  const future = new Date(Date.now() + 86_400_000);
  utimesSync(join(folder, 'contents/01.md'), future, future);
  // A file that was just written is looked at once more.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + RACY_MS + 100 });
  onTestFinished(() => void vi.useRealTimers());
  const indexer = await openIndexer(folder);
  await indexer.refresh();
  const record = readFileSync(join(folder, '.vizprompt/rag/sources.json'), 'utf8');
  expect(record).toContain('"version"');
});
