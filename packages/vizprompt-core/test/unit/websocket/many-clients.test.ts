import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { stalledClient } from '../../support/websocket/raw-client.ts';
import { serveProject } from '../../support/websocket/serve-project.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes outside the heap of JavaScript, where messages wait. */
function heldBytes(): number {
  collect();
  const { arrayBuffers, external } = process.memoryUsage();
  return arrayBuffers + external;
}

const CLIENTS = 8;

/** Resolves when a number is the same five times in a row. */
async function untilSettled(read: () => number): Promise<void> {
  let [last, times] = [read(), 0];
  await expect
    .poll(() => {
      const now = read();
      times = now === last ? times + 1 : 0;
      last = now;
      return times;
    })
    .toBeGreaterThanOrEqual(5);
}

describe('many clients', () => {
  it('hear every event once and in order, and a stalled one harms no other', async () => {
    const { connect, server, vizprompt } = await serveProject({
      limits: { maxBufferedBytes: 256 * 1024 },
    });
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connect()));
    await Promise.all(
      clients.map(async (client, at) => {
        await client.ask('subscribe', { event: at % 2 ? 'node_created' : '*' });
        await client.ask('subscribe', { event: 'node_created' });
      }),
    );
    const quiet = clients.filter((_, at) => at % 2 === 1);
    await stalledClient(server.url, [{ action: 'subscribe', data: { event: 'node_updated' } }]);
    await expect.poll(() => server.clients).toBe(CLIENTS + 1);

    const large = await vizprompt.createNode({ prompt: 'large' }, { flow: null });
    const made = [large.id];
    for (let round = 0; round < 40; round++) {
      const node = await vizprompt.createNode({ prompt: `小 ${round} 😀` }, { flow: null });
      made.push(node.id);
      // From then on, only the one that is stalled receives the large ones.
      if (round === 5)
        for (const one of clients) if (!quiet.includes(one)) await one.ask('unsubscribe');
      if (round > 5) await vizprompt.updateNode(large.id, { response: `${round}`.repeat(150_000) });
    }
    await expect.poll(() => server.clients).toBe(CLIENTS);
    for (const client of quiet) {
      await expect.poll(() => client.events('node_created').length).toBe(made.length);
      expect(client.events('node_created').map((data) => data.node_id)).toEqual(made);
    }
    const others = clients.filter((client) => !quiet.includes(client));
    for (const client of others) {
      const heard = client.events('node_created').map((data) => data.node_id);
      expect(heard).toEqual(made.slice(0, heard.length));
      expect(heard.length).toBeGreaterThanOrEqual(6);
    }
  });

  it('of which ten have stalled cost little, and the one that reads misses nothing', async () => {
    const { connect, server, vizprompt } = await serveProject({
      limits: { maxBufferedBytes: 256 * 1024 },
    });
    const client = await connect();
    await client.ask('subscribe', { event: 'node_updated' });
    const wish = { action: 'subscribe', data: { event: 'node_updated' } };
    for (let at = 0; at < 10; at++) await stalledClient(server.url, [wish]);
    await expect.poll(() => server.clients).toBe(11);
    const { id } = await vizprompt.createNode({ prompt: 'x' });
    const before = heldBytes();
    let most = 0;
    for (let round = 0; round < 40; round++) {
      await vizprompt.updateNode(id, { response: `${round} `.repeat(70_000) });
      if (round % 13 === 0) most = Math.max(most, heldBytes() - before);
    }
    await expect.poll(() => server.clients).toBe(1);
    await expect.poll(() => client.events('node_updated').length).toBe(40);
    const heard = client.events('node_updated').map(({ node }) => node.response.split(' ', 1)[0]);
    expect(heard).toEqual(Array.from({ length: 40 }, (_, round) => `${round}`));
    // Waiting messages are held once for all, and 256 KiB for each at most besides one message.
    expect(most).toBeLessThan(40 * 1024 * 1024);
  });
});

describe('a client that is fast', () => {
  it('is read no faster than its messages are done', async () => {
    const { connect, server, vizprompt } = await serveProject({
      limits: {
        maxMessageBytes: 100_000,
        maxMessagesPerSecond: 10_000,
        maxBufferedBytes: 64 * 1024,
      },
    });
    const client = await connect();
    const { id } = await vizprompt.createNode({ prompt: 'x'.repeat(500_000) });
    // Its answers are not read, so that nothing after them can be done.
    client.socket.pause();
    for (let at = 0; at < 16; at++) client.send({ action: 'get_node', data: { node_id: id } });
    const prompt = '長い '.repeat(13_000);
    for (let at = 0; at < 240; at++) client.send({ action: 'create_node', data: { prompt } });
    const sent = client.socket.bufferedAmount;
    expect(sent).toBeGreaterThan(13_000_000);
    await untilSettled(() => client.socket.bufferedAmount);
    // The buffers of the system between the two come on top of it.
    expect(client.socket.bufferedAmount).toBeGreaterThan(sent / 2);
    expect(server.clients).toBe(1);
    client.socket.terminate();
    await expect.poll(() => server.clients).toBe(0);
  });
});

describe('a client that is slow', () => {
  it('receives the reason why it is dropped, if it reads again', async () => {
    const { connect, vizprompt, server } = await serveProject({
      limits: { maxBufferedBytes: 64 * 1024 },
      closeTimeoutMs: 100_000,
    });
    const client = await connect();
    await client.ask('subscribe', { event: 'node_updated' });
    const { id } = await vizprompt.createNode({ prompt: 'x' });
    client.socket.pause();
    for (let round = 0; round < 40; round++) {
      await vizprompt.updateNode(id, { response: `${round} `.repeat(70_000) });
    }
    client.socket.resume();
    const { code, reason } = await client.closed;
    expect([code, reason]).toEqual([
      4001,
      expect.stringMatching(/^too slow: \d+ bytes were not read$/),
    ]);
    const heard = client.events('node_updated').map(({ node }) => node.response.split(' ', 1)[0]);
    expect(heard.length).toBeLessThan(40);
    expect(heard).toEqual(heard.map((_, round) => `${round}`));
    await expect.poll(() => server.clients).toBe(0);
  });

  it('waits for what it asked for, and is not dropped for it', async () => {
    const { connect, vizprompt, server } = await serveProject({
      limits: { maxBufferedBytes: 64 * 1024 },
    });
    const client = await connect();
    const { id } = await vizprompt.createNode({ prompt: 'x'.repeat(500_000) });
    client.socket.pause();
    for (let at = 0; at < 16; at++)
      client.send({ id: at, action: 'get_node', data: { node_id: id } });
    // The server keeps the client through all of the following.
    const other = await connect();
    for (let round = 0; round < 50; round++) await other.ask('list_tags');
    expect(server.clients).toBe(2);
    client.socket.resume();
    await expect.poll(() => client.messages.length).toBe(16);
    expect(client.messages.map((message) => message.id)).toEqual(
      Array.from({ length: 16 }, (_, at) => at),
    );
  });

  it('and never reads what it asked for is dropped, too', async () => {
    const { server, vizprompt, connect } = await serveProject({
      limits: { maxBufferedBytes: 64 * 1024 },
      pingMs: 500,
    });
    const { id } = await vizprompt.createNode({ prompt: 'x'.repeat(500_000) });
    const client = await connect();
    const wishes = Array.from({ length: 60 }, () => ({
      action: 'get_node',
      data: { node_id: id },
    }));
    await stalledClient(server.url, wishes);
    await expect.poll(() => server.clients).toBe(2);
    await expect.poll(() => server.clients).toBe(1);
    expect((await client.ask('list_tags')).status).toBe('success');
  });

  it('and does not answer a ping is dropped', async () => {
    const { connect, server } = await serveProject({ pingMs: 500 });
    const faithful = await connect();
    const silent = await connect({ autoPong: false });
    expect(await silent.closed).toEqual({ code: 4002, reason: 'no answer to a ping' });
    await stalledClient(server.url, []);
    await expect.poll(() => server.clients).toBe(2);
    await expect.poll(() => server.clients).toBe(1);
    expect((await faithful.ask('list_tags')).status).toBe('success');
  });
});
