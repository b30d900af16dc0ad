// A server for the benchmark of the WebSocket, in a process of its own: that of core, or `ws` alone, which
// sends the same events to everybody. Makes nodes when it is told to, and reports what that cost.
import { VizPrompt } from '@vizprompt/core';
import { serveWebSocket } from '@vizprompt/core/websocket';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { WebSocketServer } from 'ws';

const [, , kind] = process.argv;
const vizprompt = await VizPrompt.open({ storage: await inMemoryStorage() });

async function serveBare() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  vizprompt.on('node:created', ({ node }) => {
    const message = JSON.stringify({ event: 'node_created', data: { node_id: node.id, node } });
    for (const client of server.clients) client.send(message);
  });
  return `ws://127.0.0.1:${server.address().port}/`;
}

const url =
  kind === 'bare' ? await serveBare() : (await serveWebSocket(vizprompt, { port: 0 })).url;

const megabytes = () => {
  globalThis.gc();
  return process.memoryUsage().rss / 1e6;
};

async function make(events) {
  const before = megabytes();
  const cpu = process.cpuUsage();
  let most = before;
  for (let at = 0; at < events; at++) {
    // The time at which it begins, by a clock that all processes share.
    const prompt = `${process.hrtime.bigint()} ${'質問です。'.repeat(40)}`;
    await vizprompt.createNode({ prompt }, { flow: null });
    if (at % 50 === 0) most = Math.max(most, process.memoryUsage().rss / 1e6);
  }
  const { user, system } = process.cpuUsage(cpu);
  process.send({ cpuMs: (user + system) / 1000, grownMb: most - before });
}

process.on('message', (events) => void make(events));
process.send({ url });
