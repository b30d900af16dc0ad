import { randomUUID } from 'node:crypto';
import { sqliteDatabase } from '@vizprompt/providers/node';
import type { Database } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fuzzSeed, runs } from '../../../providers/test/support/fuzz.ts';
import { SqlBackend, type SqlBackendOptions } from '../../src/backends/sql-backend.ts';
import type { SearchBackend } from '../../src/contract/search-backend.ts';
import { testSearchBackend } from '../../src/testing/index.ts';
import { MERGE_AFTER } from '../../src/sql/maintain-space.ts';
import { answers, apply, queries, step, type Step } from '../support/agreeing-backends.ts';
import { recountSpace } from '../support/recount-space.ts';
import { openBackend, paragraphs, scriptAnalyzer } from '../support/search-index.ts';
import { counting, sharedPostgres } from '../support/sql-database.ts';

const runner = { describe, it };
const parts = { analyzer: scriptAnalyzer(), chunking: paragraphs };
const document = { novelId: '灯台', filePath: 'a.md', text: '灯台の朝\n\n嵐の夜' };
const postgres = sharedPostgres();

testSearchBackend({
  name: 'SqlBackend, on PostgreSQL',
  runner,
  isPersistent: true,
  open: async (given) => {
    const place = { database: postgres(), space: randomUUID() };
    const backend = await SqlBackend.open({ ...given, ...place });
    return {
      backend,
      reopen: (other) => SqlBackend.open({ ...other, ...place }),
      close: () => backend.close(),
    };
  },
});

testSearchBackend({
  name: 'SqlBackend, on SQLite',
  runner,
  isPersistent: true,
  open: async (given) => {
    const database = sqliteDatabase({ path: ':memory:' });
    const backend = await SqlBackend.open({ ...given, database, name: 'novels_2', space: 'いち' });
    return {
      backend,
      reopen: (other) => SqlBackend.open({ ...other, database, name: 'novels_2', space: 'いち' }),
      close: async () => {
        await backend.close();
        await database.close();
      },
    };
  },
});

/** A backend, closed when the test is over. */
async function open(
  options: Partial<SqlBackendOptions> & { database: Database },
): Promise<SqlBackend> {
  const backend = await SqlBackend.open({ ...parts, ...options });
  onTestFinished(() => backend.close());
  return backend;
}

/** Makes the next merge due as if a space had changed this often since the last one. */
async function pretendChanges(database: Database, count: number): Promise<void> {
  await database.execute('UPDATE chunks_space SET unmerged = ?', [count]);
}

async function expectSame(backend: SearchBackend, expected: SearchBackend): Promise<void> {
  const right = await answers(expected);
  for (const [at, results] of (await answers(backend)).entries()) {
    expect({ query: queries[at], results }).toEqual({ query: queries[at], results: right[at] });
  }
  const { bytes: _, ...stats } = await expected.stats();
  expect(await backend.stats()).toMatchObject(stats);
}

it('answers as SegmentBackend does after random changes, to the last digit', async () => {
  const database = postgres();
  const backend = await open({ database });
  await pretendChanges(database, MERGE_AFTER - 50);
  const other = await open({ database });
  const segments = await openBackend(parts);
  const changes = fc.sample(step, { numRuns: runs(100), seed: fuzzSeed ?? 7 });
  for (const [at, one] of changes.entries()) {
    const isLast = at === changes.length - 1;
    // Compacting each time would leave nothing to merge.
    if (one.kind === 'compact' && at % 10 !== 0) continue;
    await apply(at % 2 === 0 ? backend : other, one);
    await apply(segments, one);
    if (at % 50 === 20 || isLast) await expectSame(backend, segments);
  }
  await expectSame(other, segments);
  expect(await recountSpace(database)).toEqual([]);
});

it('a search takes three statements, whatever is asked, and one more for phrases', async () => {
  const { database, statements } = counting(postgres());
  const backend = await open({ database });
  const text = Array.from(
    { length: 60 },
    (_, at) => `灯台守と海${at}と嵐、もっともこれ\n\nlighthouse${at}`,
  );
  await backend.updateFile({ ...document, text: text.join('\n\n') });
  const most: Record<string, number> = {
    灯台守の海: 3,
    海: 3,
    lighthouse7: 3,
    'よみ:トウダイ': 3,
    '*台*': 3,
    '+灯台守 -嵐': 4,
    lighthuose7: 3,
    ない言葉ばかりです: 3,
    // Texts have only one of two words that begin alike.
    'もっともこれ もっとそれほど': 3,
    '"守と海"': 4,
    '/海3. と/': 4,
  };
  const over: unknown[] = [];
  for (const [query, limit] of Object.entries(most)) {
    statements.length = 0;
    await backend.search(query);
    if (statements.length > limit) over.push({ query, count: statements.length });
  }
  expect(over).toEqual([]);
});

it('a search takes two statements if nothing has changed, one if the same has been read, and three that see what another program has just written', async () => {
  const database = postgres();
  const { database: counted, statements } = counting(database);
  const backend = await open({ database: counted });
  const other = await open({ database });
  await backend.updateFile(document);
  const found = async (query: string): Promise<readonly [total: number, statements: number]> => {
    statements.length = 0;
    const { total } = await backend.search(query);
    return [total, statements.length];
  };
  expect(await found('灯台')).toEqual([1, 2]);
  expect(await found('灯台')).toEqual([1, 1]);
  // Words that the space does not have may come with any change.
  expect(await found('海岸')).toEqual([0, 1]);
  await other.updateFile({ ...document, filePath: 'b.md', text: '灯台と海岸' });
  expect(await found('海岸')).toEqual([1, 3]);
  // The texts are those that searches before have read.
  expect(await found('灯台')).toEqual([2, 1]);
  await other.removeByFile({ novelId: '灯台', filePath: 'b.md' });
  // No posting is read of a word that no text has any more.
  expect(await found('海岸')).toEqual([0, 1]);
  await SqlBackend.deleteSpace({ database });
  await expect(found('灯台')).rejects.toThrow('was deleted');
});

it('a search takes two statements after changes of its own program, and finds what these wrote', async () => {
  const { database, statements } = counting(postgres());
  const backend = await open({ database });
  await backend.updateFile({ ...document, text: '灯台守の日記' });
  await backend.updateFile({ ...document, filePath: 'b.md', text: '灯台の嵐' });
  await backend.removeByFile({ novelId: '灯台', filePath: 'a.md' });
  statements.length = 0;
  const { hits } = await backend.search('灯台');
  expect(hits.map(({ content }) => content)).toEqual(['灯台の嵐']);
  expect(statements.length).toBe(2);
});

it('the first search after another program has compacted takes one statement more, not one for each word', async () => {
  const database = postgres();
  const { database: counted, statements } = counting(database);
  const backend = await open({ database: counted });
  const other = await open({ database });
  const words = ['灯台', '嵐', '海岸', '桟橋', '手紙', '夜明け'];
  const text = Array.from({ length: 700 }, (_, at) => `${words[at % 36] ?? '凪'}の${at}番`);
  await backend.updateFile({ ...document, text: text.join('\n\n') });
  await backend.updateFile({ ...document, filePath: 'b.md', text: '嵐' });
  const right = await backend.search('灯台と海岸と桟橋と手紙');
  await other.removeByFile({ novelId: '灯台', filePath: 'b.md' });
  await other.compact();
  statements.length = 0;
  const { hits } = await backend.search('灯台と海岸と桟橋と手紙');
  expect(hits.map(({ content }) => content)).toEqual(right.hits.map(({ content }) => content));
  expect(statements.length).toBeLessThanOrEqual(4);
});

it('a regular expression that many texts match reads each few times, and its hits at once', async () => {
  const { database, statements } = counting(postgres());
  const backend = await open({ database });
  // The last ones match, when more have been read than are remembered.
  const text = Array.from({ length: 1500 }, (_, at) =>
    at < 1400 ? `灯台の${at}番の嵐` : `嵐の${at}番の灯台`,
  );
  await backend.updateFile({ ...document, text: text.join('\n\n') });
  statements.length = 0;
  const { hits, total } = await backend.search('/嵐.*灯台/', { k: 20 });
  expect([hits.length, total]).toEqual([20, 100]);
  expect(statements.length).toBeLessThanOrEqual(8);
});

it('several programs write one index at the same time, and none loses a change', async () => {
  const database = postgres();
  const writers = [await open({ database }), await open({ database }), await open({ database })];
  await Promise.all(
    writers.map(async (writer, number) => {
      for (let round = 0; round < 6; round++) {
        const filePath = `${(number + round) % 5}.md`;
        await writer.updateFile({ ...document, filePath, text: `灯台${round}\n\n嵐と海` });
      }
    }),
  );
  for (const writer of writers) {
    expect((await writer.search('嵐', { k: 20 })).hits).toHaveLength(5);
  }
  expect(await recountSpace(database)).toEqual([]);
});

it('searches see whole versions while another program writes without a pause', async () => {
  const database = postgres();
  const writer = await open({ database });
  const reader = await open({ database });
  const version = (word: string): string =>
    Array.from({ length: 8 }, (_, at) => `${word}の灯台${at}`).join('\n\n');
  await writer.updateFile({ ...document, text: version('嵐') });
  const state = { isDone: false };
  const writing = (async () => {
    for (let round = 0; round < 20; round++) {
      await writer.updateFile({ ...document, text: version(round % 2 === 0 ? '凪' : '嵐') });
    }
    state.isDone = true;
  })();
  const searching = async (): Promise<void> => {
    while (!state.isDone) {
      const { hits } = await reader.search('灯台', { k: 50 });
      expect(hits).toHaveLength(8);
      expect(new Set(hits.map(({ content }) => content.charAt(0))).size).toBe(1);
    }
  };
  await Promise.all([writing, searching(), searching()]);
});

it('merges in the background when there are many small changes', async () => {
  const database = postgres();
  const backend = await open({ database });
  for (let round = 0; round < 25; round++) {
    if (round === 5) await pretendChanges(database, MERGE_AFTER - 15);
    await backend.updateFile({
      ...document,
      filePath: `${round % 15}.md`,
      text: `灯台と嵐${round}`,
    });
  }
  await backend.close();
  const [row] = await database.query<{ most: number; unmerged: number }>(
    `SELECT (SELECT max(n) FROM (SELECT count(*) AS n FROM chunks_block GROUP BY term) AS sizes) AS most,
       (SELECT unmerged FROM chunks_space) AS unmerged`,
  );
  expect(row?.unmerged).toBeLessThan(10);
  expect(row?.most).toBeLessThan(10);
  expect(await recountSpace(database)).toEqual([]);
});

it('spaces have nothing in common, and one is deleted in one call', async () => {
  const database = postgres();
  const first = await open({ database, space: '一' });
  const second = await open({ database, space: '二' });
  await first.updateFile(document);
  await second.updateFile({ ...document, text: '灯台の昼' });
  expect((await first.search('嵐')).total).toBe(1);
  expect((await second.search('嵐')).total).toBe(0);
  await SqlBackend.deleteSpace({ database, space: '一' });
  await expect(first.search('嵐')).rejects.toThrow('was deleted');
  await expect(first.updateFile(document)).rejects.toThrow('was deleted');
  expect((await second.search('灯台')).total).toBe(1);
  for (const table of ['document', 'text', 'vocabulary', 'block', 'sketch']) {
    const [row] = await database.query<{ spaces: number }>(
      `SELECT count(DISTINCT space) AS spaces FROM chunks_${table}`,
    );
    expect({ table, ...row }).toEqual({ table, spaces: 1 });
  }
  const again = await open({ database, space: '一' });
  expect((await again.search('嵐')).total).toBe(0);
  await again.updateFile(document);
  // A backend that had it open continues with the new one.
  expect((await first.search('嵐')).total).toBe(1);
});

it('a space begun again on SQLite has nothing of the deleted one for a backend that had it open', async () => {
  const database = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => database.close());
  const first = await open({ database });
  await first.index(['a.md', 'b.md'].map((filePath) => ({ ...document, filePath })));
  expect((await first.search('嵐')).total).toBe(2);
  await SqlBackend.deleteSpace({ database });
  const again = await open({ database });
  for (const filePath of ['c.md', 'd.md']) await again.updateFile({ ...document, filePath });
  const { hits } = await first.search('嵐');
  expect(hits.map(({ payload }) => payload.file).toSorted()).toEqual(['c.md', 'd.md']);
});

it('a space that is deleted while it is compacted leaves no rows', async () => {
  const database = postgres();
  const deleting = { isDone: false };
  const query: Database['query'] = async (sql, params) => {
    if (sql.includes('FROM chunks_text') && !deleting.isDone) {
      deleting.isDone = true;
      await SqlBackend.deleteSpace({ database });
    }
    return database.query(sql, params);
  };
  const backend = await open({ database: { ...database, query } });
  const text = Array.from({ length: 1100 }, (_, at) => `灯台${at}`).join('\n\n');
  await backend.updateFile({ ...document, text });
  await backend.compact();
  expect(deleting.isDone).toBe(true);
  expect(await database.query('SELECT page FROM chunks_signature')).toEqual([]);
});

it('the name of a space can be any text, long ones too', async () => {
  const long = Array.from({ length: 9000 }, (_, at) => String.fromCharCode(0x4e00 + at));
  for (const database of [postgres(), sqliteDatabase({ path: ':memory:' })]) {
    for (const space of [long.join(''), long.toReversed().join(''), 'a\0\uD83D"\\']) {
      const backend = await open({ database, space });
      expect((await backend.stats()).documents).toBe(0);
      await backend.updateFile(document);
      expect((await backend.search('嵐')).total).toBe(1);
      await SqlBackend.deleteSpace({ database, space });
      await expect(backend.search('嵐')).rejects.toThrow('was deleted');
    }
  }
});

it('a program with another analyser takes a space over, and the first one is notified', async () => {
  const database = postgres();
  const first = await open({ database });
  await first.updateFile(document);
  await first.updateFile({ ...document, filePath: 'b.md', text: '凪の海' });
  const second = await open({ database, analyzer: scriptAnalyzer('script-2') });
  expect((await second.search('嵐')).total).toBe(1);
  await expect(first.updateFile({ ...document, text: '凪' })).rejects.toThrow(/script-2/);
  await expect(first.search('嵐')).rejects.toThrow(/script-2/);
  expect(await recountSpace(database)).toEqual([]);
});

it('a run of index passes over what is there, and a changed text is found', async () => {
  const database = postgres();
  const backend = await open({ database });
  const documents = Array.from({ length: 70 }, (_, at) => {
    return { novelId: '灯台', filePath: `${at}.md`, text: `灯台${at}\n\n嵐` };
  });
  expect(await backend.index(documents)).toEqual({ indexed: 70, unchanged: 0 });
  const [first, ...rest] = documents;
  const changed = { ...first, novelId: '灯台', filePath: '0.md', text: '凪' };
  expect(await backend.index([changed, ...rest])).toEqual({ indexed: 1, unchanged: 69 });
  expect((await backend.search('嵐')).total).toBe(69);
  expect(await backend.documents()).toHaveLength(70);
});

it('names a table cannot have are refused', async () => {
  const database = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => database.close());
  await expect(open({ database, name: 'No; DROP' })).rejects.toMatchObject({
    code: 'invalid-input',
  });
});

it('random changes on SQLite leave rows that a recount agrees with', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps: Step[]) => {
      const database = sqliteDatabase({ path: ':memory:' });
      const backend = await SqlBackend.open({ ...parts, database });
      for (const one of steps) await apply(backend, one);
      expect(await recountSpace(database)).toEqual([]);
      await backend.close();
      await database.close();
    }),
    { numRuns: runs(10) },
  );
});
