import { sqliteDatabase } from '@vizprompt/providers/node';
import { onTestFinished } from 'vitest';
import { KeywordFlexBackend } from '../../src/backends/keyword-flex-backend.ts';
import type { SearchBackend } from '../../src/contract/search-backend.ts';
import { SqliteFtsBackend } from '../../src/backends/sqlite-fts-backend.ts';
import type { Analyzer } from '../../src/index.ts';
import { openBackend, paragraphs } from './search-index.ts';

/** An empty backend, every paragraph of whose documents is a chunk. */
export type OpenBackend = (analyzer: Analyzer) => Promise<SearchBackend>;

/** The backends that go by words. */
export const BACKENDS: Readonly<Record<string, OpenBackend>> = {
  SegmentBackend: (analyzer) => openBackend({ analyzer }),
  KeywordFlexBackend: (analyzer) => KeywordFlexBackend.open({ analyzer, chunking: paragraphs }),
  async SqliteFtsBackend(analyzer) {
    const database = sqliteDatabase({ path: ':memory:' });
    onTestFinished(() => database.close());
    return SqliteFtsBackend.open({ analyzer, chunking: paragraphs, database });
  },
};
