import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresStorage } from '@vizprompt/providers/postgres';
import type { Database } from '@vizprompt/providers';
import { expect, it, onTestFinished } from 'vitest';
import { dropNamespace } from '../../../../providers/test/support/subjects.ts';
import { SqlBackend, segmenterAnalyzer } from '../../../src/index.ts';
import { isOpen, kill, startChild, type WriterMessage } from '../../support/children.ts';
import { recountSpace } from '../../support/recount-space.ts';
import { paragraphs } from '../../support/search-index.ts';
import { serverUrl } from '../../support/sql-database.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 5);

it(
  'words and vectors have the same texts when what writes both is killed at any moment',
  { timeout: 30_000 + ROUNDS * 6000 },
  async () => {
    const connectionString = serverUrl();
    const namespace = `test_${randomBytes(6).toString('hex')}`;
    onTestFinished(() => dropNamespace(connectionString, namespace));
    const storage = await postgresStorage({ connectionString, namespace });
    onTestFinished(() => storage.close());
    const { database } = storage;
    const parts = { analyzer: segmenterAnalyzer(), chunking: paragraphs };
    const words = await SqlBackend.open({ ...parts, database });
    onTestFinished(() => words.close());
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const args = [connectionString, namespace, `${round * 100_000}`];
      const child = startChild('write-hybrid-index', args);
      child.on('message', ({ type }: WriterMessage) => (acknowledged += type === 'done' ? 1 : 0));
      await isOpen(child);
      // On a slow machine all rounds could end before anything was written.
      await expect.poll(() => round + acknowledged).toBeGreaterThan(0);
      await sleep(Math.random() * 300);
      await kill(child);

      // The server ends the transaction of a process that is gone, and then the row is free.
      await words.updateFile({ novelId: '灯台', filePath: 'own.md', text: `${round}` });
      await words.removeByFile({ novelId: '灯台', filePath: 'own.md' });
      const { hits } = await words.search('/./', { k: 1000 });
      const found = hits.map(({ payload, content }) => `${payload.file} ${content}`);
      expect(await chunksWithVectors(database)).toEqual(found.toSorted());
      expect(await recountSpace(database)).toEqual([]);
    }
    expect(acknowledged).toBeGreaterThan(0);
  },
);

/** The chunks that have a vector in the store. */
async function chunksWithVectors(database: Database): Promise<readonly string[]> {
  const rows = await database.query<{ chunk: string }>(
    `SELECT chunk.chunk FROM rag_vectors_chunk AS chunk
     JOIN derived_vector_vectors_record AS record ON record.id = '"' || chunk.key || '"' WHERE chunk.is_queued = 0`,
  );
  return rows
    .map(({ chunk }) => {
      const { filePath, content }: { readonly filePath: string; readonly content: string } =
        JSON.parse(chunk);
      return `${filePath} ${content}`;
    })
    .toSorted();
}
