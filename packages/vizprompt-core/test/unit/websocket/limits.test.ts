import { createLogger } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { anyString } from '../../../../providers/test/support/fuzz.ts';
import fc from 'fast-check';
import { ACTIONS } from '../../../src/websocket/read-message.ts';
import { randomRuns } from '../../support/open-project.ts';
import {
  problemOf,
  serveProject,
  type TestClient,
  type Wire,
} from '../../support/websocket/serve-project.ts';

async function isStillThere(client: TestClient): Promise<boolean> {
  return (await client.ask('list_tags')).status === 'success';
}

async function answerOf(client: TestClient, message: string | Uint8Array): Promise<Wire> {
  const before = client.messages.length;
  client.socket.send(message);
  return client.first((one) => client.messages.indexOf(one) >= before);
}

describe('a message that is', () => {
  it('malformed gets an error', async () => {
    const { connect } = await serveProject();
    const client = await connect();
    const cases: readonly [string | Uint8Array, string, RegExp][] = [
      ['', 'invalid_message', /not JSON/],
      ['{', 'invalid_message', /not JSON: see character 1/],
      ['{"action":"list_tags"', 'invalid_message', /not JSON/],
      ['secret-word', 'invalid_message', /^the message is not JSON: .{0,60}$/],
      ['null', 'invalid_message', /expected an object/],
      ['[]', 'invalid_message', /expected an object/],
      ['"list_tags"', 'invalid_message', /expected an object/],
      ['{}', 'invalid_message', /action/],
      ['{"action":7}', 'invalid_message', /action/],
      ['{"action":"list_tags","more":1}', 'invalid_message', /more/],
      ['{"action":"list_tags","id":{}}', 'invalid_message', /id/],
      ['{"action":"list_tags","id":1.5}', 'invalid_message', /id/],
      [`{"action":"list_tags","id":"${'x'.repeat(129)}"}`, 'invalid_message', /id/],
      ['{"action":"list_tags","__proto__":{"x":1}}', 'invalid_message', /__proto__/],
      ['{"action":"list_tags","data":[]}', 'invalid_input', /data/],
      ['{"action":"list_tags","data":null}', 'invalid_input', /data/],
      ['{"action":""}', 'unknown_action', /create_node/],
      ['{"action":"constructor"}', 'unknown_action', /no such action/],
      ['{"action":"__proto__"}', 'unknown_action', /no such action/],
      [Uint8Array.of(1, 2, 3), 'invalid_message', /binary/],
      ['['.repeat(100_000), 'invalid_message', /not JSON/],
      [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'invalid_message', /expected an object/],
    ];
    for (const [message, code, text] of cases) {
      const answer = await answerOf(client, message);
      expect([String(message).slice(0, 40), answer.error?.code]).toEqual([
        String(message).slice(0, 40),
        code,
      ]);
      expect(answer.error?.message).toMatch(text);
      expect(JSON.stringify(answer)).not.toContain('secret-word');
      expect(problemOf('error', answer)).toBeUndefined();
    }
    expect(await isStillThere(client)).toBe(true);
  });

  it('oversized gets an error, and one that is far too large is not read', async () => {
    const { connect, server, vizprompt } = await serveProject({
      limits: { maxMessageBytes: 100_000 },
    });
    const client = await connect();
    const message = (length: number): string => {
      const text = JSON.stringify({ action: 'create_node', data: { prompt: '' } });
      return text.replace('""', `"${'x'.repeat(length - text.length)}"`);
    };
    expect((await answerOf(client, message(100_000))).status).toBe('success');
    expect((await answerOf(client, message(100_001))).error).toEqual({
      code: 'message_too_large',
      message: 'the message has 100001 bytes: it may have 100000',
    });
    expect(await isStillThere(client)).toBe(true);
    client.send(message(200_001));
    expect((await client.closed).code).toBe(1009);
    await expect.poll(() => server.clients).toBe(0);
    expect(await isStillThere(await connect())).toBe(true);
    expect((await vizprompt.getFlow()).nodes).toHaveLength(1);
  });

  it('not UTF-8 ends its connection, and no other', async () => {
    const { connect } = await serveProject();
    const [client, other] = [await connect(), await connect()];
    client.socket.send(Buffer.of(34, 255, 34), { binary: false });
    expect((await client.closed).code).toBe(1007);
    expect(await isStillThere(other)).toBe(true);
  });

  it('one of a flood gets an error each, others are not kept waiting, and nothing is lost', async () => {
    const { connect, vizprompt } = await serveProject({ limits: { maxMessagesPerSecond: 5 } });
    const [client, other] = [await connect(), await connect()];
    const count = 500;
    for (let id = 0; id < count; id++) {
      client.send({ id, action: 'create_node', data: { prompt: `${id}` } });
    }
    expect(await isStillThere(other)).toBe(true);
    await expect.poll(() => client.messages.length).toBe(count);
    const made = client.messages.filter(({ status }) => status === 'success');
    const refused = client.messages.filter(({ error }) => error?.code === 'too_many_messages');
    expect(made.length).toBeGreaterThanOrEqual(10);
    expect(made.length + refused.length).toBe(count);
    expect(new Set(client.messages.map(({ id }) => id)).size).toBe(count);
    expect(refused[0]?.error?.retry_after_ms).toBeGreaterThan(0);
    expect(problemOf('error', refused[0])).toBeUndefined();
    const nodes = await vizprompt.searchNodes({ limit: count });
    expect(nodes.map(({ id }) => id).toSorted()).toEqual(
      made.map((one) => one.node_id ?? '').toSorted(),
    );
    await expect.poll(() => isStillThere(client)).toBe(true);
  });

  it('anything at all gets one answer, and never an error inside', async () => {
    const failures: unknown[] = [];
    const logger = createLogger({ level: 'error', sinks: [(entry) => failures.push(entry)] });
    const { connect } = await serveProject({ logger, limits: { maxMessagesPerSecond: 10_000 } });
    const client = await connect();
    const text = fc.oneof(
      anyString(),
      fc.constantFrom(
        '\0',
        '\ud800',
        '\u202e',
        '../../..',
        '__proto__',
        'main',
        '*',
        'node_created',
      ),
    );
    const names = [...ACTIONS.keys()];
    const fields = [
      'prompt',
      'response',
      'node_id',
      'flow_id',
      'source_id',
      'target_id',
      'after',
      'name',
      'alias',
      'tags',
      'text',
      'event',
      'limit',
      'id',
      'from',
      'head',
      'if_step',
      'instructions',
    ];
    const value = fc.oneof(text, fc.jsonValue());
    const data = fc.dictionary(fc.oneof(fc.constantFrom(...fields), text), value, { maxKeys: 4 });
    const message = fc.oneof(
      fc.record({ action: fc.constantFrom(...names), data }),
      fc.record({ action: text, data: fc.jsonValue() }),
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(message, async (given) => {
        const id = `fuzz ${count++}`;
        client.send(JSON.stringify({ ...given, id }));
        const answer = await client.first((one) => one.id === id && 'status' in one);
        const kind = answer.status === 'error' ? 'error' : `${given.action}_result`;
        expect([given, problemOf(kind, answer)]).toEqual([given, undefined]);
        expect([given, answer.error?.code]).not.toEqual([given, 'internal']);
        client.messages.length = 0;
      }),
      { numRuns: randomRuns(60) },
    );
    expect(failures).toEqual([]);
  });
});
