import { describe, expect, it } from 'vitest';
import {
  connectTo,
  problemOf,
  serveProject,
  type TestClient,
} from '../../support/websocket/serve-project.ts';

const NOBODY = '01990000-0000-7000-8000-000000000000';

async function idOfNew(client: TestClient, prompt: string): Promise<string> {
  return (await client.ask('create_node', { prompt })).node_id ?? '';
}

describe('the protocol', () => {
  it('answers in the documented words, and emits what was subscribed to', async () => {
    const { server, vizprompt } = await serveProject();
    const { socket, messages } = await connectTo(server.url);
    const heard = async (count: number): Promise<void> => {
      await expect.poll(() => messages.length).toBe(count);
    };
    socket.send(
      JSON.stringify({
        action: 'create_node',
        data: { prompt: '質問内容', response: '回答内容' },
      }),
    );
    await heard(1);
    expect(messages[0]).toMatchObject({ status: 'success', node_id: expect.any(String) });
    expect(Object.keys(messages[0] ?? {})).toEqual(['status', 'node_id', 'data']);
    socket.send(
      JSON.stringify({ action: 'subscribe', data: { event: 'flow_updated', flow_id: 'main' } }),
    );
    await heard(2);
    await vizprompt.createNode({ prompt: '次' });
    await heard(3);
    expect(messages[2]).toMatchObject({ event: 'flow_updated', data: { flow: { alias: 'main' } } });
    expect(problemOf('flow_updated', messages[2])).toBeUndefined();
  });

  it('echoes ids, texts and numbers, and has none where none was sent', async () => {
    const { connect } = await serveProject();
    const client = await connect();
    client.send({ id: '日本語 😀', action: 'list_tags' });
    client.send({ id: 0, action: 'list_tags', data: {} });
    client.send({ action: 'list_tags' });
    client.send({ id: 7, action: 'nothing' });
    await expect.poll(() => client.messages.length).toBe(4);
    expect(client.messages.map(({ id, status }) => [id, status])).toEqual([
      ['日本語 😀', 'success'],
      [0, 'success'],
      [undefined, 'success'],
      [7, 'error'],
    ]);
  });

  it('gives many nodes at once, in the order in which they are asked for', async () => {
    const { connect } = await serveProject();
    const client = await connect();
    const ids = [await idOfNew(client, '一'), await idOfNew(client, '二')];
    const { data } = await client.ask('get_nodes', { node_ids: [ids[1]!, NOBODY, ids[0]!] });
    expect(data.nodes.map(({ prompt }: { prompt: string }) => prompt)).toEqual(['二', '一']);
    expect(data.failed).toEqual([{ node_id: NOBODY, message: expect.stringContaining(NOBODY) }]);
    const many = Array.from({ length: 101 }, () => NOBODY);
    for (const wrong of [[], many, ['x']])
      expect(await client.codeOf('get_nodes', { node_ids: wrong })).toBe('invalid_input');
  });

  it('answers in the order of the messages', async () => {
    const { connect } = await serveProject();
    const client = await connect();
    for (let at = 0; at < 50; at++) {
      client.send({
        id: at,
        action: at % 2 ? 'list_tags' : 'create_node',
        data: at % 2 ? {} : { prompt: `${at}` },
      });
    }
    await expect.poll(() => client.messages.length).toBe(50);
    expect(client.messages.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => at));
  });
});

describe('nodes', () => {
  it('are made, read, changed and deleted', async () => {
    const { connect, vizprompt } = await serveProject();
    const client = await connect();
    const text = '日本語 😀 \ud800 \0 مرحبا \u202e ]]> \r\n';
    const made = await client.ask('create_node', {
      prompt: text,
      response: '回答',
      tags: ['設計'],
      model: 'm',
      timestamp: '2026-01-02T03:04:05+09:00',
      branch_name: '本命',
    });
    const id = made.node_id ?? '';
    expect(made.data.node).toMatchObject({ id, prompt: text, tags: ['設計'] });
    expect(await vizprompt.getNode(id)).toMatchObject({ prompt: text, response: '回答' });
    const read = await client.ask('get_node', { node_id: id });
    expect(read.data.node).toEqual({ ...made.data.node, version: read.data.node.version });

    const { version } = read.data.node;
    const changed = await client.ask('update_node', {
      node_id: id,
      response: '別の回答',
      summary: '要約',
      if_version: version,
    });
    expect(changed.data.node).toMatchObject({
      response: '別の回答',
      summary: { text: '要約', is_outdated: false },
    });
    expect(
      await client.codeOf('update_node', { node_id: id, prompt: 'x', if_version: version }),
    ).toBe('conflict');
    const next = await idOfNew(client, '次');
    expect((await client.ask('delete_node', { node_id: id })).data).toEqual({ node_id: id });
    expect(await client.codeOf('get_node', { node_id: id })).toBe('node_not_found');
    expect((await vizprompt.getFlow()).nodes.map((node) => node.id)).toEqual([next]);
  });

  it('say what is wrong with what they are given', async () => {
    const { connect } = await serveProject();
    const client = await connect();
    const id = await idOfNew(client, '一');
    const cases: readonly [string, object | undefined, string, RegExp][] = [
      ['create_node', undefined, 'invalid_input', /data\.prompt/],
      ['create_node', { prompt: 1 }, 'invalid_input', /data\.prompt.*a string/],
      ['create_node', { prompt: '', respones: '' }, 'invalid_input', /respones/],
      ['create_node', { prompt: '', id: 'x' }, 'invalid_input', /data\.id: expected .*UUID/],
      ['create_node', { prompt: '', timestamp: 'soon' }, 'invalid_input', /timestamp: 'soon'/],
      ['create_node', { prompt: '', tags: [''] }, 'invalid_input', /data\.tags\.0/],
      ['create_node', { prompt: '', status: 'odd' }, 'invalid_input', /data\.status/],
      ['create_node', { prompt: '', flow_id: 'nowhere' }, 'flow_not_found', /nowhere/],
      ['create_node', { prompt: '', after: NOBODY }, 'node_not_found', new RegExp(NOBODY)],
      ['create_node', { prompt: '', flow_id: null, after: id }, 'invalid_input', /after/],
      ['get_node', {}, 'invalid_input', /data\.node_id/],
      ['get_node', { node_id: '../x' }, 'invalid_input', /data\.node_id: expected .*UUID/],
      ['get_node', { node_id: NOBODY }, 'node_not_found', new RegExp(NOBODY)],
      ['update_node', { node_id: id }, 'invalid_input', /nothing to change/],
      ['update_node', { node_id: NOBODY, prompt: '' }, 'node_not_found', new RegExp(NOBODY)],
      ['update_node', { node_id: id, prompt: null }, 'invalid_input', /data\.prompt/],
      ['delete_node', { node_id: NOBODY }, 'node_not_found', new RegExp(NOBODY)],
      ['delete_node', { node_id: id, join: 1 }, 'invalid_input', /data\.join/],
      ['create_branch', { source_id: NOBODY, prompt: '' }, 'node_not_found', new RegExp(NOBODY)],
      ['create_branch', { prompt: '' }, 'invalid_input', /data\.source_id/],
    ];
    for (const [action, data, code, message] of cases) {
      const answer = await client.ask(action, data as never);
      expect([action, data, answer.error?.code]).toEqual([action, data, code]);
      expect(answer.error?.message).toMatch(message);
    }
    const wrong = await client.ask('create_node', { prompt: 1, tags: 'x' });
    expect(wrong.error?.errors?.map(({ field }) => field)).toEqual(['data.prompt', 'data.tags']);
    const { flow } = (await client.ask('get_flow')).data;
    expect(flow.nodes).toHaveLength(1);
  });
});

describe('flows', () => {
  it('are made, changed, listed, connected and branched', async () => {
    const { connect } = await serveProject();
    const client = await connect();
    const made = await client.ask('create_flow', { name: '設計', alias: 'design' });
    const { id } = made.data.flow;
    const root = await client.ask('create_node', { prompt: '一', flow_id: 'design', after: null });
    const left = await client.ask('create_node', { prompt: '二', flow_id: id });
    const right = await client.ask('create_branch', {
      source_id: root.node_id ?? '',
      prompt: '三',
      branch_name: '別案',
    });
    const merge = await client.ask('create_node', {
      prompt: '四',
      flow_id: 'design',
      after: [left.node_id ?? '', right.node_id ?? ''],
    });
    const { flow } = (await client.ask('get_flow', { flow_id: 'design' })).data;
    expect(flow.connections).toEqual([
      { from: root.node_id, to: left.node_id },
      { from: root.node_id, to: right.node_id, branch: '別案' },
      { from: left.node_id, to: merge.node_id },
      { from: right.node_id, to: merge.node_id },
    ]);
    const renamed = await client.ask('update_flow', {
      flow_id: 'design',
      name: '設計 2',
      head: left.node_id ?? '',
      if_version: flow.version,
    });
    expect(renamed.data.flow).toMatchObject({ id, name: '設計 2', head: left.node_id });
    const joined = await client.ask('connect_nodes', {
      source_id: root.node_id ?? '',
      target_id: merge.node_id ?? '',
      flow_id: id,
      branch_name: '近道',
    });
    expect(joined.data.flow.connections.at(-1)).toEqual({
      from: root.node_id,
      to: merge.node_id,
      branch: '近道',
    });
    const { flows } = (await client.ask('list_flows')).data;
    expect(flows).toMatchObject([{ id, alias: 'design', node_count: 4, connection_count: 5 }]);
  });

  it('say what is wrong with what they are given', async () => {
    const { connect } = await serveProject();
    const client = await connect();
    const first = await idOfNew(client, '一');
    const second = await idOfNew(client, '二');
    await client.ask('create_flow', { name: 'x', alias: 'taken' });
    const cases: readonly [string, object, string, RegExp][] = [
      ['get_flow', { flow_id: 'nowhere' }, 'flow_not_found', /nowhere/],
      ['get_flow', { flow_id: '' }, 'invalid_input', /data\.flow_id/],
      ['create_flow', {}, 'invalid_input', /data\.name/],
      ['create_flow', { name: 'y', alias: 'taken' }, 'exists', /taken/],
      ['update_flow', { flow_id: 'main' }, 'invalid_input', /nothing to change/],
      ['update_flow', { flow_id: 'main', head: NOBODY }, 'node_not_found', new RegExp(NOBODY)],
      ['update_flow', { flow_id: 'main', name: 'z', if_version: 'old' }, 'conflict', /changed/],
      ['connect_nodes', { source_id: second, target_id: first }, 'cycle', /circle/],
      ['connect_nodes', { source_id: first, target_id: NOBODY }, 'node_not_found', /./],
      ['connect_nodes', { source_id: first }, 'invalid_input', /data\.target_id/],
      ['list_flows', { all: true }, 'invalid_input', /all/],
    ];
    for (const [action, data, code, message] of cases) {
      const answer = await client.ask(action, data as never);
      expect([action, data, answer.error?.code]).toEqual([action, data, code]);
      expect(answer.error?.message).toMatch(message);
    }
  });
});

describe('edits', () => {
  it('are disconnected, listed, undone and redone, by any client', async () => {
    const { connect, vizprompt } = await serveProject();
    const [client, other] = [await connect(), await connect()];
    const first = await idOfNew(client, '一');
    const second = await idOfNew(client, '二');
    const { flow } = (await client.ask('get_flow')).data;
    const joined = [{ from: first, to: second }];
    expect(flow.connections).toEqual(joined);
    const data = { source_id: first, target_id: second };
    const stale = { ...data, if_version: 'old' };
    expect(await client.codeOf('disconnect_nodes', stale)).toBe('conflict');
    await other.ask('subscribe', { event: 'flow_updated', flow_id: 'main' });
    const cut = await client.ask('disconnect_nodes', { ...data, if_version: flow.version });
    expect(cut.data.flow).toMatchObject({ id: flow.id, connections: [] });
    expect((await client.ask('disconnect_nodes', data)).data.flow.connections).toEqual([]);

    const { undo } = (await client.ask('list_edits')).data;
    const last = undo.at(-1);
    expect(last).toEqual({
      id: expect.any(String),
      label: 'disconnectNodes',
      time: expect.stringMatching(/^\d{4}-/),
      flow_ids: [flow.id],
    });
    const undone = await other.ask('undo', { if_step: last.id });
    expect(undone.data).toMatchObject({ step: last, deleted_flow_ids: [] });
    expect(undone.data.flows).toMatchObject([{ id: flow.id, connections: joined }]);
    expect(await client.codeOf('undo', { if_step: last.id })).toBe('conflict');
    expect((await client.ask('redo')).data.flows[0].connections).toEqual([]);
    await expect.poll(() => other.events('flow_updated').length).toBeGreaterThanOrEqual(3);

    await vizprompt.createFlow({ name: '設計' });
    const { step, flows, deleted_flow_ids: gone } = (await client.ask('undo')).data;
    expect([step.label, flows, gone]).toEqual(['createFlow', [], step.flow_ids]);
    expect((await client.ask('list_edits')).data.redo).toEqual([step]);
  });

  it('say that there is nothing, and what is wrong with what they are given', async () => {
    const { connect } = await serveProject();
    const client = await connect();
    for (const action of ['undo', 'redo']) {
      expect((await client.ask(action)).data).toEqual({ flows: [], deleted_flow_ids: [] });
    }
    expect((await client.ask('list_edits')).data).toEqual({ undo: [], redo: [] });
    const id = await idOfNew(client, '一');
    const cases: readonly [string, object, string][] = [
      ['undo', { if_step: 1 }, 'invalid_input'],
      ['undo', { step: 'x' }, 'invalid_input'],
      ['redo', { if_step: 'x' }, 'conflict'],
      ['list_edits', { limit: 1 }, 'invalid_input'],
      ['disconnect_nodes', { source_id: id }, 'invalid_input'],
      ['disconnect_nodes', { source_id: id, target_id: NOBODY }, 'node_not_found'],
      ['disconnect_nodes', { source_id: id, target_id: id, flow_id: 'x' }, 'flow_not_found'],
    ];
    for (const [action, data, code] of cases) {
      expect([action, data, await client.codeOf(action, data as never)]).toEqual([
        action,
        data,
        code,
      ]);
    }
  });
});

describe('searching', () => {
  it('finds by words, tags, keywords, model and time, and lists tags', async () => {
    const { connect } = await serveProject();
    const client = await connect();
    const { node_id: id } = await client.ask('create_node', {
      prompt: '認証にはJWTを使用する',
      tags: ['認証', '設計'],
      model: 'm1',
      timestamp: '2026-01-02T00:00:00Z',
    });
    await client.ask('create_node', { prompt: '灯台の朝', tags: ['設計'] });
    await client.ask('build', { offline: true });
    const found = await client.ask('search_nodes', { text: '認証 JWT', limit: 1 });
    expect(found.data.nodes).toMatchObject([
      { id, score: expect.any(Number), flow_ids: [expect.any(String)] },
    ]);
    expect(found.data.nodes[0].snippet.text).toContain('JWT');
    const { keywords } = found.data.nodes[0];
    const filters = [
      { tags: ['認証'] },
      { keywords: keywords.slice(0, 1) },
      { model: 'm1' },
      { before: '2026-01-03' },
      { text: 'jwt', tags: ['設計'], after: '2026-01-01', before: '2026-01-03' },
    ];
    for (const filter of filters) {
      const { nodes } = (await client.ask('search_nodes', filter)).data;
      expect([filter, nodes.map((node: { id: string }) => node.id)]).toEqual([filter, [id]]);
    }
    const { tags } = (await client.ask('list_tags')).data;
    expect(tags).toContainEqual({ tag: '設計', nodes: 2 });

    const bad = [
      { limit: 0 },
      { limit: 1001 },
      { tags: '設計' },
      { after: 'yesterday' },
      { q: 'x' },
    ];
    for (const data of bad)
      expect([data, await client.codeOf('search_nodes', data as never)]).toEqual([
        data,
        'invalid_input',
      ]);
    expect(await client.codeOf('list_tags', { limit: 1 })).toBe('invalid_input');
  });
});
