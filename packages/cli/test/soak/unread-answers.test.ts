import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MemoryStore } from '@vizprompt/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { Background } from '../support/background.ts';
import { writeNovel } from '../support/novel.ts';
import { Place } from '../support/place.ts';
import { testProject } from '../support/project.ts';
import type { ToolName } from '../support/run.ts';

const CLIENTS = 100;
/**
 * All that clients may hold that do not read, with what the heap grows by when few answers at a time are made: the parser
 * of nodes takes many times their size. Without limits it is 800 MiB to 2.5 GiB for answers of 8 MiB.
 */
const MOST_BYTES = 600 << 20;
const LARGE = 6 << 20;
/** All that a client may hold after garbage was collected. */
const MOST_HELD = 1e6;
/** Small answers, after which a server works on the most requests at a time. */
const SMALL = 20;
/** Reports what a server holds. */
const REPORT = {
  NODE_OPTIONS: `--require=${fileURLToPath(new URL('../children/report-held.cjs', import.meta.url))}`,
};

/** A server in a process of its own, with what clients ask for that do not read. */
interface Served {
  readonly server: Background;
  readonly url: URL;
  /** The bytes of each client. */
  readonly requests: readonly Uint8Array[];
  /** Asks for something small. */
  ask(): Promise<unknown>;
  /** Asks for the same as the others, and reads it. Returns its size. */
  read(): Promise<number>;
}

async function start(
  place: Place,
  tool: ToolName,
  args: readonly string[],
): Promise<{ server: Background; url: URL }> {
  const server = Background.start(place, tool, [...args, '--port', '0', '--json'], REPORT);
  await server.shows(/\n/);
  const { url } = JSON.parse(server.stdout) as { url: string };
  return { server, url: new URL(url) };
}

function http(url: URL, path: string, headers: Record<string, string> = {}, body = ''): Buffer {
  const all = {
    Host: url.host,
    ...headers,
    ...(body && { 'Content-Length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(
    `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
}

/** Returns a text frame of a client; a mask of zeros leaves it as it is. */
function webSocketFrame(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
}

async function post(url: URL, path: string, body: object): Promise<{ id: string }> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return (await response.json()) as { id: string };
}

async function memory(): Promise<{ server: Background; url: URL; session: string; event: string }> {
  const place = await Place.make();
  onTestFinished(() => place[Symbol.asyncDispose]());
  const { server, url } = await start(place, 'ptta', ['--data', join(place.home, 'm'), 'serve']);
  const { id: session } = await post(url, '/api/sessions', { workspace_path: '/w' });
  let event = '';
  for (let at = 0; at < 10; at++) {
    const data = { content: 'x '.repeat(LARGE / (at === 9 ? 2 : 20)) };
    ({ id: event } = await post(url, '/api/events', {
      type: 'user_message',
      session_id: session,
      data,
    }));
  }
  return { server, url, session, event };
}

async function sizeOf(url: URL, path: string): Promise<number> {
  return (await (await fetch(new URL(path, url))).text()).length;
}

const stats = async (url: URL): Promise<unknown> =>
  (await fetch(new URL('/api/stats', url))).status;

/** The requests of clients, and how they are served. */
const TABLE: readonly (readonly [name: string, serve: () => Promise<Served>])[] = [
  [
    'a page of REST',
    async () => {
      const { server, url, session } = await memory();
      const path = `/api/sessions/${session}/events`;
      const read = (): Promise<number> => sizeOf(url, path);
      return { server, url, requests: [http(url, path)], ask: () => stats(url), read };
    },
  ],
  [
    'a large event of REST',
    async () => {
      const { server, url, event } = await memory();
      const path = `/api/events/${event}`;
      const read = (): Promise<number> => sizeOf(url, path);
      return { server, url, requests: [http(url, path)], ask: () => stats(url), read };
    },
  ],
  [
    'a timeline of REST',
    async () => {
      const { server, url, session, event } = await memory();
      const request = http(url, `/api/sessions/${session}/events`, { Accept: 'text/event-stream' });
      const read = (): Promise<number> => sizeOf(url, `/api/events/${event}`);
      return { server, url, requests: [request], ask: () => stats(url), read };
    },
  ],
  [
    'a large file by MCP',
    async () => {
      const place = await Place.make();
      onTestFinished(() => place[Symbol.asyncDispose]());
      const root = await writeNovel(place.cwd);
      await writeFile(join(root, 'contents/large.txt'), '長い文。\n'.repeat(LARGE / 13));
      const { server, url } = await start(place, 'dialogoi', ['mcp', '--http']);
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-06-18',
      };
      const uri = `dialogoi://novels/${encodeURIComponent('灯台')}/contents/large.txt`;
      const message = (method: string, params: object): string =>
        JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const body = message('resources/read', { uri });
      const ask = async (): Promise<unknown> =>
        (await fetch(url, { method: 'POST', headers, body: message('tools/list', {}) })).status;
      const read = async (): Promise<number> =>
        (await (await fetch(url, { method: 'POST', headers, body })).text()).length;
      return { server, url, requests: [http(url, url.pathname, headers, body)], ask, read };
    },
  ],
  [
    'a large node by WebSocket',
    async () => {
      const project = await testProject();
      const file = join(project.place.home, 'large.txt');
      await writeFile(file, 'x '.repeat(LARGE / 2));
      await project.run(['create-node', '--prompt', '問', '--response-file', file]);
      const { id } = await project.json<{ id: string }>(['get-node', '1']);
      const { server, url } = await start(project.place, 'vizprompt', ['serve']);
      const upgrade = {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      };
      const answer = async (action: string, data: object): Promise<string> => {
        const socket = new WebSocket(url);
        await once(socket, 'open');
        const answered = once(socket, 'message');
        socket.send(JSON.stringify({ action, data }));
        const [message]: unknown[] = await answered;
        socket.close();
        return String(message);
      };
      const ask = async (): Promise<unknown> =>
        (await answer('list_flows', {})).includes('"status":"success"') && 200;
      const read = async (): Promise<number> => (await answer('get_node', { node_id: id })).length;
      const wish = webSocketFrame(JSON.stringify({ action: 'get_node', data: { node_id: id } }));
      return { server, url, requests: [http(url, url.pathname, upgrade), wish], ask, read };
    },
  ],
];

function residentBytes({ child }: Background): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** Returns the bytes that a server holds after its garbage was collected. */
async function heldBytes(server: Background): Promise<number> {
  const before = server.stderr.length;
  server.child.kill('SIGUSR2');
  let held: string | undefined;
  await expect
    .poll(() => (held = /^held (\d+)\n/m.exec(server.stderr.slice(before))?.[1]), {
      timeout: 60_000,
    })
    .toBeDefined();
  return Number(held);
}

describe.skipIf(process.platform !== 'linux')('a hundred clients that do not read', () => {
  it.each(TABLE)('%s: hold little, and others are answered', async (_, serve) => {
    const { server, url, requests, ask, read } = await serve();
    await read();
    const size = await read();
    expect(await ask()).toBe(200);
    expect(size).toBeGreaterThan(500_000);
    const before = residentBytes(server);
    const heldBefore = await heldBytes(server);
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const socket: Socket = connect(Number(url.port), '127.0.0.1');
        socket.on('error', () => {});
        socket.pause();
        await new Promise((resolve) => socket.once('connect', resolve));
        for (const request of requests) {
          await new Promise((resolve) => socket.write(request, resolve));
        }
        return socket;
      }),
    );
    onTestFinished(() => clients.forEach((socket) => socket.destroy()));
    let most = 0;
    let mostHeld = 0;
    for (let at = 0; at < 10; at++) {
      expect(await ask()).toBe(200);
      most = Math.max(most, residentBytes(server) - before);
      mostHeld = Math.max(mostHeld, (await heldBytes(server)) - heldBefore);
    }
    expect(mostHeld / CLIENTS).toBeLessThan(MOST_HELD);
    expect(await read()).toBeGreaterThanOrEqual(size);
    expect(most).toBeLessThan(MOST_BYTES);
    expect(server.stderr).not.toMatch(/MaxListeners|Error/);
  });
});

/** Servers on standard input and output, and what a client asks for a hundred times without reading. */
const ON_STDIO: readonly (readonly [
  name: string,
  serve: (place: Place) => Promise<readonly [server: Background, ask: object]>,
])[] = [
  [
    'ptta mcp',
    async (place) => {
      const data = join(place.home, 'm');
      await mkdir(data);
      await using store = await MemoryStore.open({ path: join(data, 'ptta.db') });
      const { id: session } = await store.startSession({ workspace: place.cwd });
      const content = 'x '.repeat(LARGE / 2);
      const { id } = await store.log(session, 'user_message', { content });
      const server = Background.start(place, 'ptta', ['--data', data, 'mcp'], REPORT);
      return [server, { name: 'get_events', arguments: { event_ids: [id] } }];
    },
  ],
  [
    'dialogoi mcp',
    async (place) => {
      const root = await writeNovel(place.cwd);
      await writeFile(join(root, 'contents/large.txt'), '長い文。\n'.repeat(LARGE / 13));
      const server = Background.start(place, 'dialogoi', ['mcp'], REPORT);
      const uri = `dialogoi://novels/${encodeURIComponent('灯台')}/contents/large.txt`;
      return [server, { uri }];
    },
  ],
];

describe.skipIf(process.platform !== 'linux')('a client that reads nothing', () => {
  it.each(ON_STDIO)('of %s holds little, and the server ends', async (_, serve) => {
    await using place = await Place.make();
    const [server, params] = await serve(place);
    const method = 'uri' in params ? 'resources/read' : 'tools/call';
    const { stdin, stdout } = server.child;
    const send = (message: object): unknown =>
      stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    });
    await server.shows('serverInfo');
    send({ method: 'notifications/initialized' });
    send({ id: 1, method, params });
    await server.shows(/"id":1[,}]/);
    expect(server.stdout.length).toBeGreaterThan(5000);
    for (let at = 0; at < SMALL; at++) {
      send({ id: `small ${at}`, method: 'tools/list' });
      await server.shows(`"id":"small ${at}"`);
    }
    stdout?.pause();
    const before = residentBytes(server);
    const heldBefore = await heldBytes(server);
    for (let id = 2; id < 300; id++) send({ id, method, params });
    // The pipe is full, and as many answers as the server works on at once wait for it.
    let [most, last, quiet] = [0, 0, 0];
    await expect
      .poll(
        () => {
          const now = residentBytes(server) - before;
          quiet = now > last + (1 << 20) ? 0 : quiet + 1;
          [last, most] = [now, Math.max(most, now)];
          return quiet;
        },
        { interval: 50, timeout: 60_000 },
      )
      .toBeGreaterThan(20);
    expect((await heldBytes(server)) - heldBefore).toBeLessThan(MOST_HELD);
    expect(most).toBeLessThan(250 << 20);
    expect(await server.end('SIGTERM')).toBe(143);
    expect(server.stderr).not.toContain('MaxListeners');
  });
});
