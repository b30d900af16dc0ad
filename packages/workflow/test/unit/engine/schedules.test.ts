import { openStorage } from '@vizprompt/providers/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lint, WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';
import type { Schedule } from '../../../src/definition/workflow-file.ts';
import { SqlJournal } from '../../../src/journal/sql-journal.ts';
import { nextTime, timesBetween } from '../../../src/language/cron.ts';
import { LocalSchedules } from '../../../src/runtime/local-schedules.ts';
import { temporaryFolder } from '../../support/engine/open-engine.ts';

function fileOf(schedule: Partial<Schedule> = {}): WorkflowFile {
  return {
    workflows: {
      flow: {
        steps: [
          {
            id: 'do',
            type: 'function',
            function: 'work',
            input_variables: { at: 'user_input.at' },
          },
        ],
      },
    },
    schedules: { hourly: { workflow: 'flow', cron: '0 * * * *', ...schedule } },
  };
}

/** A process that follows the schedule at a time, and what it started. */
async function follow(
  storage: Awaited<ReturnType<typeof openStorage>>,
  at: string,
  schedule: Partial<Schedule> = {},
  work: (input: { readonly at?: unknown }) => unknown = ({ at: due }) => due,
): Promise<{ readonly started: readonly string[]; readonly errors: readonly unknown[] }> {
  const started: string[] = [];
  const errors: unknown[] = [];
  const results: Promise<unknown>[] = [];
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  await using engine = await WorkflowEngine.open({
    files: fileOf(schedule),
    storage,
    functions: {
      // No run ends before the clock was looked at.
      work: async (input) => {
        await isOpen;
        return work(input) as never;
      },
    },
    clock: () => new Date(at),
  });
  await using schedules = await engine.startSchedules({
    onRun: (run) => {
      started.push(run.id);
      results.push(run.result.catch(() => undefined));
    },
    onError: (error) => errors.push(error),
  });
  open();
  expect(schedules.next()['hourly']).toMatch(/:[03]0:00\.000Z$/);
  if (work.length < 2) await Promise.all(results);
  return { started, errors };
}

async function opened(): Promise<Awaited<ReturnType<typeof openStorage>>> {
  const storage = await openStorage(await temporaryFolder());
  onTestFinished(() => storage.close());
  return storage;
}

describe('schedules', () => {
  it('start one run for each time, whichever process is there', async () => {
    const storage = await opened();
    expect((await follow(storage, '2026-03-01T00:30:00Z')).started).toEqual([]);
    const due = ['hourly@2026-03-01T01:00:00.000Z'];
    expect((await follow(storage, '2026-03-01T01:00:01Z')).started).toEqual(due);
    // Another process, or the same one again.
    expect((await follow(storage, '2026-03-01T01:00:02Z')).started).toEqual([]);
    await using engine = await WorkflowEngine.open({ files: [], storage });
    const run = await engine.run(due[0] ?? '');
    expect(run).toMatchObject({
      status: 'done',
      output: '2026-03-01T01:00:00.000Z',
      input: { schedule: 'hourly', at: '2026-03-01T01:00:00.000Z' },
    });
  });

  it.each([
    ['last', ['hourly@2026-03-01T04:00:00.000Z']],
    ['all', [2, 3, 4].map((hour) => `hourly@2026-03-01T0${hour}:00:00.000Z`)],
    ['skip', []],
  ] as const)('make up for missed times: %s', async (missed, ids) => {
    const storage = await opened();
    await follow(storage, '2026-03-01T01:30:00Z', { missed });
    expect((await follow(storage, '2026-03-01T04:30:00Z', { missed })).started).toEqual(ids);
    expect((await follow(storage, '2026-03-01T04:31:00Z', { missed })).started).toEqual([]);
    // A time that is due now was not missed.
    const now = await follow(storage, '2026-03-01T05:00:30Z', { missed });
    expect(now.started).toEqual(['hourly@2026-03-01T05:00:00.000Z']);
  });

  it('that changed begin again', async () => {
    const storage = await opened();
    await follow(storage, '2026-03-01T01:30:00Z');
    const changed = { cron: '30 * * * *' };
    expect((await follow(storage, '2026-03-01T03:31:00Z', changed)).started).toEqual([]);
    expect((await follow(storage, '2026-03-01T04:30:00Z', changed)).started).toEqual([
      'hourly@2026-03-01T04:30:00.000Z',
    ]);
  });

  it('continue runs whose process ended, and skip times at which one is running', async () => {
    const storage = await opened();
    const overlap = 'skip';
    await follow(storage, '2026-03-01T00:30:00Z', { overlap });
    const first = await follow(
      storage,
      '2026-03-01T01:00:00Z',
      { overlap },
      (_input, _isAwaited?: never) => new Promise(() => undefined),
    );
    expect(first.started).toEqual(['hourly@2026-03-01T01:00:00.000Z']);
    // The engine was closed, and its run is continued by the next one; meanwhile another time is due.
    const next = await follow(storage, '2026-03-01T02:00:00Z', { overlap });
    expect(next.started).toEqual(['hourly@2026-03-01T01:00:00.000Z']);
    const later = await follow(storage, '2026-03-01T03:00:00Z', { overlap });
    expect(later.started).toEqual(['hourly@2026-03-01T03:00:00.000Z']);
  });

  it('continue their own runs only, however many newer ones there are', async () => {
    const storage = await opened();
    await using engine = await WorkflowEngine.open({
      files: fileOf(),
      storage,
      functions: { work: () => new Promise(() => undefined) },
      clock: () => new Date('2026-03-01T01:00:00Z'),
    });
    const own = 'hourly@2026-03-01T01:00:00.000Z';
    await engine.start('flow', { at: '' }, { runId: own });
    for (let number = 0; number < 101; number++) {
      await engine.start('flow', { at: '' }, { runId: `hourly@order-${number}` });
    }
    await engine.close();
    expect((await follow(storage, '2026-03-01T01:00:01Z')).started).toEqual([own]);
  });

  it('of processes with two rules each start, while a deployment rolls out', async () => {
    const storage = await opened();
    let now = Date.parse('2026-03-01T00:50:00Z');
    const start = async (minute: number, started: string[]): Promise<LocalSchedules> => {
      const schedule: Schedule = { workflow: 'flow', cron: `${minute} * * * *` };
      const runAt = (dueMs: number): never => dueMs as never;
      const journal = await SqlJournal.open(storage);
      onTestFinished(() => journal.close());
      return new LocalSchedules([{ name: 'hourly', schedule, runAt }], {
        journal,
        now: () => now,
        start: async (_, dueMs) => {
          started.push(new Date(dueMs).toISOString().slice(11, 16));
          return {} as never;
        },
        onRun: () => undefined,
        onError: (error) => expect.fail(String(error)),
        resume: () => expect.fail('there is no run'),
      });
    };
    const [before, after]: string[][] = [[], []];
    const followers = [await start(0, before ?? []), await start(30, after ?? [])];
    for (; now <= Date.parse('2026-03-01T03:00:00Z'); now += 600_000) {
      for (const one of followers) await one.look();
    }
    expect(before).toEqual(['01:00', '02:00', '03:00']);
    expect(after).toEqual(['01:30', '02:30']);
  });

  it.each([0, 1, 700, 999])('find the newest time %i ms after it', (ms) => {
    const due = Date.parse('2026-03-01T01:00:00Z');
    for (const cron of ['* * * * * *', '* * * * *']) {
      const found = timesBetween({ cron }, { after: due - 5000, until: due + ms, most: 1 });
      expect(found).toEqual([due]);
    }
    const late = { after: due - 5000, until: due + 59_000 + ms, most: 1 };
    expect(timesBetween({ cron: '* * * * *' }, late)).toEqual([due]);
  });

  it('try again what could not be started, and stop with their engine', async () => {
    await using engine = await WorkflowEngine.open({
      files: fileOf(),
      functions: { work: () => 1 },
    });
    await expect(engine.startSchedules({ names: ['daily'] })).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('hourly'),
    });
    const schedules = await engine.startSchedules();
    await engine.close();
    await schedules.close();
  });

  it.each([
    // Summer time begins: 02:30 does not exist on the 29th in Berlin, and has one run.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2],
    // It ends: 02:30 comes twice on the 25th of October, and has one run.
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2],
    ['0 9 * * *', 'Asia/Tokyo', '2026-03-28T12:00:00Z', 2],
    ['*/10 * * * *', 'UTC', '2026-03-28T12:00:00Z', 288],
  ])('find the times of two days: %s in %s', (cron, timeZone, from, count) => {
    const after = Date.parse(from);
    const until = after + 2 * 24 * 3600 * 1000;
    const forwards: number[] = [];
    for (let time = nextTime({ cron, timeZone }, after); time !== undefined && time <= until;) {
      forwards.push(time);
      time = nextTime({ cron, timeZone }, time);
    }
    expect(forwards).toHaveLength(count);
    const newest = timesBetween({ cron, timeZone }, { after, until, most: 50 });
    expect(newest).toEqual(forwards.slice(-50));
    const [first = 0, last = 0] = [forwards[0], forwards.at(-1)];
    expect(timesBetween({ cron, timeZone }, { after: last, until, most: 5 })).toEqual([]);
    expect(timesBetween({ cron, timeZone }, { after: first - 1, until: first, most: 5 })).toEqual([
      first,
    ]);
  });

  it('are checked with the files', async () => {
    const problems = await lint({
      ...fileOf({ cron: '61 * * * *', timeZone: 'Asia/Tokio', workflow: 'flaw', promptSet: 'x' }),
      webhooks: {
        hook: { workflow: 'flow', scheme: 'github', secret: 'geheim', when: 'body.x ==' },
        'a b': { workflow: 'flow', scheme: 'githup' as never, secret: '${X}' },
      },
    });
    expect(problems.map(({ code, path }) => `${code} ${path}`).toSorted()).toEqual([
      'bad-cron schedules.hourly.cron',
      'bad-name webhooks.a b',
      'bad-time-zone schedules.hourly.timeZone',
      'condition-syntax webhooks.hook.when',
      'plain-secret webhooks.hook.secret',
      'unknown-set schedules.hourly.promptSet',
      'unknown-workflow schedules.hourly.workflow',
    ]);
  });
});
