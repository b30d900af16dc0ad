import { once } from 'node:events';
import type { VizPrompt } from '@vizprompt/core';
import { scriptedModel, type ScriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { serveProject, type TestClient } from '../../support/websocket/serve-project.ts';

/** Returns a model that takes some seconds to say what it has to. */
function slowModel(): ScriptedModel {
  return scriptedModel(() => 'ことば'.repeat(200), { chunkSize: 3, chunkDelayMs: 20 });
}

async function lastNode(vizprompt: VizPrompt): Promise<{ status?: string; response: string }> {
  const { head = '' } = await vizprompt.getFlow();
  const { status = 'done', response } = await vizprompt.getNode(head);
  return { status, response };
}

/** Gives the server time to send what it can, in turns of its work and not in seconds. */
async function othersAreServed(other: TestClient): Promise<void> {
  for (let round = 0; round < 50; round++) await other.ask('list_tags');
}

describe('an answer that is in progress', () => {
  it('is stopped by cancel, and what had come is kept', async () => {
    const { connect, vizprompt } = await serveProject({}, { model: slowModel() });
    const [client, other] = [await connect(), await connect()];
    client.send({ id: 'c', action: 'chat', data: { prompt: '猫？' } });
    await client.first(({ event }) => event === 'chat_delta');
    // No other client can cancel it, and other actions continue meanwhile.
    expect((await other.ask('cancel', { id: 'c' })).data).toEqual({ cancelled: false });
    expect((await client.ask('list_tags')).status).toBe('success');
    expect((await client.ask('cancel', { id: 'x' })).data).toEqual({ cancelled: false });
    expect((await client.ask('cancel', { id: 'c' })).data).toEqual({ cancelled: true });
    const answer = await client.first(({ id, status }) => id === 'c' && status !== undefined);
    expect(answer).toMatchObject({ status: 'error', error: { code: 'cancelled' } });
    const { status, response } = await lastNode(vizprompt);
    const told = client.events('chat_delta').map(({ text }) => text);
    expect([status, response]).toEqual(['aborted', told.join('')]);
    expect((await client.ask('cancel', { id: 'c' })).data).toEqual({ cancelled: false });
  });

  it('is stopped when its client leaves', async () => {
    const { connect, server, vizprompt } = await serveProject({}, { model: slowModel() });
    for (const leave of ['close', 'terminate'] as const) {
      const client = await connect();
      client.send({ action: 'chat', data: { prompt: leave } });
      await client.first(({ event }) => event === 'chat_delta');
      client.socket[leave]();
      await expect.poll(async () => (await lastNode(vizprompt)).status).toBe('aborted');
      expect((await lastNode(vizprompt)).response).toContain('ことば');
      expect(server.clients).toBe(0);
    }
  });

  it('is stopped when the server closes, with a message to its client; the project stays open', async () => {
    const { connect, server, vizprompt } = await serveProject({}, { model: slowModel() });
    const client = await connect();
    client.send({ id: 1, action: 'chat', data: { prompt: '猫？' } });
    await client.first(({ event }) => event === 'chat_delta');
    await Promise.all([server.close(), server.close()]);
    expect(client.messages.at(-1)).toMatchObject({ id: 1, error: { code: 'cancelled' } });
    expect(await client.closed).toEqual({ code: 1001, reason: 'the server closes' });
    expect((await lastNode(vizprompt)).status).toBe('aborted');
    await vizprompt.createNode({ prompt: 'afterwards' });
  });

  it('comes no faster than it is read', async () => {
    const text = 'x'.repeat(8_000_000);
    const parts = [
      { type: 'reasoning', text },
      { type: 'text', text: 'はい。' },
    ] as const;
    const model = scriptedModel([parts], { chunkSize: 20_000 });
    const { connect, server } = await serveProject(
      { limits: { maxBufferedBytes: 64 * 1024 } },
      { model },
    );
    const [client, other] = [await connect(), await connect()];
    client.send({ id: 1, action: 'chat', data: { prompt: '猫？' } });
    await client.first(({ event }) => event === 'chat_asked');
    client.socket.pause();
    await othersAreServed(other);
    expect(server.clients).toBe(2);
    client.socket.resume();
    const answer = await client.first(({ status }) => status !== undefined);
    expect(answer.data.node.response).toBe('はい。');
    const told = client.events('chat_reasoning').map((data) => data.text.length);
    expect(told.reduce((sum, length) => sum + length, 0)).toBe(text.length);
  });
});

describe('long actions', () => {
  it('are limited at a time, each under an id of its own', async () => {
    const { connect } = await serveProject(
      { limits: { maxLongActions: 2 } },
      { model: slowModel() },
    );
    const client = await connect();
    client.send({ id: 1, action: 'chat', data: { prompt: 'a' } });
    client.send({ id: 1, action: 'chat', data: { prompt: 'b' } });
    client.send({ id: 2, action: 'chat', data: { prompt: 'c' } });
    client.send({ id: 3, action: 'build' });
    const errors = async (): Promise<unknown[]> =>
      client.messages.flatMap(({ id, error }) => (error ? [[id, error.code]] : []));
    await expect.poll(errors).toEqual([
      [1, 'invalid_input'],
      [3, 'too_many_actions'],
    ]);
    for (const id of [1, 2]) await client.ask('cancel', { id });
    await expect.poll(async () => (await errors()).length).toBe(4);
    expect((await client.ask('build', { offline: true })).data.built).toBe(2);
  });

  it('of building stop, too', async () => {
    const model = scriptedModel(() => '要約: 猫。\nタグ: 猫, 犬, 鳥', {
      chunkSize: 1,
      chunkDelayMs: 20,
    });
    const { connect, vizprompt } = await serveProject({}, { model });
    const client = await connect();
    for (let at = 0; at < 30; at++) await vizprompt.createNode({ prompt: `${at}` });
    client.send({ id: 'b', action: 'build' });
    await client.first(({ event }) => event === 'build_progress');
    await client.ask('cancel', { id: 'b' });
    const answer = await client.first(({ id, status }) => id === 'b' && status !== undefined);
    expect(answer.error?.code).toBe('cancelled');
    const { length } = model.calls;
    expect(length).toBeLessThan(30);
    await vizprompt.build({ model: null });
    expect(model.calls).toHaveLength(length);
  });
});

describe('closing', () => {
  it('answers what is in progress, and loses nothing that was answered', async () => {
    const { connect, server, vizprompt } = await serveProject();
    const clients = await Promise.all(Array.from({ length: 10 }, () => connect()));
    for (const client of clients) {
      for (let id = 0; id < 20; id++)
        client.send({ id, action: 'create_node', data: { prompt: 'x' } });
    }
    await clients[0]!.first(({ status }) => status === 'success');
    await server.close();
    await Promise.all(clients.map(({ closed }) => closed));
    const answered = clients.flatMap(({ messages }) =>
      messages.map((message) => message.node_id ?? ''),
    );
    const stored = (await vizprompt.searchNodes({ limit: 1000 })).map(({ id }) => id);
    expect(answered.toSorted()).toEqual(stored.toSorted());
    expect(answered.length).toBeLessThan(200);
  });

  it('does not wait for a client that does not answer', async () => {
    const { connect, server } = await serveProject({ closeTimeoutMs: 100 });
    const client = await connect();
    client.socket.pause();
    await server.close();
    await expect.poll(() => server.clients).toBe(0);
    const ended = once(client.socket, 'close');
    client.socket.resume();
    await ended;
  });

  it('does not wait for a client that does not read the answer of a model', async () => {
    const parts = [{ type: 'reasoning', text: 'x'.repeat(8_000_000) }] as const;
    const model = scriptedModel([parts], { chunkSize: 20_000 });
    const { connect, server, vizprompt } = await serveProject(
      { limits: { maxBufferedBytes: 64 * 1024 } },
      { model },
    );
    const [client, other] = [await connect(), await connect()];
    client.send({ action: 'chat', data: { prompt: '猫？' } });
    await client.first(({ event }) => event === 'chat_asked');
    client.socket.pause();
    for (let at = 0; at < 10; at++) client.send({ action: 'list_tags' });
    await othersAreServed(other);
    await server.close();
    expect((await lastNode(vizprompt)).status).toBe('aborted');
  });

  it('of the project first leaves clients with errors, not without answers', async () => {
    const { connect, vizprompt } = await serveProject();
    const client = await connect();
    await vizprompt.close();
    expect(await client.codeOf('list_tags')).toBe('closed');
    expect(await client.codeOf('create_node', { prompt: 'x' })).toBe('closed');
  });
});
