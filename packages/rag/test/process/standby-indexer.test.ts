import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  AutoChunkingStrategy,
  bigramAnalyzer,
  Chunk,
  SegmentBackend,
  type ChunkingStrategy,
  type SourceDocument,
} from '../../src/index.ts';
import type { Indexer } from '../../src/segment/indexer-client.ts';
import type { IndexerAnswer } from '../../src/segment/indexer-messages.ts';
import { emptyManifest } from '../../src/segment/manifest.ts';
import { SegmentReader } from '../../src/segment/segment-reader.ts';
import { toSent } from '../../src/segment/sent-document.ts';
import { Snapshot } from '../../src/segment/snapshot.ts';
import { StandbyIndexer } from '../../src/segment/standby-indexer.ts';

let folder: string;
let standby: StandbyIndexer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), `vizprompt-${randomUUID()}`));
  standby = new StandbyIndexer(folder, bigramAnalyzer(), true);
});
afterEach(() => {
  standby.close();
  rmSync(folder, { recursive: true });
});

const where = { novelId: '灯台', filePath: 'contents/01.md' };
const document = { ...where, chunks: [], kept: [], replaced: [] };

/** Chunks of the document with these texts. */
function chunksOf(...texts: readonly string[]): readonly Chunk[] {
  return texts.map((content, chunkIndex) => {
    return new Chunk({ ...where, title: '嵐', content, startLine: 1, endLine: 1, chunkIndex });
  });
}

/** What the process tells of the segment of a document, and its file. */
async function segmentOf(
  indexer: Indexer | undefined,
  chunks: readonly Chunk[],
): Promise<{ readonly answer: IndexerAnswer; readonly reader: SegmentReader } | undefined> {
  let found: Awaited<ReturnType<typeof segmentOf>>;
  const documents = [toSent({ ...document, chunks })];
  await indexer?.request({ type: 'documents', documents });
  await indexer?.request({ type: 'finish' }, (answer) => {
    if (answer.type !== 'segment') return;
    found = { answer, reader: new SegmentReader(join(folder, answer.file)) };
  });
  return found;
}

test('what was prepared is taken once, and indexes', async () => {
  const prepared = standby.prepare();
  expect(standby.prepare()).toBe(prepared);
  expect(standby.take()).toBe(prepared);
  expect(standby.take()).toBeUndefined();
  const segment = await segmentOf(prepared?.indexer, []);
  expect(segment?.answer).toMatchObject({ type: 'segment', chunks: 0, unused: 0 });
  segment?.reader.release();
  prepared?.indexer.close();
});

test('chunks that were shown beforehand are in the segment once, and those that did not come are dead', async () => {
  const texts = ['嵐の夜、灯台守は鐘を聞いた。', '島の猫 𠮷 が歩く。', '凪の朝'];
  const [storm = '', cat = '', calm = ''] = texts;
  const found: object[] = [];
  for (const shown of [[], [cat, calm, cat], [calm]]) {
    const prepared = standby.prepare();
    await prepared?.show([{ ...document, chunks: chunksOf(...shown).slice(0, 1) }]);
    await prepared?.show([{ ...document, chunks: chunksOf(...shown).slice(1) }]);
    standby.take();
    const segment = await segmentOf(prepared?.indexer, chunksOf(storm, cat));
    prepared?.indexer.close();
    if (!segment) throw new Error('there is no segment');
    const { answer, reader } = segment;
    const [record] = reader.records();
    const places = [record?.chunks[0] ?? -1, record?.chunks[4] ?? -1];
    expect(places.map((doc) => reader.textOf(reader.formsOf(doc)))).toEqual([storm, cat]);
    const unused = shown.includes(calm) ? 1 : 0;
    expect(answer).toMatchObject({ chunks: 2 + unused, unused });
    found.push(reader.section('bigrams'));
    reader.release();
  }
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual(found[0]);
});

test('where nothing comes of what was shown there is no segment', async () => {
  const prepared = standby.prepare();
  await prepared?.show([{ ...document, chunks: chunksOf('嵐の夜') }]);
  const answers: string[] = [];
  await prepared?.indexer.request({ type: 'finish' }, ({ type }) => void answers.push(type));
  expect(answers).toEqual([]);
});

test('a prepared process is shown no more than it should, and nothing once it is taken', () => {
  const snapshot = new Snapshot(emptyManifest('bigram'), []);
  const prepared = standby.prepare();
  prepared?.note(snapshot, document, 499_999);
  expect(prepared?.hasEnough).toBe(false);
  prepared?.note(snapshot, document, 1);
  expect(prepared?.hasEnough).toBe(true);
  standby.close();
  const other = standby.prepare();
  expect(other?.hasEnough).toBe(false);
  standby.take();
  expect(other?.hasEnough).toBe(true);
  other?.indexer.close();
});

test('what is new of a document holds for the same version of it, and of the index', () => {
  const snapshots = [0, 1].map(() => new Snapshot(emptyManifest('bigram'), []));
  const [snapshot, another] = snapshots;
  const prepared = standby.prepare();
  if (!prepared || !snapshot || !another) throw new Error('there is no process');
  const news = { ...document, stamp: 'calm' };
  prepared.note(snapshot, news, 3);
  expect(prepared.newsOf(snapshot, where, 'calm')).toBe(news);
  expect(prepared.newsOf(snapshot, where, 'storm')).toBeUndefined();
  expect(prepared.newsOf(another, where, 'calm')).toBeUndefined();
  const other = { ...news, filePath: 'contents/02.md' };
  prepared.note(another, other, 3);
  expect(prepared.newsOf(another, where, 'calm')).toBeUndefined();
  expect(prepared.newsOf(another, other, 'calm')).toBe(other);
});

test('after a failure nothing counts as done that was asked for at once, or later', async () => {
  const indexer = standby.start();
  const documents = { type: 'documents', documents: [document] } as const;
  const outcomes = [
    indexer?.request(documents),
    indexer?.request({ type: 'finish' }, () => {
      throw new Error('no place for a segment');
    }),
    indexer?.request(documents),
  ].map(async (request) => {
    await request;
    return 'done';
  });
  const failed = 'Error: no place for a segment';
  const ends = await Promise.allSettled(outcomes);
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : String(end.reason)))).toEqual([
    'done',
    failed,
    failed,
  ]);
  await expect(indexer?.request(documents)).rejects.toThrow('no place');
  indexer?.close();
});

test('what is sent waits until no more than one request is not done', async () => {
  const indexer = standby.start();
  let done = 0;
  const count = (): void => void done++;
  const finish = { type: 'finish' } as const;
  const add = { type: 'documents', documents: [document] } as const;
  await indexer?.request(add);
  await indexer?.send(finish, count);
  expect(done).toBe(0);
  await indexer?.send(add);
  await indexer?.send(finish, count);
  expect(done).toBe(1);
  await indexer?.request(add);
  expect(done).toBe(2);
  indexer?.close();
  await expect(indexer?.send(add)).rejects.toThrow('was stopped');
});

test('a prepared process that could not start is not given to anybody', async () => {
  const stranger = { ...bigramAnalyzer(), id: 'another version' };
  const other = new StandbyIndexer(folder, stranger, true);
  const failed = other.prepare();
  await expect(failed?.indexer.request({ type: 'finish' })).rejects.toThrow(
    "has the analyser 'bigram",
  );
  expect(other.take()).toBeUndefined();
  const next = other.prepare();
  expect(next).not.toBe(failed);
  expect(next?.indexer.hasFailed).toBe(false);
  other.close();
});

test('there is none where no process may be started', () => {
  const alone = new StandbyIndexer(folder, bigramAnalyzer(), false);
  expect(alone.prepare()).toBeUndefined();
  expect(alone.start()).toBeUndefined();
  expect(alone.take()).toBeUndefined();
});

test('documents that come as they were shown are cut once, and others as they are', async () => {
  const cut: string[] = [];
  const strategy = new AutoChunkingStrategy();
  const chunking: ChunkingStrategy = {
    id: 'counting',
    chunk(source) {
      cut.push(source.filePath);
      return strategy.chunk(source);
    },
  };
  const backend = await SegmentBackend.open({ folder, analyzer: bigramAnalyzer(), chunking });
  const commits: object[] = [];
  backend.events.on('index:committed', (commit) => commits.push(commit));
  const texts = (...words: readonly string[]): readonly SourceDocument[] =>
    words.map((word, at) => ({ ...where, filePath: `contents/${at}.md`, text: `${word}の夜` }));
  const shown = async function* (...words: readonly string[]): AsyncGenerator<SourceDocument> {
    yield* texts(...words);
  };
  await backend.index(texts('嵐', '島'));
  cut.length = 0;
  await backend.expectMany(shown('嵐', '凪', '霧'));
  await backend.index(texts('嵐', '凪', '雪'));
  expect(cut).toEqual(['contents/0.md', 'contents/1.md', 'contents/2.md', 'contents/2.md']);
  expect(commits).toEqual([
    { added: 2, removed: 0 },
    { added: 2, removed: 1 },
  ]);
  expect(await backend.stats()).toMatchObject({ chunks: 3, documents: 3 });
  const totals = await Promise.all(
    ['嵐', '島', '凪', '霧', '雪'].map(async (word) => (await backend.search(word)).total),
  );
  expect(totals).toEqual([1, 0, 1, 0, 1]);
  await backend.compact();
  expect(await backend.stats()).toMatchObject({ chunks: 3, documents: 3 });
  await backend.close();
});
