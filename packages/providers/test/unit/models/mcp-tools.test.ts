import { once } from 'node:events';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer, Server, type CallToolResult } from '@modelcontextprotocol/server';
import { textMessage, type Part } from '@vizprompt/providers';
import { runTools } from '@vizprompt/providers/generate';
import { mcpTools, type McpToolsOptions } from '@vizprompt/providers/mcp';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

/** Connects the official client to a server in memory. */
async function connect(server: McpServer | Server): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return client;
}

/** Returns a server whose tools give what is listed. */
function serverOf(tools: Readonly<Record<string, CallToolResult>>, name = 'shop'): McpServer {
  const server = new McpServer({ name, version: '1.0.0' });
  for (const [tool, result] of Object.entries(tools)) {
    server.registerTool(tool, { inputSchema: z.object({}) }, () => result);
  }
  return server;
}

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });

/** Runs one call of a tool by a model, and returns the result that the model receives. */
async function callBy(
  clients: Client | readonly Client[],
  name: string,
  input: Readonly<Record<string, never>> | { readonly [key: string]: string },
  options?: McpToolsOptions,
): Promise<Part | undefined> {
  await using mcp = await mcpTools(clients, options);
  const model = scriptedModel([[{ type: 'tool-call', id: 'c1', name, input }], 'done']);
  const { messages } = await runTools(model, { messages: [textMessage('user', '?')] }, mcp.tools);
  return messages.find(({ role }) => role === 'tool')?.parts[0];
}

it('passes descriptions and schemas on, and lets the server validate', async () => {
  const server = new McpServer({ name: 'weather', version: '1.0.0' });
  server.registerTool(
    'forecast',
    { description: '天気', inputSchema: z.object({ city: z.string().min(2) }) },
    ({ city }) => text(`${city}は晴れ`),
  );
  const client = await connect(server);
  const { tools } = await mcpTools(client);
  expect(await tools[0]?.describe()).toMatchObject({
    name: 'forecast',
    description: '天気',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', minLength: 2 } },
      required: ['city'],
    },
  });
  expect(await callBy(client, 'forecast', { city: '京都' })).toMatchObject({
    output: '京都は晴れ',
  });
  const refused = await callBy(client, 'forecast', { city: '京' });
  expect(refused).toMatchObject({ isError: true, output: expect.stringContaining('city') });
});

describe('gives a result as a model can read it', () => {
  const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
  const audio = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' } as const;
  const link = { type: 'resource_link', uri: 'file:///a.md', name: 'a' } as const;
  const embedded = { type: 'resource', resource: { uri: 'file:///b.md', text: '本文' } } as const;
  const data = { a: 1, b: ['二'] };
  const cases: Readonly<Record<string, readonly [CallToolResult, unknown]>> = {
    text: [text('はい'), 'はい'],
    'several texts': [{ content: [...text('一').content, ...text('二').content] }, '一\n二'],
    nothing: [{ content: [] }, ''],
    'a picture and text': [
      { content: [...text('見て').content, image] },
      [{ type: 'text', text: '見て' }, image],
    ],
    sound: [{ content: [audio] }, [audio]],
    'a link to a resource': [{ content: [link] }, [link]],
    'a resource': [{ content: [embedded] }, [embedded]],
    'data alone': [{ content: [], structuredContent: data }, data],
    'data that are repeated as text': [
      { ...text(JSON.stringify({ b: ['二'], a: 1 }, null, 2)), structuredContent: data },
      data,
    ],
    'data with other words': [
      { ...text('二件'), structuredContent: data },
      [
        { type: 'text', text: '二件' },
        { type: 'text', text: JSON.stringify(data) },
      ],
    ],
    'what is for users': [
      {
        content: [
          { type: 'text', text: 'ui', annotations: { audience: ['user'] } },
          { type: 'text', text: 'model', annotations: { audience: ['user', 'assistant'] } },
        ],
      },
      'model',
    ],
    'marks for hosts': [
      { content: [{ ...image, _meta: { x: 1 }, annotations: { priority: 1 } }] },
      [image],
    ],
  };
  for (const [what, [result, output]] of Object.entries(cases)) {
    it(what, async () => {
      const client = await connect(serverOf({ it: result }));
      const part = await callBy(client, 'it', {});
      expect(part).toEqual({ type: 'tool-result', id: 'c1', name: 'it', output });
    });
  }

  it('an error of the tool, of the protocol, and of a closed connection', async () => {
    const failing = await connect(
      serverOf({
        it: { ...text('在庫がありません'), isError: true },
        mute: { content: [], isError: true },
      }),
    );
    expect(await callBy(failing, 'it', {})).toMatchObject({
      isError: true,
      output: '在庫がありません',
    });
    expect(await callBy(failing, 'mute', {})).toMatchObject({ isError: true, output: /failed/ });
    const gone = await connect(serverOf({ it: text('x') }));
    const { tools } = await mcpTools(gone);
    await gone.close();
    await expect(tools[0]?.run({}, { id: '1' })).rejects.toThrow(/not connected|closed/i);
  });
});

describe('names', () => {
  const SAFE = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

  it('are safe and unique, lead back, and remain when the list changes', async () => {
    const wild = [
      'files/read',
      'files.read',
      'files read',
      '検索',
      '削除',
      '3d',
      'A',
      'a',
      'é',
      '🐈',
      'x'.repeat(64),
      'x'.repeat(65),
      `${'x'.repeat(64)}y`,
      '-',
      '_',
    ];
    const handler = (): { tools: { name: string; inputSchema: { type: 'object' } }[] } => ({
      tools: wild.map((name) => ({ name, inputSchema: { type: 'object' } })),
    });
    const server = new Server({ name: 'wild', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', handler);
    server.setRequestHandler('tools/call', ({ params }) => text(params.name));
    const mcp = await mcpTools(await connect(server));
    const names = mcp.tools.map(({ name }) => name);
    for (const name of names) expect(name).toMatch(SAFE);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(wild.length);
    expect(names[0]).toBe('files_read');
    for (const [index, tool] of mcp.tools.entries()) {
      expect(mcp.find(tool.name)).toEqual({ server: 'wild', tool: wild[index] });
      expect(await tool.run({}, { id: '1' })).toBe(wild[index]);
    }
    wild.reverse();
    await mcp.refresh();
    expect(mcp.tools.map(({ name }) => name)).toEqual(names.toReversed());
  });

  it('of two servers with the same tool have the name of the server', async () => {
    const clients = [
      await connect(serverOf({ search: text('one'), only: text('1') }, 'one')),
      await connect(serverOf({ search: text('two') }, 'two.example/日本')),
    ];
    const { tools } = await mcpTools(clients);
    expect(tools.map(({ name }) => name)).toEqual(['one_search', 'only', 'two_example_search']);
    expect(await callBy(clients, 'two_example_search', {})).toMatchObject({ output: 'two' });
    const twins = [
      await connect(serverOf({ search: text('a') })),
      await connect(serverOf({ search: text('b') })),
    ];
    const both = await mcpTools(twins);
    const said = await Promise.all(both.tools.map((tool) => tool.run({}, { id: '1' })));
    expect(said).toEqual(['a', 'b']);
    expect(new Set(both.tools.map(({ name }) => name)).size).toBe(2);
  });

  it('have a prefix, and tools are chosen', async () => {
    const client = await connect(serverOf({ buy: text('x'), sell: text('y') }));
    const chosen = await mcpTools(client, { prefix: 'my', filter: ({ tool }) => tool !== 'sell' });
    expect(chosen.tools.map(({ name }) => name)).toEqual(['my_buy']);
    const { tools } = await mcpTools(client, { prefix: ({ server }) => `${server}_v1` });
    expect(tools.map(({ name }) => name)).toEqual(['shop_v1_buy', 'shop_v1_sell']);
  });
});

it('reports progress, and cancels on the server', async () => {
  const server = new McpServer({ name: 'slow', version: '1.0.0' });
  let stopped: (() => void) | undefined;
  const isStopped = new Promise<void>((resolve) => (stopped = resolve));
  server.registerTool('work', { inputSchema: z.object({}) }, async (_, { mcpReq }) => {
    const { _meta: meta } = mcpReq;
    const progressToken = meta?.progressToken;
    if (progressToken !== undefined) {
      const params = { progressToken, progress: 1, total: 2, message: '半分' };
      await mcpReq.notify({ method: 'notifications/progress', params });
    }
    if (!mcpReq.signal.aborted) await once(mcpReq.signal, 'abort');
    stopped?.();
    return text('too late');
  });
  const abort = new AbortController();
  const seen: unknown[] = [];
  const { tools } = await mcpTools(await connect(server), {
    onProgress(progress) {
      seen.push(progress);
      abort.abort(new Error('enough'));
    },
  });
  await expect(tools[0]?.run({}, { id: '7', signal: abort.signal })).rejects.toThrow(
    /enough|abort/i,
  );
  await isStopped;
  expect(seen).toEqual([
    { server: 'slow', tool: 'work', id: '7', progress: 1, total: 2, message: '半分' },
  ]);
});

describe('the list of a server', () => {
  /** Returns a server whose tools come in pages. */
  async function paged(
    pages: readonly (readonly string[])[],
    next: (page: number) => string | undefined,
  ) {
    const server = new Server({ name: 'paged', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', ({ params }) => {
      const page = Number(params?.cursor ?? 0);
      const nextCursor = next(page);
      const tools = (pages[page] ?? []).map((name) => ({
        name,
        inputSchema: { type: 'object' as const },
      }));
      return nextCursor === undefined ? { tools } : { tools, nextCursor };
    });
    return connect(server);
  }

  it('is read to its last page', async () => {
    const client = await paged([['a'], [], ['b', 'c']], (page) =>
      page < 2 ? String(page + 1) : undefined,
    );
    expect((await mcpTools(client)).tools.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  it('that never ends is refused', async () => {
    const client = await paged([['a']], (page) => String(page + 1));
    await expect(mcpTools(client)).rejects.toMatchObject({ code: 'server', message: /'paged'/ });
  });

  it('is empty for a server without tools', async () => {
    const server = new Server({ name: 'none', version: '1.0.0' }, { capabilities: {} });
    expect((await mcpTools(await connect(server))).tools).toEqual([]);
  });

  it('is empty without servers', async () => {
    await using mcp = await mcpTools([]);
    expect(mcp.tools).toEqual([]);
  });

  it('is read again when it has changed', async () => {
    const server = serverOf({ first: text('1') });
    const client = await connect(server);
    let changed: ((names: string[]) => void) | undefined;
    const change = new Promise<string[]>((resolve) => (changed = resolve));
    const mcp = await mcpTools(client, {
      onChange: (tools) => changed?.(tools.map(({ name }) => name)),
    });
    const before = mcp.tools;
    server.registerTool('second', { inputSchema: z.object({}) }, () => text('2'));
    expect(await change).toEqual(['first', 'second']);
    expect(before).toHaveLength(1);
    expect(mcp.tools).toHaveLength(2);
    await mcp.close();
  });
});

it('works with a client of version 1, which takes a schema before the options', async () => {
  const calls: unknown[][] = [];
  const { tools } = await mcpTools({
    getServerVersion: () => ({ name: 'old' }),
    getServerCapabilities: () => ({ tools: {} }),
    listTools: async () => ({ tools: [{ name: 'it', inputSchema: { type: 'object' } }] }),
    callTool: async (
      params: object,
      schema: object | undefined = { default: true },
      options?: object,
    ) => {
      calls.push([params, schema, options]);
      return text('ok');
    },
  });
  const { signal } = new AbortController();
  expect(await tools[0]?.run({ a: 1 }, { id: '1', signal })).toBe('ok');
  expect(calls).toEqual([[{ name: 'it', arguments: { a: 1 } }, { default: true }, { signal }]]);
});
