import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it, onTestFinished } from 'vitest';
import {
  createWorkflowHandler,
  type FetchHandler,
  toNodeListener,
  type WorkflowHandlerOptions,
} from '../../../src/http/index.ts';
import { WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';

const FILES: WorkflowFile = {
  agent_roles: { poet: { system_prompt: '', model: 'm' } },
  prompts: { write: 'About {{ topic }}', well: 'Well?' },
  workflows: {
    poem: {
      inputs: { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } },
      steps: [
        {
          id: 'write',
          type: 'agent_interaction',
          agent_id: 'poet',
          prompt_id: 'write',
          input_variables: { topic: 'user_input.topic' },
        },
        { id: 'well', type: 'human', prompt_id: 'well', output_variable: 'said' },
      ],
    },
  },
};

async function opened(options: WorkflowHandlerOptions = {}): Promise<{
  readonly engine: WorkflowEngine;
  readonly handler: FetchHandler;
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    more?: Record<string, string>,
  ) => Promise<Response>;
}> {
  const m = scriptedModel(() => 'a <cat>');
  const engine = await WorkflowEngine.open({ files: FILES, models: { m } });
  onTestFinished(() => engine.close());
  const handler = createWorkflowHandler(engine, { basePath: '/flows', ...options });
  const send = (
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Response> =>
    handler(
      new Request(`http://localhost/flows${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...more },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  return { engine, handler, send };
}

/** The messages of a stream, as `name data`. */
async function messagesOf(response: Response): Promise<readonly (readonly [string, never])[]> {
  const text = await response.text();
  return text
    .split('\n\n')
    .filter((message) => message.includes('data: '))
    .map((message) => {
      const fields = Object.fromEntries(
        message
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      return [fields['event'] ?? '', JSON.parse(fields['data'] ?? 'null') as never] as const;
    });
}

it('starts, shows, streams and answers a run', async () => {
  const { engine, send } = await opened();
  const started = await send(
    'POST',
    '/workflows/poem',
    { topic: 'cats' },
    { 'idempotency-key': 'k' },
  );
  expect([started.status, await started.json()]).toEqual([202, { runId: 'poem@k' }]);
  const again = await send(
    'POST',
    '/workflows/poem',
    { topic: 'cats' },
    { 'idempotency-key': 'k' },
  );
  expect([again.status, await again.json()]).toEqual([200, { runId: 'poem@k' }]);
  const streamed = messagesOf(await send('GET', '/runs/poem@k/events'));
  const run = await engine.attach('poem@k');
  for await (const { type } of run) if (type === 'step:waiting') break;
  const state = await (await send('GET', '/runs/poem%40k')).json();
  expect(state).toMatchObject({ status: 'waiting', waiting: [{ path: 'well#1' }] });
  const page = await (await send('GET', '/runs/poem@k/page')).text();
  expect(page).toContain('<form data-path="well#1">');
  expect(page).not.toContain('<cat>');
  const answered = await send('POST', '/runs/poem@k/answer', { path: 'well#1', value: 'yes' });
  expect(answered.status).toBe(202);
  const messages = await streamed;
  expect(messages[0]).toMatchObject(['run', { id: 'poem@k' }]);
  expect(messages.at(-1)).toMatchObject(['run:ended', { status: 'done', output: 'yes' }]);
  const { runs } = (await (await send('GET', '/runs')).json()) as { runs: unknown[] };
  expect(runs).toHaveLength(1);
  const done = await (await send('GET', '/runs/poem@k/page')).text();
  // A page of a run that has ended holds no script.
  expect(done).not.toContain('<script>');
  expect(done).toContain('About cats');
});

it.each([
  ['GET', '/runs/none', undefined, 404, 'not-found'],
  ['GET', '/nothing', undefined, 404, 'not-found'],
  ['GET', '/hooks/none', undefined, 404, 'not-found'],
  ['DELETE', '/runs', undefined, 405, 'method-not-allowed'],
  ['POST', '/workflows/poem', { topic: 1 }, 400, 'invalid-input'],
  ['POST', '/workflows/none', {}, 404, 'not-found'],
  ['POST', '/workflows/poem', { topic: 'x'.repeat(200) }, 400, 'invalid-input'],
  ['POST', '/runs/none/answer', {}, 400, 'invalid-input'],
  ['POST', '/runs/none/cancel', undefined, 404, 'not-found'],
  ['GET', '/runs/%E0%A4%A', undefined, 400, 'invalid-input'],
])('%s %s: a problem', async (method, path, body, status, code) => {
  const { send } = await opened({ maxBodyBytes: 100 });
  const response = await send(method, path, body);
  expect(response.headers.get('content-type')).toContain('problem+json');
  expect([response.status, await response.json()]).toEqual([
    status,
    expect.objectContaining({ status, code }),
  ]);
});

it('answers only those that may ask', async () => {
  const token = 'a-token-of-20-chars!';
  const { send, handler } = await opened({
    token,
    authorize: ({ url }) => !url.includes('secret'),
    allowedOrigins: ['https://app.example'],
  });
  const asked = async (path: string, headers: Record<string, string>): Promise<number> =>
    (await send('GET', path, undefined, headers)).status;
  const authorization = `Bearer ${token}`;
  expect(await asked('/runs', {})).toBe(401);
  expect(await asked('/runs', { authorization: 'Bearer wrong' })).toBe(401);
  expect(await asked('/runs', { authorization })).toBe(200);
  expect(await asked('/runs/secret', { authorization })).toBe(403);
  expect(await asked('/runs', { authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await asked('/runs', { authorization, origin: 'https://app.example' })).toBe(200);
  const elsewhere = await handler(new Request('http://evil.example/flows/runs'));
  expect(elsewhere.status).toBe(421);
  // Some servers pass on a name that no URL may have.
  const unnamed = new Request('http://localhost/flows/runs');
  Object.defineProperty(unnamed, 'url', { value: 'http://xn--localhost/flows/runs' });
  expect((await handler(unnamed)).status).toBe(421);
  // Pages of other origins cannot send JSON without a preflight request.
  const plain = await send(
    'POST',
    '/workflows/poem',
    {},
    { authorization, 'content-type': 'text/plain' },
  );
  expect(plain.status).toBe(400);
});

it('serves as a listener of node:http, under a router of Express, with bodies that were read', async () => {
  const { handler, engine } = await opened();
  const listener = toNodeListener(handler);
  const server = createServer((request, response) => {
    // Express passes a request like this to a handler mounted under /flows after express.json().
    const isParsed = request.headers['x-parsed'] !== undefined;
    Object.assign(request, {
      originalUrl: request.url,
      ...(isParsed ? { body: { topic: 'b' } } : {}),
    });
    request.url = request.url?.replace('/flows', '') ?? '/';
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const at = `http://127.0.0.1:${port}/flows`;
  const post = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${at}/workflows/poem`, {
      method: 'POST',
      body: '{"topic":"a"}',
      headers: { 'content-type': 'application/json', ...headers },
    });
  expect((await post({ 'idempotency-key': '1' })).status).toBe(202);
  expect((await post({ 'idempotency-key': '2', 'x-parsed': '1' })).status).toBe(202);
  expect(await engine.run('poem@2')).toMatchObject({ input: { topic: 'b' } });
  const stream = await fetch(`${at}/runs/poem@1/events`);
  const reader = stream.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toContain('event: run\n');
  // A reader that leaves ends the stream, and not the run.
  await reader?.cancel();
  expect((await engine.run('poem@1')).endedAt).toBeUndefined();
});
