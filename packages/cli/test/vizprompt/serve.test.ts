import { once } from 'node:events';
import { createServer } from 'node:net';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { RunResult } from '../support/run.ts';
import { sharedProject, testProject, type TestProject } from './project.ts';

const bad = sharedProject();

/** A server that runs as a process. */
interface Served {
  readonly url: string;
  /** Sends it SIGTERM, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<RunResult>;
}

async function serve(
  { run }: TestProject,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  let kill = (_: NodeJS.Signals): unknown => undefined;
  let ended: Promise<RunResult> | undefined;
  const url = await new Promise<string>((found, fail) => {
    ended = run(['serve', '--port', '0', '--json', ...words], {
      env,
      timeoutMs: 60_000,
      onStart(child) {
        kill = (signal) => child.kill(signal);
        child.stdout?.once('data', (text: string) => {
          found((JSON.parse(text) as { url: string }).url);
        });
      },
    });
    ended.then(({ stderr }) => fail(new Error(`the server ended: ${stderr}`)), fail);
  });
  onTestFinished(() => void kill('SIGKILL'));
  return {
    url,
    async stop(signal = 'SIGTERM') {
      kill(signal);
      if (!ended) throw new Error('it never began');
      return ended;
    },
  };
}

interface Answer {
  readonly id?: number;
  readonly status?: string;
  readonly node_id?: string;
  readonly event?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What a client got, until `enough`. */
async function talk(
  url: string,
  messages: readonly object[],
  enough: (answers: readonly Answer[]) => boolean,
  options: object = {},
): Promise<readonly Answer[]> {
  const socket = new WebSocket(url, options);
  const answers: Answer[] = [];
  const done = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      answers.push(JSON.parse(data.toString('utf8')) as Answer);
      if (enough(answers)) resolve();
    });
  });
  socket.once('open', () => {
    for (const message of messages) socket.send(JSON.stringify(message));
  });
  await done;
  socket.close();
  await once(socket, 'close');
  return answers;
}

describe('vizprompt serve', () => {
  it('serves the project by the protocol of the design, and ends with 0', async () => {
    const project = await testProject();
    const server = await serve(project);
    const [answer] = await talk(
      server.url,
      [{ id: 1, action: 'create_node', data: { prompt: '質問内容', response: '回答内容' } }],
      (answers) => answers.length === 1,
    );
    expect(answer).toMatchObject({ id: 1, status: 'success' });
    // A client that stays does not keep the server from its end.
    const idle = new WebSocket(server.url);
    await once(idle, 'open');
    const { code, stderr } = await server.stop();
    expect([code, stderr]).toEqual([0, '']);
    const kept = await project.json(['get-node', answer?.node_id ?? '']);
    expect(kept).toMatchObject({ prompt: '質問内容', response: '回答内容' });
  });

  it('lets clients talk with the model that it was given', async () => {
    const llm = await startFakeLLM({ answer: 'はい、猫です。' });
    onTestFinished(() => llm.close());
    const server = await serve(await testProject(), ['--model', 'ollama:m', '--base-url', llm.url]);
    const answers = await talk(
      server.url,
      [{ id: 1, action: 'chat', data: { prompt: '猫は？' } }],
      (all) => all.some(({ status }) => status !== undefined),
    );
    expect(answers.at(-1)).toMatchObject({ status: 'success' });
    expect(JSON.stringify(answers)).toContain('はい、猫です。');
    expect((await server.stop('SIGINT')).code).toBe(0);
  });

  it('asks for the token, of an option or the environment, and for the origin', async () => {
    const token = 'とても長いトークンなので誰も知りません';
    const ask = { id: 1, action: 'list_flows', data: {} };
    const one = (answers: readonly Answer[]): boolean => answers.length === 1;
    for (const [words, env] of [
      [['--token', token], {}],
      [[], { VIZPROMPT_TOKEN: token }],
    ] as const) {
      const server = await serve(
        await testProject(),
        [...words, '--allow-origins', 'https://a.example'],
        env,
      );
      await expect(talk(server.url, [ask], one)).rejects.toThrow('401');
      const protocols = { headers: { authorization: `Bearer ${encodeURIComponent(token)}` } };
      await expect(
        talk(server.url, [ask], one, { ...protocols, origin: 'https://b.example' }),
      ).rejects.toThrow('403');
      expect((await server.stop()).code).toBe(0);
    }
  });

  it('says that a port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const { code, stderr } = await bad.run(['serve', '--port', port]);
    expect(code).toBe(1);
    expect(stderr).toContain(`address already in use 127.0.0.1:${port}`);
  });

  it.each([
    [['--port', '70000'], 2, 'It must be a whole number from 0 to 65535.'],
    [['--host', '0.0.0.0'], 2, 'needs a token'],
    [['--token', 'kurz'], 2, 'at least 16 characters'],
    [['--path', 'x'], 2, "the path 'x' must begin with /"],
    [['--model', 'x'], 2, "'x' names no model"],
  ])('refuses %j', async (words, code, message) => {
    const result = await bad.run(['serve', ...words]);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });
});
