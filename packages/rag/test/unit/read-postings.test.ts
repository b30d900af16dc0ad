import type { Database } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { SqliteFtsBackend } from '../../src/backends/sqlite-fts-backend.ts';
import { openBackend, paragraphs, scriptAnalyzer } from '../support/search-index.ts';

/** 海 is in every chunk and says little; the other words are in few. */
const COMMON = '海';
const text = Array.from({ length: 40 }, (_, at) => {
  const rare = at % 13 === 0 ? 'と灯台' : at % 17 === 0 ? 'と嵐' : '';
  return `${COMMON}と第${at}夜${rare}`;
}).join('\n\n');
const document = { novelId: '一', filePath: 'a.md', text };

/** Counts the statements that read the postings of a term. */
function counted(database: Database): { readonly database: Database; readonly terms: number[] } {
  const terms: number[] = [];
  const query: Database['query'] = (sql, params = []) => {
    if (sql.includes('FROM rag_postings')) terms.push(Number(params[0]));
    return database.query(sql, params);
  };
  return { database: { ...database, query }, terms };
}

it('postings of words that find nothing are not read, unless a score is explained', async () => {
  const opened = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => opened.close());
  const { database, terms } = counted(opened);
  const parts = { analyzer: scriptAnalyzer(), chunking: paragraphs };
  const backend = await SqliteFtsBackend.open({ ...parts, database });
  const segments = await openBackend(parts);
  for (const one of [backend, segments]) await one.updateFile(document);
  const [common] = await opened.query<{ id: number }>('SELECT id FROM rag_term WHERE key = ?', [
    COMMON,
  ]);
  const query = `${COMMON} 灯台 嵐`;

  const results = await backend.search(query);
  expect(results).toEqual(await segments.search(query));
  expect(terms.length).toBeGreaterThan(1);
  expect(terms).not.toContain(common?.id);

  const explained = await backend.search(query, { explain: true });
  expect(explained).toEqual(await segments.search(query, { explain: true }));
  expect(terms).toContain(common?.id);
});
