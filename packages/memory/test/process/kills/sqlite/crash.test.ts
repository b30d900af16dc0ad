import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryStore } from '@vizprompt/memory';
import { expect, it } from 'vitest';
import { all, temporaryFolder } from '../../../support/open-store.ts';
import { startChild } from '../../../support/sqlite/start-children.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 2);
const WRITERS = 4;

interface Acknowledged {
  readonly id: string;
  readonly sequence: number;
  readonly session: string;
}

it(
  'loses nothing that was acknowledged when four writers are killed at any moment',
  { timeout: 180_000 + ROUNDS * 20_000 },
  async () => {
    const path = join(await temporaryFolder(), 'memory.db');
    const acknowledged = new Map<string, Acknowledged>();
    for (let round = 0; round < ROUNDS; round++) {
      const children = Array.from({ length: WRITERS }, (_, writer) => {
        const child = startChild('write-memory', [path, `writer${round}x${writer}`]);
        child.on('message', (events: readonly Acknowledged[]) => {
          for (const event of events) acknowledged.set(event.id, event);
        });
        return child;
      });
      // From their first message on, any moment will do.
      await Promise.all(children.map((child) => once(child, 'message')));
      await sleep(Math.random() * 400);
      await Promise.all(children.map(kill));

      await using store = await MemoryStore.open({ path });
      const report = await store.check();
      expect(report.problems).toEqual([]);
      expect(report.events).toBeGreaterThanOrEqual(acknowledged.size);
      const stored = new Map<string, Acknowledged>();
      for (const session of await store.listSessions({ limit: 10_000 })) {
        for await (const { id, sequence } of store.events(session.id, {
          limit: 1000,
          contents: 'omit',
        })) {
          stored.set(id, { id, sequence, session: session.id });
        }
      }
      for (const [id, event] of acknowledged) expect(stored.get(id)).toEqual(event);
      const hits = await store.search('認証', { session: 'shared', k: 1 });
      expect(hits).toHaveLength(1);
    }
    expect(acknowledged.size).toBeGreaterThan(ROUNDS * WRITERS);
  },
);

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

it('opens with all that came before where the end of the log is truncated or damaged', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'memory.db');
  const store = await MemoryStore.open({ path });
  const { id } = await store.startSession({ id: 's', workspace: '/w' });
  for (let round = 0; round < 60; round++) {
    await store.log(id, 'thinking', { content: `${round} `.repeat(20) });
  }
  const wal = readFileSync(`${path}-wal`);
  expect(wal.length).toBeGreaterThan(100_000);
  const counts: number[] = [];
  for (let attempt = 0; attempt < ROUNDS * 10; attempt++) {
    const copy = join(folder, `copy${attempt}.db`);
    copyFileSync(path, copy);
    writeFileSync(`${copy}-wal`, wal);
    const at = Math.floor(32 + Math.random() * (wal.length - 32));
    if (attempt % 2 === 0) truncateSync(`${copy}-wal`, at);
    else {
      const damaged = Buffer.from(wal);
      damaged[at] = (damaged[at] ?? 0) ^ 0x41;
      writeFileSync(`${copy}-wal`, damaged);
    }
    await using torn = await MemoryStore.open({ path: copy });
    const report = await torn.check();
    expect(report.problems).toEqual([]);
    const events = report.sessions === 0 ? [] : await all(torn.events(id, { limit: 1000 }));
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    counts.push(events.length);
  }
  expect(Math.max(...counts)).toBeGreaterThan(Math.min(...counts));
  await store.close();
});
