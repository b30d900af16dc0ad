import { LLMError, textOf } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { problemOf, serveProject } from '../../support/websocket/serve-project.ts';

const NOBODY = '01990000-0000-7000-8000-000000000000';

describe('models', () => {
  it('are asked, and their answers come in pieces', async () => {
    const model = scriptedModel(['はい、とても好きです。', 'また', '別の', '続き']);
    const { connect, vizprompt } = await serveProject({}, { model });
    const client = await connect();
    const answer = await client.ask('chat', { prompt: '猫は好き？', branch_name: '猫' });
    expect(answer.data).toMatchObject({
      node: { response: 'はい、とても好きです。', status: 'done' },
      finish_reason: 'stop',
    });
    const told = client.messages.slice(0, -1);
    expect(told.every(({ id }) => id === answer.id)).toBe(true);
    for (const message of told) expect(problemOf(message.event ?? '', message)).toBeUndefined();
    expect(told[0]).toMatchObject({ event: 'chat_asked', data: { node: { status: 'pending' } } });
    expect(
      client
        .events('chat_delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('はい、とても好きです。');

    const id = answer.node_id ?? '';
    const retried = await client.ask('retry', { node_id: id });
    const edited = await client.ask('edit', { node_id: id, prompt: '犬は？' });
    expect([retried.data.node.response, edited.data.node.prompt]).toEqual(['また', '犬は？']);
    const gone = await client.ask('continue', { node_id: id });
    expect(gone.data.node).toMatchObject({ id, response: 'はい、とても好きです。続き' });
    expect((await vizprompt.getFlow()).nodes).toHaveLength(3);
  });

  it('receive the instructions of the client, which are stored with the node', async () => {
    const model = scriptedModel(() => 'はい。');
    const { connect } = await serveProject({}, { model });
    const client = await connect();
    const { data, node_id: id = '' } = await client.ask('chat', {
      prompt: '猫は？',
      instructions: '一言で。',
    });
    expect(data.node.prompt_parts).toEqual([
      { type: 'data', kind: 'text', value: '一言で。', role: 'system' },
    ]);
    await client.ask('retry', { node_id: id });
    await client.ask('edit', { node_id: id, prompt: '犬は？', instructions: '' });
    await client.ask('continue', { node_id: id, instructions: '長く。' });
    const told = model.calls.map(({ messages }) =>
      messages.filter(({ role }) => role === 'system'),
    );
    expect(told.map((messages) => messages.map((message) => textOf(message)))).toEqual([
      ['一言で。'],
      ['一言で。'],
      [],
      ['長く。'],
    ]);
  });

  it('are not asked for nonsense, and fail by their names', async () => {
    const model = scriptedModel([new LLMError('rate_limit', 'slow down')]);
    const { connect } = await serveProject({}, { model });
    const client = await connect();
    const cases: readonly [string, object, string][] = [
      ['chat', {}, 'invalid_input'],
      ['chat', { prompt: 'x', budget: 0 }, 'invalid_input'],
      ['chat', { prompt: 'x', instructions: ['y'] }, 'invalid_input'],
      ['chat', { prompt: 'x', from: NOBODY }, 'node_not_found'],
      ['chat', { prompt: 'x', flow_id: 'nowhere' }, 'flow_not_found'],
      ['retry', { node_id: NOBODY }, 'node_not_found'],
      ['retry', {}, 'invalid_input'],
      ['edit', { node_id: NOBODY }, 'invalid_input'],
      ['continue', { node_id: NOBODY }, 'node_not_found'],
      ['chat', { prompt: 'x' }, 'model_rate_limit'],
      ['build', { offline: 'yes' }, 'invalid_input'],
      ['cancel', {}, 'invalid_input'],
    ];
    for (const [action, data, code] of cases) {
      expect([action, data, await client.codeOf(action, data as never)]).toEqual([
        action,
        data,
        code,
      ]);
    }
    expect(model.calls).toHaveLength(1);
  });

  it('are asked by no server that was not given one, and no node is left behind', async () => {
    const { connect, vizprompt } = await serveProject();
    const client = await connect();
    const { id } = await vizprompt.createNode({ prompt: '猫', response: '😺' });
    const asking: readonly [string, object][] = [
      ['chat', { prompt: 'x' }],
      ['retry', { node_id: id }],
      ['edit', { node_id: id, prompt: 'x' }],
      ['continue', { node_id: id }],
      ['build', {}],
      ['build', { offline: false }],
    ];
    for (const [action, data] of asking) {
      const { error } = await client.ask(action, data as never);
      expect(error).toMatchObject({
        code: 'no_model',
        message: expect.stringContaining('vizprompt serve --model'),
      });
    }
    expect((await vizprompt.getFlow()).nodes).toHaveLength(1);
    expect((await vizprompt.getNode(id)).summary.text).toBe('');
    expect((await client.ask('build', { offline: true })).data.built).toBe(1);
  });

  it('make summaries, and report progress', async () => {
    const model = scriptedModel((_, call) =>
      call === 0 ? new Error('broken') : '要約: 猫の話。\nタグ: 猫, 動物, 話',
    );
    const { connect, vizprompt } = await serveProject({}, { model });
    const client = await connect();
    for (const prompt of ['一', '二', '三']) await vizprompt.createNode({ prompt });
    const answer = await client.ask('build');
    expect(answer.data).toMatchObject({
      built: 2,
      postponed: 0,
      failed: [{ message: expect.stringMatching('log') }],
    });
    expect(client.events('build_progress').map(({ done, total }) => [done, total])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect((await client.ask('build', { offline: true })).data.built).toBe(1);
  });
});
