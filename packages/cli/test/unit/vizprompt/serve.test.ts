import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { startServer, type StartedServer } from '../../support/start-server.ts';
import { sharedProject, testProject, type TestProject } from '../../support/project.ts';

const bad = sharedProject();

async function serve(
  { place }: TestProject,
  words: readonly string[] = [],
): Promise<StartedServer> {
  const server = await startServer(place, 'vizprompt', ['serve', '--port', '0', ...words]);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

interface Answer {
  readonly id?: number | string;
  readonly status?: string;
  readonly node_id?: string;
  readonly event?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Collects the messages to a client, until `enough`. */
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
  it('serves the project over WebSocket, and ends with 0 though a client stays', async () => {
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
    expect(await server.stop()).toBe(0);
    const kept = await project.json(['get-node', answer?.node_id ?? '']);
    expect(kept).toMatchObject({ prompt: '質問内容', response: '回答内容' });
  });

  it('sends clients what other commands write to the project', async () => {
    const project = await testProject();
    const server = await serve(project);
    const heard = talk(
      server.url,
      [{ id: 1, action: 'subscribe', data: { event: 'node_created' } }],
      (all) => {
        // Another process writes only when it listens.
        if (all.length === 1) void project.json(['create-node', '--prompt', '別の端末から']);
        return all.some(({ event }) => event === 'node_created');
      },
    );
    expect((await heard).at(-1)?.data).toMatchObject({ node: { prompt: '別の端末から' } });
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
    expect(await server.stop('SIGINT')).toBe(0);
  });

  it('asks only the model that it was given, whatever config.yaml says', async () => {
    const llm = await startFakeLLM({ answer: 'はい。' });
    onTestFinished(() => llm.close());
    const project = await testProject();
    const config = join(project.place.cwd, 'config.yaml');
    const text = await readFile(config, 'utf8');
    await writeFile(
      config,
      text
        .replace('default_llm_provider: openai', 'default_llm_provider: ollama')
        .replace('http://localhost:11434', llm.url),
    );
    await project.node('猫は？', 'はい。');
    const asked = [
      { id: 1, action: 'build' },
      { id: 2, action: 'chat', data: { prompt: '犬は？' } },
      { id: 3, action: 'build', data: { offline: true } },
    ];
    const all = (answers: readonly Answer[]): boolean =>
      answers.filter(({ status }) => status !== undefined).length === asked.length;

    const server = await serve(project);
    const answers = await talk(server.url, asked, all);
    const of = (id: number): Answer | undefined =>
      answers.find((answer) => answer.id === id && answer.status !== undefined);
    for (const id of [1, 2]) {
      expect(of(id)).toMatchObject({ status: 'error', error: { code: 'no_model' } });
      expect(JSON.stringify(of(id))).toContain('--model');
    }
    expect(of(3)).toMatchObject({ status: 'success', data: { built: 1 } });
    expect(llm.requests).toEqual([]);
    expect(await server.stop()).toBe(0);
    expect(await project.json(['flow', 'list'])).toMatchObject([{ nodes: 1 }]);

    const told = await serve(project, ['--model']);
    const chat = await talk(told.url, [asked[1] ?? {}], (some) =>
      some.some(({ id, status }) => id === 2 && status !== undefined),
    );
    expect(chat.at(-1)).toMatchObject({ status: 'success' });
    expect(llm.requests).toHaveLength(1);
    expect(await told.stop()).toBe(0);
  });

  it('asks for the token and the origin', async () => {
    const token = '3f1c9a7e5b2d4860';
    const allowed = ['--token', token, '--allow-origin', 'https://a.example'];
    const server = await serve(await testProject(), allowed);
    const ask = { id: 1, action: 'list_flows', data: {} };
    const one = (answers: readonly Answer[]): boolean => answers.length === 1;
    await expect(talk(server.url, [ask], one)).rejects.toThrow('401');
    const headers = { authorization: `Bearer ${token}` };
    const from = (origin: string): Promise<readonly Answer[]> =>
      talk(server.url, [ask], one, { headers, origin });
    await expect(from('https://b.example')).rejects.toThrow('403');
    expect(await from('https://a.example')).toMatchObject([{ id: 1, status: 'success' }]);
    expect(await server.stop()).toBe(0);
  });

  it('makes a token up where others than this machine can come', async () => {
    const server = await serve(await testProject(), ['--host', '0.0.0.0']);
    expect(server.token).toMatch(/^.{32}$/);
    const url = server.url.replace('0.0.0.0', '127.0.0.1');
    const headers = { authorization: `Bearer ${server.token}` };
    const ask = { id: 'あ', action: 'list_tags', data: {} };
    const answers = await talk(url, [ask], ({ length }) => length === 1, { headers });
    expect(answers).toMatchObject([{ id: 'あ', status: 'success' }]);
    expect(await server.stop()).toBe(0);
  });

  it('says that a port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const { code, stderr } = await bad.run(['serve', '--port', port]);
    expect(code).toBe(4);
    expect(stderr).toContain(`address already in use 127.0.0.1:${port}`);
  });

  it.each([
    [['--port', '70000'], 2, 'expected a whole number from 0 to 65535'],
    [['--token', 'kurz'], 2, 'at least 16 characters'],
    [['--path', 'x'], 2, "the path 'x' must begin with /"],
    [['--model', 'x'], 2, "'x' names no model"],
  ])('refuses %j', async (words, code, message) => {
    const result = await bad.run(['serve', ...words]);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });
});
