import { sqliteDatabase } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { bigramAnalyzer } from '../../src/analyze/bigram-analyzer.ts';
import { KeywordFlexBackend } from '../../src/backends/keyword-flex-backend.ts';
import type { SearchBackend } from '../../src/contract/search-backend.ts';
import { SqliteFtsBackend } from '../../src/backends/sqlite-fts-backend.ts';
import { openBackend, paragraphs } from '../support/search-index.ts';

const options = { analyzer: bigramAnalyzer(), chunking: paragraphs };

const backends: Readonly<Record<string, () => Promise<SearchBackend>>> = {
  SegmentBackend: () => openBackend(options),
  KeywordFlexBackend: () => KeywordFlexBackend.open(options),
  async SqliteFtsBackend() {
    const database = sqliteDatabase({ path: ':memory:' });
    onTestFinished(() => database.close());
    return SqliteFtsBackend.open({ ...options, database });
  },
};

it.each(Object.entries(backends))(
  '%s keeps the text of words that overlap, and marks each from its beginning',
  async (_, open) => {
    const backend = await open();
    const text = '嵐の夜に灯台守が灯を点した。';
    await backend.updateFile({ novelId: '灯', filePath: 'a.md', text });
    await backend.updateFile({ novelId: '灯', filePath: 'b.md', text: '凪の朝。' });
    await backend.compact();
    const { hits } = await backend.search('台守');
    expect(hits.map(({ content }) => content)).toEqual([text]);
    const [{ match } = { match: { text: '', highlights: [] } }] = hits;
    expect(match.highlights.map(([start, end]) => match.text.slice(start, end))).toEqual([
      '台守が',
    ]);
    await backend.close();
  },
);
