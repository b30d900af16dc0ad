import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { startFakeLLM } from '@vizprompt/providers/testing';
import type { TalkResult } from '@vizprompt/talktable';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openManager, temporaryFolder } from '../../support/support.ts';

const child = fileURLToPath(new URL('../../children/lead-talk.mjs', import.meta.url));
/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 3);

interface Job {
  readonly logPath: string;
  readonly url: string;
  readonly conversationId: string;
  readonly resume?: boolean;
  readonly rounds?: number;
  readonly dieAt?: { readonly point: string; readonly number: number };
}

interface Outcome {
  readonly signal: NodeJS.Signals | undefined;
  readonly output: { readonly status?: string; readonly code?: string; readonly message?: string };
}

function lead(job: Job, shell?: (command: string) => string): Promise<Outcome> {
  return new Promise((resolve) => {
    const args = [child, JSON.stringify(job)];
    const quoted = [process.execPath, ...args].map((arg) => `'${arg}'`).join(' ');
    const [file, given] = shell
      ? ['/bin/sh', ['-c', shell(`exec ${quoted}`)]]
      : [process.execPath, args];
    execFile(file, given, (error, stdout) => {
      const signal = error?.signal ?? undefined;
      resolve({ signal, output: stdout === '' ? {} : (JSON.parse(stdout) as Outcome['output']) });
    });
  });
}

/** Continues a talk as another process does, within this one. */
async function resume({ logPath, url, conversationId }: Job): Promise<TalkResult> {
  const model = createModelRegistry({ openai: { baseURL: `${url}/v1`, apiKey: 'k' } }).model(
    'openai:m',
  );
  const manager = await openManager({
    topic: 't',
    participants: ['A', 'B'].map((name) => ({ name, model })),
    moderator: { model },
    rounds: 1,
    logPath,
  });
  return manager.resume(conversationId).result();
}

interface LoggedRow {
  readonly turn_number: number;
  readonly speaker_name: string;
  readonly response: string;
  readonly status: string;
  readonly attempt: number;
}

function rowsOf(logPath: string): LoggedRow[] {
  const database = new Sqlite(logPath, { readonly: true });
  try {
    return database
      .prepare(
        'SELECT turn_number, speaker_name, response, status, attempt FROM conversation_log ORDER BY id',
      )
      .all() as LoggedRow[];
  } finally {
    database.close();
  }
}

describe('a process that is killed with SIGKILL', () => {
  // Turn 0 is the MC's, 1 and 2 are A's and B's, 3 sums up, 4 closes.
  it.each([
    ['before-row', 1, 1, 1],
    ['row-written', 2, 2, 2],
    ['before-call', 3, 2, 4],
    ['delta', 1, 2, 2],
    ['answered', 2, 2, 3],
    ['row-finished', 3, 1, 4],
  ])('%s of turn %i: no turn is lost or doubled', async (point, number, attempt, askedBefore) => {
    await using llm = await startFakeLLM({ answer: '話' });
    const logPath = join(await temporaryFolder(), 'logs/conversation.db');
    const job = { logPath, url: llm.url, conversationId: 'talk' };
    const killed = await lead({ ...job, dieAt: { point, number } });
    expect(killed.signal).toBe('SIGKILL');
    expect(llm.requests.length).toBeLessThanOrEqual(askedBefore);
    const before = rowsOf(logPath).filter(({ status }) => status === 'done');
    expect(await resume(job)).toMatchObject({ status: 'done' });
    const rows = rowsOf(logPath);
    expect(rows.slice(0, before.length)).toEqual(before);
    expect(rows.map((row) => [row.turn_number, row.speaker_name, row.status])).toEqual([
      [0, 'MC', 'done'],
      [1, 'A', 'done'],
      [2, 'B', 'done'],
      [3, 'MC', 'done'],
      [4, 'MC', 'done'],
    ]);
    const isRepeated = attempt === 2;
    expect(rows.map((row) => row.attempt)).toEqual(
      rows.map((row) => (isRepeated && row.turn_number === number ? 2 : 1)),
    );
  });

  it('at any moment, again and again, ends up with every turn once', async () => {
    await using llm = await startFakeLLM({ answer: '短い話です。', chunkDelayMs: 8 });
    const logPath = join(await temporaryFolder(), 'conversation.db');
    const job = { logPath, url: llm.url, conversationId: 'talk', rounds: 4 + ROUNDS };
    let done: LoggedRow[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const leader = spawn(process.execPath, [
        child,
        JSON.stringify({ ...job, resume: round > 0 }),
      ]);
      const exit = new Promise((resolve) => leader.once('exit', resolve));
      const asked = llm.requests.length;
      // Loading takes a time of its own; from the first call on any moment will do.
      const wanted = asked + 1 + Math.floor(Math.random() * 3);
      await expect.poll(() => llm.requests.length).toBeGreaterThanOrEqual(wanted);
      await sleep(Math.random() * 50);
      leader.kill('SIGKILL');
      await exit;
      const rows = rowsOf(logPath);
      expect(rows.slice(0, done.length)).toEqual(done);
      done = rows.filter(({ status }) => status === 'done');
      expect(rows.length - done.length).toBeLessThanOrEqual(1);
    }
    expect((await lead({ ...job, resume: true })).output).toMatchObject({ status: 'done' });
    const rows = rowsOf(logPath);
    expect(rows.map((row) => row.turn_number)).toEqual(rows.map((_, at) => at));
    expect(rows).toHaveLength(1 + 3 * (4 + ROUNDS) + 1);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['done']));
  });
});

describe('a log that cannot be written', () => {
  it('is one clear error before any model is asked', async () => {
    await using llm = await startFakeLLM();
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'logs'));
    const logPath = join(folder, 'logs/conversation.db');
    const job = { logPath, url: llm.url, conversationId: 'talk' };
    // A log that is there, and then may only be read.
    expect((await lead(job)).output).toMatchObject({ status: 'done' });
    const asked = llm.requests.length;
    await chmod(logPath, 0o444);
    await chmod(join(folder, 'logs'), 0o555);
    onTestFinished(() => chmod(join(folder, 'logs'), 0o755));
    await chmod(folder, 0o755);
    // Root may write everything, unless it lets go of that.
    const asReader = (command: string): string =>
      process.getuid?.() === 0
        ? `exec setpriv --bounding-set=-dac_override ${command.slice(5)}`
        : command;
    const { output } = await lead({ ...job, conversationId: 'second' }, asReader);
    expect(output).toMatchObject({ code: 'log-unwritable' });
    expect(output.message).toContain(`the log of talks in ${logPath} cannot be written: `);
    expect(output.message).toContain('choose another logPath');
    expect(llm.requests).toHaveLength(asked);
  });

  it('in the middle, as the disk is full, pauses the talk and loses no finished turn', async () => {
    await using llm = await startFakeLLM({ answer: '長い話です。'.repeat(400) });
    const logPath = join(await temporaryFolder(), 'conversation.db');
    const job = { logPath, url: llm.url, conversationId: 'talk', rounds: 10 };
    // No file may grow beyond 800 blocks of 512 bytes.
    const { output } = await lead(job, (command) => `ulimit -f 800; ${command}`);
    expect(output).toMatchObject({ code: 'log-unwritable' });
    expect(output.message).toContain(`the log of talks in ${logPath} cannot be written: `);
    expect(output.message).toContain('Make room');
    expect((await stat(logPath)).size).toBeLessThanOrEqual(800 * 512);
    const before = rowsOf(logPath).filter(({ status }) => status === 'done');
    expect(before.length).toBeGreaterThan(1);
    expect(before.length).toBeLessThan(20);
    expect((await lead({ ...job, resume: true })).output).toMatchObject({ status: 'done' });
    const rows = rowsOf(logPath);
    expect(rows.slice(0, before.length)).toEqual(before);
    expect(rows.map((row) => row.turn_number)).toEqual(Array.from({ length: 32 }, (_, at) => at));
  });
});
