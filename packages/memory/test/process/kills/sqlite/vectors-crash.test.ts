import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/open-store.ts';
import { startChild } from '../../../support/sqlite/start-children.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 2);

it(
  'every event has its vector, and no forgotten one, after a crash at any moment',
  { timeout: 180_000 + ROUNDS * 20_000 },
  async () => {
    const folder = await temporaryFolder();
    for (let round = 0; round < ROUNDS; round++) {
      const child = startChild('embed-memory', [folder]);
      await once(child, 'message');
      await sleep(Math.random() * 300);
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;

      await using storage = await openStorage(folder);
      const vectors = quantizedVectors({ database: storage.cache, dimensions: 64 });
      const model = hashEmbeddings({ dimensions: 64 });
      await using store = await MemoryStore.open({ storage, embeddings: { model, vectors } });
      await store.embedEvents();
      const { events_by_type: counts } = await store.stats();
      expect(counts.thinking).toBeGreaterThan(0);
      expect(counts.forgotten).toBeGreaterThan(0);
      expect(await vectors.count()).toBe(counts.thinking);
      expect((await store.check()).problems).toEqual([]);
    }
  },
);
