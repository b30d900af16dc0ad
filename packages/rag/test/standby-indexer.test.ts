import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bigramAnalyzer } from '../src/index.ts';
import { StandbyIndexer } from '../src/segment/standby-indexer.ts';

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

const document = { novelId: '灯台', filePath: 'contents/01.md', chunks: [] };

test('what was prepared is taken once, and indexes', async () => {
  standby.prepare();
  standby.prepare();
  const ready = standby.take();
  const other = standby.take();
  expect(other?.indexer).not.toBe(ready?.indexer);
  other?.indexer.close();
  await ready?.started;
  const answers: string[] = [];
  await ready?.indexer.request({ type: 'documents', documents: [document] });
  await ready?.indexer.request({ type: 'finish' }, ({ type }) => void answers.push(type));
  expect(answers).toEqual(['segment']);
  ready?.indexer.close();
});

test('words that were found beforehand make the same segment', async () => {
  const chunks = ['嵐の夜、灯台守は鐘を聞いた。', '島の猫 𠮷 が歩く。'].map(
    (content, chunkIndex) => {
      const where = { filePath: 'contents/01.md', startLine: 1, endLine: 1, chunkIndex };
      return { title: '嵐', content, novelId: '灯台', tags: [], ordinal: 0, ...where };
    },
  );
  const segments: Buffer[] = [];
  for (const foreseen of [[], ['島の猫 𠮷 が歩く。', '凪の朝']]) {
    standby.prepare();
    expect(await standby.foresee(foreseen)).toBe(true);
    const ready = standby.take();
    expect(await standby.foresee(foreseen)).toBe(false);
    await ready?.started;
    await ready?.indexer.request({ type: 'documents', documents: [{ ...document, chunks }] });
    await ready?.indexer.request({ type: 'finish' }, (answer) => {
      if (answer.type === 'segment') segments.push(readFileSync(join(folder, answer.file)));
    });
    ready?.indexer.close();
  }
  expect(segments).toHaveLength(2);
  expect(segments[1]).toEqual(segments[0]);
});

test('a prepared process remembers no more words than it should', async () => {
  standby.prepare();
  expect(await standby.foresee(['嵐の夜'.repeat(100_000)])).toBe(true);
  expect(await standby.foresee(['嵐の夜'])).toBe(true);
  expect(await standby.foresee(['凪の夜'.repeat(40_000)])).toBe(true);
  expect(await standby.foresee(['凪の夜'])).toBe(false);
});

test('after a failure nothing counts as done that was asked for at once, or later', async () => {
  standby.prepare();
  const ready = standby.take();
  await ready?.started;
  const documents = { type: 'documents', documents: [document] } as const;
  const outcomes = [
    ready?.indexer.request(documents),
    ready?.indexer.request({ type: 'finish' }, () => {
      throw new Error('no place for a segment');
    }),
    ready?.indexer.request(documents),
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
  await expect(ready?.indexer.request(documents)).rejects.toThrow('no place');
  ready?.indexer.close();
});

test('a prepared process that could not start is not given to anybody', async () => {
  const stranger = { ...bigramAnalyzer(), id: 'another version' };
  const other = new StandbyIndexer(folder, stranger, true);
  other.prepare();
  const first = other.take();
  await expect(first?.started).rejects.toThrow("has the analyser 'bigram");
  other.prepare();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  // The one that failed is forgotten: this one is new, and fails for itself.
  const second = other.take();
  const problem = await second?.started.then(() => 'started', String);
  expect(problem).toMatch("has the analyser 'bigram");
});

test('there is none where no process may be started', () => {
  const alone = new StandbyIndexer(folder, bigramAnalyzer(), false);
  alone.prepare();
  expect(alone.take()).toBeUndefined();
});
