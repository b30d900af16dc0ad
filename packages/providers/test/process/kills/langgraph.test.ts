import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseCheckpointSaver, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import type { Database, Storage } from '@vizprompt/providers';
import { langGraphSaver } from '@vizprompt/providers/langgraph';
import { openStorage } from '@vizprompt/providers/node';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { kill, startChild } from '../../support/children.ts';
import { dropNamespace, temporaryFolder } from '../../support/subjects.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 2);
const NAMES = ['one', 'other'];
/** Begins the names of threads that both processes write to. */
const SHARED = 'shared';

/** For a loaded machine. */
const PATIENCE = { timeout: 60_000, interval: 20 };

/** The moments about a checkpoint and the writes of its tasks, at which a process kills itself. */
const MOMENTS = ['put', 'putWrites'].flatMap((call) =>
  ['before', 'during', 'after'].map((moment) => ({ call, moment })),
);

/** The log of a thread at its end, however often it was resumed. */
const WHOLE = Array.from({ length: 4 }, (_, n) =>
  ['fork', 'a', 'b', 'join'].map((node) => `${n}/${node}`),
).flat();

interface Stored {
  readonly thread: string;
  /** The checkpoint. */
  readonly id: string;
  /** JSON. */
  readonly values: string;
}

interface Put extends Stored {
  readonly parent: string | null;
}

interface Writes extends Stored {
  readonly task: string;
}

interface Message {
  readonly ran?: { readonly thread: string; readonly word: string };
  readonly put?: Put;
  readonly writes?: Writes;
  readonly ended?: { readonly thread: string; readonly log: readonly string[] };
}

/** The arguments of a process, and a way to open the same storage here. */
interface Place {
  readonly args: object;
  open(): Promise<Storage>;
}

async function onSqlite(): Promise<Place> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  return { args: { folder: path }, open: () => openStorage(path) };
}

async function onPostgres(): Promise<Place> {
  const connectionString = inject('databaseUrl');
  const namespace = `test_${randomBytes(6).toString('hex')}`;
  onTestFinished(() => dropNamespace(connectionString, namespace));
  const args = { connectionString, namespace };
  return { args, open: () => postgresStorage(args) };
}

/** Everything that two processes reported. */
class Report {
  readonly puts = new Map<string, Put[]>();
  readonly writes = new Map<string, Writes[]>();
  readonly repeated: string[] = [];
  readonly ended = new Map<string, readonly string[]>();
  /** The threads of a round. */
  readonly touched = new Set<string>();

  hear({ ran, put, writes, ended }: Message): void {
    if (put) addTo(this.puts, put);
    if (writes) addTo(this.writes, writes);
    if (ended) this.ended.set(ended.thread, ended.log);
    if (put) this.touched.add(put.thread);
    if (!ran || ran.thread.startsWith(SHARED)) return;
    const before = this.storedWrites(ran.thread);
    if (before.some((each) => wordsIn(each).includes(ran.word))) {
      this.repeated.push(`${ran.thread}: ${ran.word}`);
    }
  }

  /**
   * Returns the writes that a run resumes with: those whose checkpoint is stored, too. LangGraph waits for no checkpoint
   * before it stores what the tasks of it wrote.
   */
  storedWrites(thread: string): readonly Writes[] {
    const ids = new Set(this.puts.get(thread)?.map(({ id }) => id));
    return (this.writes.get(thread) ?? []).filter(({ id }) => ids.has(id));
  }

  get count(): number {
    return [...this.puts.values()].flat().length;
  }
}

function addTo<Value extends Stored>(map: Map<string, Value[]>, value: Value): void {
  map.set(value.thread, [...(map.get(value.thread) ?? []), value]);
}

/** Returns the words that nodes left in their writes. */
function wordsIn({ values }: Writes): readonly string[] {
  return pairsIn(values).flatMap(([channel, value]) =>
    channel === 'log' && Array.isArray(value) ? value.map(String) : [],
  );
}

function pairsIn(values: string): readonly (readonly [channel: string, value: unknown])[] {
  return z.array(z.tuple([z.string(), z.unknown()])).parse(JSON.parse(values));
}

describe.each([
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
])('two processes with one checkpointer on %s', (_, placeOf) => {
  it(
    'lose nothing that was stored, and run no node twice whose writes were, when killed at any moment',
    { timeout: 120_000 + ROUNDS * 20_000 },
    async () => {
      const { args, open } = await placeOf();
      const storage = await open();
      onTestFinished(() => storage.close());
      // Open before the first kill, so that what it caches is older than what others write.
      const saver = await langGraphSaver(storage.database);
      const report = new Report();
      const rounds = [...MOMENTS, ...Array.from({ length: ROUNDS }, () => undefined)];
      for (const [round, moment] of rounds.entries()) {
        const dieAt = moment && { ...moment, number: 1 + Math.floor(Math.random() * 30) };
        const before = report.count;
        report.touched.clear();
        const children = NAMES.map((name, at) => {
          const durability = (round + at) % 2 === 0 ? 'sync' : 'async';
          const job = {
            ...args,
            name,
            shared: `${SHARED} ${round}`,
            durability,
            ...(at === 0 && { dieAt }),
          };
          const child = startChild('run-graphs', [JSON.stringify(job)]);
          return child.on('message', (message: Message) => report.hear(message));
        });
        // On a slow machine all rounds could end before anything was written.
        await expect.poll(() => report.count - before).toBeGreaterThan(10);
        await (dieAt
          ? vi.waitUntil(() => children[0]?.signalCode === 'SIGKILL', PATIENCE)
          : sleep(Math.random() * 500));
        await Promise.all(children.map(kill));
        // Their last messages may come after their end.
        await expect.poll(() => children.some(({ connected }) => connected)).toBe(false);

        expect(report.repeated).toEqual([]);
        for (const thread of report.touched) {
          await checkThread(saver, thread, report);
          expect(await lostWrites(storage.database, thread, report)).toEqual([]);
        }
      }
      expect([...report.ended.keys()]).not.toEqual([]);
      for (const log of report.ended.values()) expect(log).toEqual(WHOLE);
    },
  );
});

/** Checks that all of a thread that was stored is there, and that a list gives what is given one by one. */
async function checkThread(
  saver: BaseCheckpointSaver,
  thread: string,
  report: Report,
): Promise<void> {
  const config = { configurable: { thread_id: thread } };
  let listed: readonly CheckpointTuple[] = [];
  // The last commit of a process that was killed may come in the meantime.
  await vi.waitFor(async () => {
    const all: CheckpointTuple[] = [];
    for await (const tuple of saver.list(config)) all.push(tuple);
    const single = await Promise.all(all.map((tuple) => saver.getTuple(tuple.config)));
    expect(all).toEqual(single);
    expect(await saver.getTuple(config)).toEqual(all[0]);
    listed = all;
  }, PATIENCE);
  const tuples = new Map(listed.map((tuple) => [tuple.checkpoint.id, tuple]));
  expect(tuples.size).toBe(listed.length);
  for (const { id, parent, values } of report.puts.get(thread) ?? []) {
    const { checkpoint, parentConfig } = tuples.get(id) ?? {};
    expect(checkpoint?.channel_values).toEqual(JSON.parse(values));
    expect(parentConfig?.configurable?.['checkpoint_id'] ?? null).toBe(parent);
  }
  for (const { id, task, values } of report.storedWrites(thread)) {
    const pending = tuples.get(id)?.pendingWrites ?? [];
    const own = pending.filter(([by]) => by === task).map(([, channel, value]) => [channel, value]);
    for (const pair of pairsIn(values)) expect(own).toContainEqual(pair);
  }
}

/** Returns the writes that were stored, and are not in the database; also those whose checkpoint was not stored. */
async function lostWrites(
  database: Database,
  thread: string,
  report: Report,
): Promise<readonly Writes[]> {
  const rows = await database.query<{ id: string; task: string }>(
    'SELECT id, task FROM langgraph_write WHERE thread = ?',
    [thread],
  );
  const found = new Set(rows.map(({ id, task }) => `${id} ${task}`));
  return (report.writes.get(thread) ?? []).filter(({ id, task }) => !found.has(`${id} ${task}`));
}
