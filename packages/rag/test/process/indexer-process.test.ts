import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bigramAnalyzer, Chunk } from '../../src/index.ts';
import {
  startIndexer,
  type Indexer,
  type IndexerAnswer,
  toSent,
} from '../../src/segment/background/indexer-client.ts';
import { RECORD_COLUMN_COUNT } from '../../src/segment/format/index-layout.ts';
import { SegmentReader } from '../../src/segment/read/segment-reader.ts';

let folder: string;
let indexer: Indexer | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), `vizprompt-${randomUUID()}`));
  indexer = startIndexer(folder, bigramAnalyzer());
  if (!indexer) throw new Error('the package is not built');
});
afterEach(() => {
  indexer?.close();
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

test('the process writes a segment with the texts of the documents it was sent', async () => {
  const texts = ['嵐の夜、灯台守は鐘を聞いた。', '島の猫 𠮷 が歩く。'];
  const answers: IndexerAnswer[] = [];
  const documents = [toSent({ ...document, chunks: chunksOf(...texts) })];
  await indexer?.request({ type: 'documents', documents });
  await indexer?.request({ type: 'finish' }, (answer) => void answers.push(answer));
  const [answer] = answers;
  if (answer?.type !== 'segment') throw new Error('there is no segment');
  expect(answer).toMatchObject({ chunks: 2, hasKept: false, replaced: 0 });
  const reader = new SegmentReader(join(folder, answer.file));
  const [record] = reader.records();
  const places = [record?.chunks[0] ?? -1, record?.chunks[RECORD_COLUMN_COUNT] ?? -1];
  expect(places.map((doc) => reader.textOf(reader.formsOf(doc)))).toEqual(texts);
  reader.release();
});

test('without documents there is no segment', async () => {
  const answers: string[] = [];
  await indexer?.request({ type: 'finish' }, ({ type }) => void answers.push(type));
  expect(answers).toEqual([]);
});

test('after a failure nothing counts as done that was asked for at once, or later', async () => {
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

test('a process with another version of the analyzer fails the next request', async () => {
  const stranger = startIndexer(folder, { ...bigramAnalyzer(), id: 'another version' });
  await expect(stranger?.request({ type: 'finish' })).rejects.toThrow(
    "expected the analyzer 'another version', got 'bigram",
  );
  stranger?.close();
});

test('an analyzer that cannot be named to another process starts none', () => {
  const { spec: _spec, ...nameless } = bigramAnalyzer();
  expect(startIndexer(folder, nameless)).toBeUndefined();
});
