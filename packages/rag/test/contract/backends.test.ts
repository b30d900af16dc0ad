import { sqliteDatabase } from '@vizprompt/providers/node';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { KeywordFlexBackend } from '../../src/backends/keyword-flex-backend.ts';
import type { SearchBackend } from '../../src/contract/search-backend.ts';
import { SegmentBackend } from '../../src/backends/segment-backend.ts';
import { SqliteFtsBackend } from '../../src/backends/sqlite-fts-backend.ts';
import {
  testSearchBackend,
  type BackendParts,
  type OpenedBackend,
} from '../../src/testing/index.ts';

const runner = { describe, it };

async function inFolder(
  parts: BackendParts,
  open: (folder: string, parts: BackendParts) => Promise<SearchBackend>,
): Promise<OpenedBackend> {
  const folder = mkdtempSync(join(tmpdir(), 'rag-suite-'));
  const backend = await open(folder, parts);
  return {
    backend,
    reopen: (other) => open(folder, other),
    close: async () => {
      await backend.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

testSearchBackend({
  name: 'SegmentBackend',
  runner,
  isPersistent: true,
  open: (parts) =>
    inFolder(parts, (folder, other) => SegmentBackend.open({ ...other, folder, mayFork: false })),
});

testSearchBackend({
  name: 'SqliteFtsBackend, in a file',
  runner,
  isPersistent: true,
  open: async (parts) => {
    const folder = mkdtempSync(join(tmpdir(), 'rag-suite-'));
    const path = join(folder, 'index.db');
    const database = sqliteDatabase({ path, durability: 'normal' });
    const backend = await SqliteFtsBackend.open({ ...parts, database });
    return {
      backend,
      reopen: (other) => SqliteFtsBackend.open({ ...other, database }),
      close: async () => {
        await backend.close();
        await database.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
});

testSearchBackend({
  name: 'SqliteFtsBackend, in memory',
  runner,
  open: async (parts) => {
    const database = sqliteDatabase({ path: ':memory:' });
    const backend = await SqliteFtsBackend.open({ ...parts, database, name: 'novels_2' });
    return {
      backend,
      close: async () => {
        await backend.close();
        await database.close();
      },
    };
  },
});

testSearchBackend({
  name: 'KeywordFlexBackend',
  runner,
  open: async (parts) => {
    const backend = await KeywordFlexBackend.open(parts);
    return { backend, close: () => backend.close() };
  },
});
