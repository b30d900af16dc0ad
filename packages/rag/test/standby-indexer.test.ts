import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
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
