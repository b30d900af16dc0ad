import { sqliteDatabase } from '@vizprompt/providers/node';
import type { Database } from '@vizprompt/providers';
import { expect, onTestFinished, test } from 'vitest';
import { SqlBackend } from '../../src/backends/sql-backend.ts';
import { openBackend, paragraphs, scriptAnalyzer } from '../support/search-index.ts';
import { counting, sharedPostgres } from '../support/sql-database.ts';

const parts = { analyzer: scriptAnalyzer(), chunking: paragraphs };
const document = { novelId: '灯台', filePath: 'a.md' };
const postgres = sharedPostgres();

/** A backend, closed when the test is over. */
async function open({ database }: { readonly database: Database }): Promise<SqlBackend> {
  const backend = await SqlBackend.open({ ...parts, database });
  onTestFinished(() => backend.close());
  return backend;
}

/** In PostgreSQL: a signature that says that no chunk has anything. */
const EMPTY_BYTES = `decode(repeat('00', 131072), 'hex')`;

test('phrases and regular expressions read few texts, and find what reading all would', async () => {
  const database = postgres();
  const { database: counted, statements } = counting(database);
  const backend = await open({ database: counted });
  const segments = await openBackend(parts);
  const words = [
    '灯台',
    '嵐',
    '海岸',
    'カモメ',
    '夜明け',
    'サーバー',
    'キー',
    '桟橋',
    '手紙',
    '猫',
  ];
  const pick = (at: number): string => words[at % words.length] ?? '';
  const text = Array.from(
    { length: 1200 },
    (_, at) => `${pick(at)}と${pick(at * 7 + 3)}の${at}番の${pick(Math.floor(at / 9))}`,
  ).join('\n\n');
  for (const one of [backend, segments]) await one.updateFile({ ...document, text });
  await backend.compact();
  let most = 0;
  const asked = [
    '"1134番"',
    '"と海岸の77番"',
    '/7[0-9]番の嵐/',
    '"カモメと嵐" -猫',
    '+猫 /99番/',
    '/(手紙|海岸)の77番/',
    '/[手桟]橋?.の1134番/',
  ];
  for (const query of asked) {
    statements.length = 0;
    const right = await segments.search(query);
    expect({ query, results: await backend.search(query) }).toEqual({ query, results: right });
    // A page of 1,024 chunks is signed, and the rest is read: one statement for 500 texts.
    const reading = statements.filter((sql) => sql.includes('FROM chunks_text'));
    most = Math.max(most, reading.length);
  }
  expect(most).toBe(1);
  const pages = 'SELECT page FROM chunks_signature ORDER BY page';
  const own = await database.query<{ page: number }>(pages);
  const [packs = { page: 0 }] = own;
  expect(own).toEqual([packs, { page: -1 - packs.page }]);
  // An index of an older version has no signatures of neighbours, or both in other rows, and in these lacks forms of texts.
  for (const change of [
    `DELETE FROM chunks_signature WHERE page < 0`,
    `UPDATE chunks_signature SET data = ${EMPTY_BYTES}, page = CASE WHEN page < 0 THEN -1 ELSE 0 END`,
    `DELETE FROM chunks_signature WHERE page >= 0`,
  ]) {
    await database.execute(change);
    for (const query of [...asked, '/猫.*嵐$/']) {
      expect(await backend.search(query)).toEqual(await segments.search(query));
    }
    await backend.compact();
    expect(await database.query(pages)).toEqual(own);
  }
});

test('phrases are found across a line break next to a sign or digit in pages with a signature', async () => {
  const backend = await open({ database: postgres() });
  const segments = await openBackend(parts);
  const lines = ['西暦2025\n年の春', '値段は100\n円です', '終わり。\n(続く)', '100円です'];
  const text = Array.from({ length: 1024 }, (_, at) => lines[at] ?? `灯台の${at}`).join('\n\n');
  for (const one of [backend, segments]) await one.updateFile({ ...document, text });
  await backend.compact();
  for (const [query, count] of [
    ['"2025年"', 1],
    ['"100円"', 2],
    ['+"2025年" 春', 1],
    ['"。(続く"', 1],
    ['title:"2025年"', 0],
  ] as const) {
    const results = await backend.search(query);
    expect([query, results.total]).toEqual([query, count]);
    expect(results).toEqual(await segments.search(query));
  }
});

test('letters of Hangul that join those before are found as they are written', async () => {
  const backend = await open({ database: postgres() });
  const lines = ['재밌다 ㅋㅋㅋㅠㅠ 그래', 'ㅠㅠ 슬프다', 'ㅎㅎㅠㅠ 하나'];
  const text = Array.from({ length: 1024 }, (_, at) => lines[at] ?? `灯台の${at}`).join('\n\n');
  await backend.updateFile({ ...document, text });
  const totals = async (): Promise<readonly number[]> => {
    const found: number[] = [];
    for (const query of ['"ㅠㅠ"', '"ㅎㅎ"', '"ㅠㅠ 그래"']) {
      found.push((await backend.search(query)).total);
    }
    return found;
  };
  expect(await totals()).toEqual([3, 1, 1]);
  await backend.compact();
  expect(await totals()).toEqual([3, 1, 1]);
});

test.each(['PostgreSQL', 'SQLite'])(
  'a regular expression of many classes is read on %s with its first strings',
  async (name) => {
    const own = sqliteDatabase({ path: ':memory:' });
    onTestFinished(() => own.close());
    const { database, statements } = counting(name === 'SQLite' ? own : postgres());
    const backend = await open({ database });
    const kanji = (from: number, count: number): string =>
      Array.from({ length: count }, (_, at) => String.fromCharCode(0x4e00 + from + at)).join('');
    const classes = Array.from({ length: 90 }, (_, at) => kanji(at * 16, 16));
    const whole = classes.map((one) => one.charAt(5)).join('');
    const texts = [whole, whole.slice(1), Array.from(whole).toReversed().join('')];
    const text = Array.from({ length: 1024 }, (_, at) => texts[at] ?? `灯台の${at}`).join('\n\n');
    await backend.updateFile({ ...document, text });
    await backend.compact();
    statements.length = 0;
    const { hits } = await backend.search(`/${classes.map((one) => `[${one}]`).join('.*')}/`);
    expect(hits.map(({ content }) => content)).toEqual([whole]);
    const reading = statements.filter((sql) => sql.includes('SELECT page'));
    expect(reading.map((sql) => sql.split('substr(').length - 1 <= 256)).toEqual([true]);
    // One statement reads at most 500 texts: not all of the page.
    expect(statements.filter((sql) => sql.includes('FROM chunks_text'))).toHaveLength(1);
  },
);
