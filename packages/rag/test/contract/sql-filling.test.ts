import type { Database } from '@vizprompt/providers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SqlBackend } from '../../src/backends/sql-backend.ts';
import type { SourceDocument } from '../../src/chunk/chunking-strategy.ts';
import { recountSpace } from '../support/recount-space.ts';
import { paragraphs, scriptAnalyzer } from '../support/search-index.ts';
import { sharedPostgres } from '../support/sql-database.ts';

const postgres = sharedPostgres();
/** Documents of one transaction. */
const GROUP = 256;

function documents(count: number): readonly SourceDocument[] {
  return Array.from({ length: count }, (_, at) => ({
    novelId: '灯台',
    filePath: `${at}.md`,
    text: `灯台${at}\n\n嵐の夜`,
  }));
}

/** Events around the transactions of groups, by their numbers from 1. */
interface Hooks {
  /** Before it begins. */
  readonly begin?: (number: number) => Promise<unknown>;
  /** Before it is committed. */
  readonly commit?: (number: number) => Promise<unknown>;
  readonly words?: (text: string) => void;
}

async function open(
  hooks: Hooks,
): Promise<{ readonly backend: SqlBackend; readonly database: Database }> {
  const inner = postgres();
  let count = 0;
  let isFilling = false;
  const transaction: Database['transaction'] = async (work, options) => {
    if (!isFilling) return inner.transaction(work, options);
    const number = ++count;
    await hooks.begin?.(number);
    return inner.transaction(async (tx) => {
      const result = await work(tx);
      await hooks.commit?.(number);
      return result;
    }, options);
  };
  const database: Database = { ...inner, transaction };
  const plain = scriptAnalyzer();
  const words: typeof plain.words = (text) => {
    hooks.words?.(text);
    return plain.words(text);
  };
  const analyzer = { ...plain, words };
  const backend = await SqlBackend.open({ database, analyzer, chunking: paragraphs });
  onTestFinished(() => backend.close());
  isFilling = true;
  return { backend, database: inner };
}

/** Waits until a condition holds. */
async function until(isTrue: () => boolean): Promise<void> {
  await vi.waitUntil(isTrue);
}

it('a group is analyzed while the one before is written', async () => {
  let isAnalyzed = false;
  const { backend } = await open({
    commit: async (number) => {
      if (number === 1) await until(() => isAnalyzed);
    },
    words: (text) => (isAnalyzed ||= text === `灯台${GROUP}`),
  });
  await backend.index(documents(2 * GROUP));
  expect((await backend.stats()).documents).toBe(2 * GROUP);
});

it('the later one of two versions stays, also when they are in groups that follow each other', async () => {
  const { backend, database } = await open({});
  const list = documents(2 * GROUP);
  const again = { novelId: '灯台', filePath: '3.md', text: '岬の朝' };
  await backend.index([...list.slice(0, GROUP + 5), again, ...list.slice(GROUP + 5)]);
  expect((await backend.search('岬')).total).toBe(1);
  expect((await backend.stats()).documents).toBe(2 * GROUP);
  expect(await recountSpace(database)).toEqual([]);
});

it('a group that cannot be written ends the run, and those before it stay', async () => {
  const { backend, database } = await open({
    commit: async (number) => {
      if (number === 2) throw new Error('the disk is full');
    },
  });
  await expect(backend.index(documents(4 * GROUP))).rejects.toThrow('the disk is full');
  expect((await backend.stats()).documents).toBe(GROUP);
  expect(await recountSpace(database)).toEqual([]);
});

it('plans of a group do not hold if another program has written its documents meanwhile', async () => {
  let write: (() => Promise<unknown>) | undefined;
  let isPlanned = false;
  const { backend, database } = await open({
    // The second group is planned then, and does not have the lock yet.
    begin: async (number) => {
      if (number === 2) await write?.();
    },
    commit: async (number) => {
      if (number === 1) await until(() => isPlanned);
    },
    words: (text) => (isPlanned ||= text === `灯台${GROUP}`),
  });
  const parts = { database, analyzer: scriptAnalyzer(), chunking: paragraphs };
  const other = await SqlBackend.open(parts);
  onTestFinished(() => other.close());
  const place = { novelId: '灯台', filePath: `${GROUP + 1}.md` };
  write = () => other.updateFile({ ...place, text: '岬の昼' });
  await backend.index(documents(3 * GROUP));
  expect((await backend.search('岬')).total).toBe(0);
  expect((await backend.stats()).documents).toBe(3 * GROUP);
  expect(await recountSpace(database)).toEqual([]);
});
