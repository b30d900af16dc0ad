import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { expect, it, onTestFinished } from 'vitest';
import { dropNamespace } from '../../../../providers/test/support/subjects.ts';
import { SqlBackend, segmenterAnalyzer } from '../../../src/index.ts';
import {
  Acknowledged,
  isOpen,
  kill,
  startChild,
  type WriterMessage,
} from '../../support/children.ts';
import { recountSpace } from '../../support/recount-space.ts';
import { paragraphs } from '../../support/search-index.ts';
import { serverUrl } from '../../support/sql-database.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 5);

it(
  'no half document stays when what writes and merges is killed at any moment, and counts are right',
  { timeout: 30_000 + ROUNDS * 6000 },
  async () => {
    const connectionString = serverUrl();
    const namespace = `test_${randomBytes(6).toString('hex')}`;
    onTestFinished(() => dropNamespace(connectionString, namespace));
    const storage = await postgresStorage({ connectionString, namespace });
    onTestFinished(() => storage.close());
    const { database } = storage;
    const parts = { analyzer: segmenterAnalyzer(), chunking: paragraphs };
    // Open before the first kill, and never closed: it sees what others leave behind.
    const reader = await SqlBackend.open({ ...parts, database });
    onTestFinished(() => reader.close());
    const acknowledged = new Acknowledged();
    for (let round = 0; round < ROUNDS; round++) {
      const args = [connectionString, namespace, `${round * 100_000}`];
      const child = startChild('write-sql-index', args);
      child.on('message', (message: WriterMessage) => acknowledged.hear(message));
      await isOpen(child);
      // On a slow machine all rounds could end before anything was written.
      await expect.poll(() => round + acknowledged.count).toBeGreaterThan(0);
      await sleep(Math.random() * 500);
      await kill(child);

      // The server ends the transaction of a process that is gone, and then the row is free.
      await reader.updateFile({ novelId: '灯台', filePath: 'own.md', text: `${round}` });
      await reader.removeByFile({ novelId: '灯台', filePath: 'own.md' });
      expect(await recountSpace(database)).toEqual([]);
      const texts = await textsOf(reader);
      const states = acknowledged.states().map((state) => ({ state, texts: expected(state) }));
      const found = states.find((one) => JSON.stringify(one.texts) === JSON.stringify(texts));
      expect(states.map((one) => one.texts)).toContainEqual(texts);
      acknowledged.settle(found?.state ?? []);
    }
    await reader.compact();
    expect(await recountSpace(database)).toEqual([]);
    expect(acknowledged.count).toBeGreaterThan(0);
  },
);

/** The texts of all documents, by their paths. */
async function textsOf(backend: SqlBackend): Promise<readonly (readonly [string, string])[]> {
  const { hits } = await backend.search('/./', { k: 1000 });
  const documents = new Map<string, { readonly line: number; readonly text: string }[]>();
  for (const { payload, content } of hits) {
    const pieces = documents.get(payload.file) ?? [];
    documents.set(payload.file, pieces);
    pieces.push({ line: payload.start, text: content });
  }
  return [...documents]
    .map(([path, pieces]) => {
      const sorted = pieces.toSorted((a, b) => a.line - b.line);
      return [path, sorted.map(({ text }) => text).join('\n\n')] as const;
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function expected(
  state: readonly { readonly filePath: string; readonly text: string }[],
): readonly (readonly [string, string])[] {
  return state
    .filter(({ text }) => text !== '')
    .map(({ filePath, text }) => [filePath, text] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
