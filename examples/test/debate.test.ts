import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';
import { describe, expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../debate.ts', import.meta.url));
const tsx = createRequire(import.meta.url).resolve('tsx');

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Waits until the output holds the text. */
  until(text: string): Promise<void>;
  readonly exit: Promise<number | null>;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-debate-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** In one process, so that a signal meets the program itself. */
function start(cwd: string, ...args: readonly string[]): Started {
  const all = ['--import', tsx, program, '--log', 'talk.db', '--stand-in', ...args];
  const child = spawn(process.execPath, all, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const heard = new Set<() => void>();
  const hear = (text: Buffer): void => {
    output += text.toString();
    for (const one of heard) one();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    child,
    output: () => output,
    exit,
    until: (text) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!output.includes(text)) return;
          heard.delete(check);
          resolve();
        };
        heard.add(check);
        check();
      }),
  };
}

async function statusesIn(folder: string): Promise<{ talk: string; turns: string[] }> {
  const database = sqliteDatabase({ path: join(folder, 'talk.db') });
  try {
    const [meta] = await database.query('SELECT status FROM conversation_meta');
    const rows = await database.query<{ turn_number: number; status: string; attempt: number }>(
      'SELECT turn_number, status, attempt FROM conversation_log ORDER BY id',
    );
    return {
      talk: String(meta?.['status']),
      turns: rows.map((row) => `${row.turn_number} ${row.status} ${row.attempt}`),
    };
  } finally {
    await database.close();
  }
}

it('a talk that a project records becomes a flow, turn after turn', async () => {
  const folder = await temporaryFolder();
  await using vizprompt = await VizPrompt.open(join(folder, 'project'));
  const model = scriptedModel((_, call) => `発言${call}`);
  await using manager = await ConversationManager.open(
    {
      topic: '猫と犬',
      participants: ['A', 'B'].map((name) => ({ name, model })),
      moderator: { model },
      rounds: 1,
      logPath: join(folder, 'talk.db'),
    },
    { recorders: [{ recorder: vizprompt.recorder(), required: true }] },
  );
  const stop = manager.on('turn:started', ({ turn }) => turn.number === 2 && void manager.pause());
  const run = manager.start({ conversationId: '討論' });
  await run.result();
  stop();
  await manager.resume('討論').result();
  const [found] = await vizprompt.listFlows();
  const flow = await vizprompt.getFlow(found?.id ?? '');
  expect(flow.nodes).toHaveLength(5);
  expect(flow.connections).toHaveLength(4);
  const nodes = await Promise.all(flow.nodes.map(({ id }) => vizprompt.getNode(id)));
  expect(nodes.map(({ speaker, response }) => [speaker, response])).toEqual(
    ['MC', 'A', 'B', 'MC', 'MC'].map((name, at) => [name, `発言${at}`]),
  );
  // A node without a status is done.
  expect(nodes.map(({ status }) => status)).toEqual(nodes.map(() => undefined));
  expect(nodes[2]?.prompt).toContain('A: 発言1');
});

describe('the debate', () => {
  it('runs without any key, and writes a page', async () => {
    const folder = await temporaryFolder();
    const talk = start(folder, '--delay-ms', '0', '--rounds', '1', '--html', 'talk.html');
    expect(await talk.exit).toBe(0);
    expect(talk.output()).toMatch(
      /0 司会: .*\n\n1 猫派: .*\n\n2 犬派: .*\n\n3 司会: .*\n\n4 司会: /s,
    );
    expect(talk.output()).toContain('done: rounds: 1, 2 turns');
    expect(await readFile(join(folder, 'talk.html'), 'utf8')).toContain('<bdi>猫派</bdi>');
  });

  it('Ctrl+C once: pauses after the turn, asks, and goes on', async () => {
    const folder = await temporaryFolder();
    const talk = start(folder, '--rounds', '1');
    await talk.until('1 猫派: ');
    talk.child.kill('SIGINT');
    await talk.until('continue or stop? [c/s] ');
    expect(await statusesIn(folder)).toEqual({ talk: 'paused', turns: ['0 done 1', '1 done 1'] });
    talk.child.stdin?.write('c\n');
    expect(await talk.exit).toBe(0);
    expect((await statusesIn(folder)).talk).toBe('done');
    expect((await statusesIn(folder)).turns).toEqual(
      [0, 1, 2, 3, 4].map((number) => `${number} done 1`),
    );
  });

  it('Ctrl+C twice: stops at once with the log whole, and --resume goes on', async () => {
    const folder = await temporaryFolder();
    const talk = start(folder, '--rounds', '1', '--delay-ms', '150');
    await talk.until('1 猫派: ');
    talk.child.kill('SIGINT');
    await talk.until('pausing');
    talk.child.kill('SIGINT');
    expect(await talk.exit).toBe(0);
    expect(await statusesIn(folder)).toEqual({
      talk: 'stopped',
      turns: ['0 done 1', '1 aborted 1'],
    });
    const id = /conversation (\S+)/.exec(talk.output())?.[1] ?? '';
    const again = start(folder, '--rounds', '1', '--delay-ms', '0', '--resume', id);
    expect(await again.exit).toBe(0);
    expect((await statusesIn(folder)).turns[1]).toBe('1 done 2');
    expect((await statusesIn(folder)).turns).toHaveLength(5);
  });

  it('Ctrl+C at the question stops', async () => {
    const folder = await temporaryFolder();
    const talk = start(folder, '--rounds', '1');
    await talk.until('1 猫派: ');
    talk.child.kill('SIGINT');
    await talk.until('continue or stop?');
    talk.child.kill('SIGINT');
    expect(await talk.exit).toBe(0);
    expect((await statusesIn(folder)).talk).toBe('paused');
  });

  it('says in one sentence what is wrong', async () => {
    const folder = await temporaryFolder();
    const talk = start(folder, '--model', 'nowhere:m');
    expect(await talk.exit).toBe(1);
    expect(talk.output()).toMatch(/^'participants\[0\]\.model': there is no provider 'nowhere'/);
    const other = start(folder, '--config', 'none.yaml');
    expect(await other.exit).toBe(1);
    expect(other.output()).toContain('none.yaml: it cannot be read');
  });
});
