import { VizPrompt } from '@vizprompt/core';
import { serveWebSocket } from '@vizprompt/core/websocket';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testProject } from '../../support/open-project.ts';
import { connectTo, problemOf, serveProject } from '../../support/websocket/serve-project.ts';

describe('events', () => {
  it('come once, in order, however many subscriptions they fit', async () => {
    const { connect, vizprompt } = await serveProject();
    const client = await connect();
    await client.ask('subscribe', { event: '*' });
    await client.ask('subscribe', { event: 'node_created' });
    const again = await client.ask('subscribe', { event: 'node_created' });
    expect(again.data).toEqual({ subscriptions: 2 });
    const node = await vizprompt.createNode({ prompt: '一' });
    await vizprompt.updateNode(node.id, { response: '二' });
    await vizprompt.build({ model: null });
    await vizprompt.deleteNode(node.id);
    await vizprompt.deleteFlow('main');
    const events = await client
      .ask('unsubscribe')
      .then(() => client.messages.filter((one) => one.event));
    expect(events.map(({ event }) => event)).toEqual([
      'node_created',
      'flow_created',
      'node_updated',
      'node_updated',
      'build_progress',
      'node_deleted',
      'flow_updated',
      'flow_deleted',
    ]);
    for (const message of events) {
      expect([message.event, problemOf(message.event ?? '', message)]).toEqual([
        message.event,
        undefined,
      ]);
      expect(message.id).toBeUndefined();
    }
    await vizprompt.createNode({ prompt: '二' });
    await client.ask('list_tags');
    expect(client.events('node_created')).toHaveLength(1);
  });

  it('of one flow come alone, under each of its names, also of main before it is made', async () => {
    const { connect, vizprompt } = await serveProject();
    const client = await connect();
    const other = await vizprompt.createFlow({ name: 'その他', alias: 'other' });
    await client.ask('subscribe', { event: 'flow_updated', flow_id: 'main' });
    await client.ask('subscribe', { event: '*', flow_id: 'other' });
    await vizprompt.createNode({ prompt: '一' });
    await vizprompt.createNode({ prompt: '二' });
    await vizprompt.createNode({ prompt: '三' }, { flow: 'other' });
    await vizprompt.updateFlow('other', { name: '別名', alias: 'renamed' });
    await vizprompt.deleteFlow('renamed');
    const main = await vizprompt.getFlow();
    const { data } = await client.ask('unsubscribe', { event: 'flow_updated', flow_id: 'main' });
    expect(data).toEqual({ removed: 1, subscriptions: 1 });
    await vizprompt.createNode({ prompt: '四' });
    await client.ask('list_tags');
    const heard = client.messages.filter((one) => one.event);
    expect(heard.map((one) => [one.event, one.data.flow_id])).toEqual([
      ['flow_updated', main.id],
      ['flow_updated', main.id],
      ['flow_updated', other.id],
      ['flow_updated', other.id],
      ['flow_deleted', other.id],
    ]);
  });

  it('are asked for rightly, or not at all', async () => {
    const { connect } = await serveProject({ limits: { maxSubscriptions: 2 } });
    const client = await connect();
    const bad = [
      {},
      { event: 'flow:updated' },
      { event: 'constructor' },
      { event: 'node_created', flow_id: 'main' },
      { event: 'flow_updated', flow_id: 7 },
    ];
    for (const data of bad)
      expect([data, await client.codeOf('subscribe', data as never)]).toEqual([
        data,
        'invalid_input',
      ]);
    expect(await client.codeOf('subscribe', { event: 'flow_updated', flow_id: 'x' })).toBe(
      'flow_not_found',
    );
    expect(await client.codeOf('unsubscribe', { flow_id: 'main' })).toBe('invalid_input');
    expect((await client.ask('unsubscribe', { event: 'node_created' })).data.removed).toBe(0);
    for (const event of ['node_created', 'node_updated']) await client.ask('subscribe', { event });
    expect(await client.codeOf('subscribe', { event: 'node_deleted' })).toBe(
      'too_many_subscriptions',
    );
  });

  it('are of this process; what another one wrote is found', async () => {
    const { vizprompt, folder } = await testProject();
    const server = await serveWebSocket(vizprompt, { port: 0, closeTimeoutMs: 200 });
    onTestFinished(() => server.close());
    const client = await connectTo(server.url);
    await client.ask('subscribe', { event: '*' });
    await using other = await VizPrompt.open(folder);
    const { id } = await other.createNode({ prompt: '別のプロセス' });
    expect((await client.ask('get_node', { node_id: id })).data.node.prompt).toBe('別のプロセス');
    expect((await client.ask('get_flow')).data.flow.head).toBe(id);
    await vizprompt.updateNode(id, { response: 'ここ' });
    await client.ask('list_tags');
    expect(client.messages.flatMap(({ event }) => event ?? [])).toEqual(['node_updated']);
  });

  it('are of other processes, too, while the project is watched', async () => {
    const { vizprompt, folder } = await testProject();
    await vizprompt.watch({ pollMs: 20 });
    const server = await serveWebSocket(vizprompt, { port: 0, closeTimeoutMs: 200 });
    onTestFinished(() => server.close());
    const client = await connectTo(server.url);
    await client.ask('subscribe', { event: '*' });
    await using other = await VizPrompt.open(folder);
    const { id } = await other.createNode({ prompt: '別のプロセス' });
    const created = await client.first(({ event }) => event === 'node_created');
    expect(created.data).toMatchObject({ node_id: id, node: { prompt: '別のプロセス' } });
    const { data } = await client.first(({ event }) => event === 'flow_created');
    expect(data.flow).toMatchObject({ alias: 'main', head: id });
  });

  it('of a client end with it', async () => {
    const { connect, server, vizprompt } = await serveProject();
    const client = await connect();
    await client.ask('subscribe', { event: '*' });
    client.socket.close();
    await expect.poll(() => server.clients).toBe(0);
    await vizprompt.createNode({ prompt: '一' });
    expect(client.events('node_created')).toEqual([]);
  });
});
