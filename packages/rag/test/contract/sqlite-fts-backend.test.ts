import type { Database } from '@vizprompt/providers';
import { sqliteDatabase, type ClosableDatabase } from '@vizprompt/providers/node';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SqliteFtsBackend } from '../../src/backends/sqlite-fts-backend.ts';
import { segmenterAnalyzer } from '../../src/index.ts';
import { paragraphs, scriptAnalyzer, temporaryFolder } from '../support/search-index.ts';

const parts = { analyzer: scriptAnalyzer(), chunking: paragraphs };
const document = { novelId: '灯台', filePath: 'a.md', text: '灯台の朝\n\n嵐の夜' };

function databaseAt(path: string): ClosableDatabase {
  const database = sqliteDatabase({ path, durability: 'normal' });
  onTestFinished(() => database.close());
  return database;
}

it('refuses a database that is not SQLite, and says so', async () => {
  const database: Database = { ...databaseAt(':memory:'), dialect: 'postgres' };
  await expect(SqliteFtsBackend.open({ ...parts, database })).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('postgres'),
  });
});

it('several indexes and other tables live in one database', async () => {
  const database = databaseAt(':memory:');
  await database.execute('CREATE TABLE note (text TEXT)');
  const first = await SqliteFtsBackend.open({ ...parts, database, name: 'first' });
  const second = await SqliteFtsBackend.open({ ...parts, database, name: 'second' });
  await first.updateFile(document);
  expect((await first.search('嵐')).total).toBe(1);
  expect((await second.search('嵐')).total).toBe(0);
  await first.close();
  expect(await database.query('SELECT * FROM note')).toEqual([]);
});

it('several programs read and write one index, and see what the others wrote', async () => {
  const path = join(temporaryFolder(), 'index.db');
  const open = (): Promise<SqliteFtsBackend> =>
    SqliteFtsBackend.open({ ...parts, database: databaseAt(path) });
  const first = await open();
  const second = await open();
  await first.updateFile(document);
  expect((await second.search('嵐')).total).toBe(1);
  await second.updateFile({ ...document, text: '凪の夜\n\n灯台の朝' });
  expect((await first.search('嵐')).total).toBe(0);
  expect((await first.search('灯台')).hits[0]?.payload.start).toBe(3);
  await first.removeByFile(document);
  expect((await second.search('灯台')).total).toBe(0);
  expect(await second.stats()).toMatchObject({ chunks: 0, documents: 0, terms: 0 });
});

it('searches see whole versions while another program writes without a pause', async () => {
  const path = join(temporaryFolder(), 'index.db');
  const writer = await SqliteFtsBackend.open({ ...parts, database: databaseAt(path) });
  const reader = await SqliteFtsBackend.open({ ...parts, database: databaseAt(path) });
  const version = (word: string): string =>
    Array.from({ length: 8 }, (_, at) => `${word}の灯台${at}`).join('\n\n');
  await writer.updateFile({ ...document, text: version('嵐') });
  const state = { isDone: false };
  const writing = (async () => {
    for (let round = 0; round < 40; round++) {
      await writer.updateFile({ ...document, text: version(round % 2 === 0 ? '凪' : '嵐') });
    }
    state.isDone = true;
  })();
  while (!state.isDone) {
    const { hits } = await reader.search('灯台', { k: 50 });
    expect(hits).toHaveLength(8);
    expect(new Set(hits.map(({ content }) => content.charAt(0))).size).toBe(1);
    await new Promise(setImmediate);
  }
  await writing;
});

it('a program with another analyser takes the index over, and the first one is notified', async () => {
  const path = join(temporaryFolder(), 'index.db');
  const first = await SqliteFtsBackend.open({ ...parts, database: databaseAt(path) });
  await first.updateFile(document);
  const analyzer = scriptAnalyzer('script-2');
  const second = await SqliteFtsBackend.open({ ...parts, analyzer, database: databaseAt(path) });
  expect((await second.search('嵐')).total).toBe(1);
  await expect(first.updateFile({ ...document, text: '凪' })).rejects.toThrow(/script-2/);
  expect((await second.search('嵐')).total).toBe(1);
});

it('numbers of chunks are used again, so that the index does not grow with its history', async () => {
  const database = databaseAt(':memory:');
  const backend = await SqliteFtsBackend.open({ ...parts, database });
  for (let round = 0; round < 50; round++) {
    await backend.updateFile({ ...document, text: `灯台${round}\n\n嵐の夜` });
  }
  const [row] = await database.query<{ last: number }>('SELECT max(id) AS last FROM rag_chunk');
  expect(row?.last).toBe(2);
});

it('an index that another program rebuilt with its own analyser is not searched', async () => {
  const database = databaseAt(':memory:');
  const first = await SqliteFtsBackend.open({ ...parts, database });
  await first.updateFile(document);
  const second = await SqliteFtsBackend.open({
    database,
    analyzer: segmenterAnalyzer(),
    chunking: paragraphs,
  });
  expect((await second.search('嵐')).total).toBe(1);
  await expect(first.search('嵐')).rejects.toThrow(
    "by another program with the analyser 'segmenter",
  );
});
