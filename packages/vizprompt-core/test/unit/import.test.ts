import { describe, expect, it } from 'vitest';
import { branched, ChatGptConversation } from '../fixtures/chatgpt.ts';
import { openProject, shapeOf, testProject } from '../support/open-project.ts';

describe('a ChatGPT export', () => {
  it('becomes pairs along its tree: edits, regenerations, tools, and runs that are left', async () => {
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations([branched().export({ current_node: 'a3' })]);
    expect(report).toMatchObject({
      conversations: { total: 1, imported: 1, updated: 0, unchanged: 0, skipped: 0 },
      messages: { total: 11 },
      nodes: { total: 5, created: 5, updated: 0, unchanged: 0 },
      connections: { total: 3, created: 3 },
      skipped: [],
      warnings: [],
    });
    expect(await shapeOf(vizprompt)).toEqual({
      nodes: [
        '最初の質問 / 最初の答え',
        '最初の質問 / 作り直した答え',
        '続き / ',
        '答えを待たずに / はい',
        '編集した続き / 計算した答え',
      ],
      edges: [
        '最初の質問 / 最初の答え → 続き / ',
        '続き /  → 答えを待たずに / はい',
        '最初の質問 / 最初の答え → 編集した続き / 計算した答え',
      ],
    });
    const flow = await vizprompt.getFlow('Conversation branched');
    expect(flow.source).toBe('chatgpt:branched');
    expect(flow.created).toBe('2023-11-14T22:13:20.250000Z');
    expect((await vizprompt.getNode(flow.head ?? '')).prompt).toBe('答えを待たずに');
  });

  it('keeps roles, times, models, tools and ids of all messages', async () => {
    const vizprompt = await openProject();
    await vizprompt.importConversations([branched().export()]);
    const [hit] = await vizprompt.searchNodes({ text: '計算した答え' });
    const node = await vizprompt.getNode(hit?.id ?? '');
    expect(node).toMatchObject({
      timestamp: '2023-11-14T22:14:23.000000Z',
      model: 'gpt-4o',
      source: 'chatgpt:branched:q2b',
    });
    expect(node.responseParts).toEqual([
      {
        type: 'tool-call',
        id: 't1',
        tool: 'python',
        input: 'print(1)',
        source: 't1',
        time: expect.any(String),
      },
      {
        type: 'tool-result',
        id: 't1',
        tool: 'python',
        output: { content_type: 'execution_output', text: '1' },
        role: 'tool',
        name: 'python',
        source: 't2',
        time: expect.any(String),
      },
      { type: 'text', start: 0, end: 6, source: 'a2', time: expect.any(String) },
    ]);
    const [first] = await vizprompt.searchNodes({ text: '最初の答え' });
    const { promptParts } = await vizprompt.getNode(first?.id ?? '');
    expect(promptParts.map(({ role, source }) => [role, source])).toEqual([
      ['system', 'sys'],
      [undefined, 'q1'],
    ]);
  });

  it('adds nothing the second time, and only what is new when it has grown', async () => {
    const { vizprompt, read } = await testProject();
    const conversation = branched();
    await vizprompt.importConversations([conversation.export()]);
    const map = await read('metadata/node_map.tsv');
    const flow = await read('flows/00/00.yaml');
    expect(await vizprompt.importConversations([conversation.export()])).toMatchObject({
      conversations: { unchanged: 1, imported: 0 },
      nodes: { total: 5, created: 0, updated: 0, unchanged: 5 },
      connections: { total: 3, created: 0 },
    });
    expect(await read('metadata/node_map.tsv')).toBe(map);
    expect(await read('flows/00/00.yaml')).toBe(flow);

    conversation.add('a2+', 'a2', 'assistant', 'つけ足し');
    conversation.add('late', 'q2', 'assistant', 'やっと答え');
    conversation.add('q4', 'a1b', 'user', '別の道');
    expect(await vizprompt.importConversations([conversation.export()])).toMatchObject({
      conversations: { updated: 1 },
      nodes: { total: 7, created: 2, updated: 1, unchanged: 4 },
      connections: { total: 5, created: 2 },
    });
    expect((await shapeOf(vizprompt)).nodes).toContain('編集した続き / 計算した答え\n\nつけ足し');
  });

  it('leaves alone what was changed by hand', async () => {
    const vizprompt = await openProject();
    const conversation = branched();
    await vizprompt.importConversations([conversation.export()]);
    const before = await vizprompt.getFlow('Conversation branched');
    const [edge] = before.connections;
    await vizprompt.disconnectNodes(edge?.from ?? '', edge?.to ?? '', { flow: before.id });
    await vizprompt.updateNode(edge?.to ?? '', { prompt: '書き直した', tags: ['大事'] });
    conversation.add('q4', 'a1b', 'user', '別の道');
    await vizprompt.importConversations([conversation.export()]);
    const after = await vizprompt.getFlow(before.id);
    expect(after.connections).not.toContainEqual(edge);
    expect(after.nodes).toHaveLength(6);
    expect(await vizprompt.getNode(edge?.to ?? '')).toMatchObject({
      prompt: '書き直した',
      tags: ['大事'],
    });
  });

  it('keeps content of every type, also of unknown types', async () => {
    const conversation = new ChatGptConversation('types');
    conversation.add('ctx', 'root', 'user', {
      content_type: 'user_editable_context',
      user_profile: '猫好き',
    });
    conversation.add(
      'q',
      'ctx',
      'user',
      {
        content_type: 'multimodal_text',
        parts: [
          'これは？',
          { content_type: 'image_asset_pointer', asset_pointer: 'sediment://f1', size_bytes: 9 },
          7,
        ],
      },
      {
        metadata: {
          attachments: [
            { id: 'f1' },
            { id: 'f2', name: 'a.pdf', mimeType: 'application/pdf', size: 3 },
          ],
        },
      },
    );
    conversation.add('th', 'q', 'assistant', {
      content_type: 'thoughts',
      thoughts: [{ summary: '見る', content: '耳がある' }],
    });
    conversation.add('rc', 'th', 'assistant', {
      content_type: 'reasoning_recap',
      content: '3秒考えた',
    });
    conversation.add('code', 'rc', 'assistant', {
      content_type: 'code',
      language: 'ts',
      text: 'const a = 1',
    });
    conversation.add('hol', 'code', 'assistant', { content_type: 'hologram', light: [1, 2] });
    conversation.add('stop', 'hol', 'assistant', '途中ま', {
      metadata: { finish_details: { type: 'interrupted' } },
    });
    const vizprompt = await openProject();
    await vizprompt.importConversations([conversation.export({ title: null })]);
    const [flow] = await vizprompt.listFlows();
    expect(flow).toMatchObject({ name: 'これは？', nodes: 1 });
    const [hit] = await vizprompt.searchNodes({});
    const node = await vizprompt.getNode(hit?.id ?? '');
    expect(node).toMatchObject({
      prompt: 'これは？',
      response: 'const a = 1\n\n途中ま',
      status: 'aborted',
    });
    expect(node.promptParts).toMatchObject([
      { type: 'data', kind: 'user_editable_context', role: 'system' },
      { type: 'text', start: 0, end: 4 },
      { type: 'file', uri: 'sediment://f1', size: 9 },
      { type: 'data', kind: 'unknown', value: 7 },
      { type: 'file', uri: 'file-service://f2', fileName: 'a.pdf', mediaType: 'application/pdf' },
    ]);
    expect(node.responseParts).toMatchObject([
      { type: 'reasoning', text: '見る\n耳がある' },
      { type: 'reasoning', meta: { recap: true } },
      { type: 'text', meta: { code: 'ts' } },
      { type: 'data', kind: 'hologram', value: { content_type: 'hologram', light: [1, 2] } },
      { type: 'text' },
    ]);
  });

  it('survives broken trees: circles, missing parents, children that no parent lists', async () => {
    const conversation = new ChatGptConversation('odd');
    conversation.add('q', 'root', 'user', '問い');
    conversation.add('a', 'q', 'assistant', '答え');
    conversation.add('lost', 'nowhere', 'user', '迷子');
    conversation.add('x', 'y', 'user', '輪の中');
    conversation.add('y', 'x', 'assistant', '輪の答え');
    (conversation.mapping['q'] ?? {})['children'] = ['ghost', 'a', 'a'];
    (conversation.mapping['root'] ?? {})['children'] = [];
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations([conversation.export()]);
    expect(report.messages.total).toBe(5);
    expect(report.nodes.total).toBe(3);
    expect(report.warnings.map(({ reason }) => reason)).toEqual([
      'the parent of message lost is missing: it begins a tree of its own',
      '2 messages go round in a circle',
    ]);
    expect((await shapeOf(vizprompt)).nodes.toSorted()).toEqual([
      '問い / 答え',
      '輪の中 / 輪の答え',
      '迷子 / ',
    ]);
  });
});

describe('a Claude export', () => {
  const message = (uuid: string, sender: string, text: string, more: object = {}): object => ({
    uuid,
    sender,
    text,
    content: [],
    created_at: '2026-01-01T00:00:00.000000Z',
    ...more,
  });

  it('that is flat continues in the order of the file, whatever the times', async () => {
    const vizprompt = await openProject();
    const messages = ['human', 'assistant', 'human', 'assistant'].map((sender, at) =>
      message(`m${at}`, sender, `${sender} ${at}`, { created_at: `2026-01-0${9 - at}T00:00:00Z` }),
    );
    const report = await vizprompt.importConversations({
      conversations: [{ uuid: 'c', name: '', chat_messages: messages }],
    });
    expect(report).toMatchObject({ nodes: { total: 2 }, connections: { total: 1 } });
    expect((await shapeOf(vizprompt)).edges).toEqual([
      'human 0 / assistant 1 → human 2 / assistant 3',
    ]);
  });

  it('that is a tree keeps its branches, and begins a new one where a parent is missing', async () => {
    const root = '00000000-0000-4000-8000-000000000000';
    const vizprompt = await openProject();
    const report = await vizprompt.importConversations([
      {
        uuid: 'c',
        name: 'Tree',
        model: 'claude-x',
        current_leaf_message_uuid: 'a1',
        chat_messages: [
          message('q', 'human', 'q', { parent_message_uuid: root }),
          message('a1', 'assistant', 'one', { parent_message_uuid: 'q' }),
          message('a2', 'assistant', 'two', { parent_message_uuid: 'q' }),
          message('l', 'human', 'lost', { parent_message_uuid: 'gone' }),
        ],
      },
    ]);
    expect(report.warnings).toHaveLength(1);
    expect((await shapeOf(vizprompt)).nodes).toEqual(['q / one', 'q / two', 'lost / ']);
    const flow = await vizprompt.getFlow('Tree');
    expect(await vizprompt.getNode(flow.head ?? '')).toMatchObject({
      response: 'one',
      model: 'claude-x',
    });
  });

  it('keeps blocks of every type', async () => {
    const content = [
      { type: 'thinking', thinking: '考え', signature: 'sig' },
      { type: 'text', text: '答え' },
      { type: 'tool_use', id: 't', name: 'web', input: { q: '猫' } },
      { type: 'tool_result', tool_use_id: 't', name: 'web', content: [{ x: 1 }], is_error: true },
      { type: 'voice_note', title: '声' },
      { type: 'text', text: '続き' },
    ];
    const vizprompt = await openProject();
    await vizprompt.importConversations({
      uuid: 'c',
      chat_messages: [
        message('q', 'human', '問い', {
          files: [{ file_uuid: 'f', file_name: 'cat.png' }],
          attachments: [
            { file_name: 'a.txt', file_type: 'text/plain', file_size: 2, extracted_content: 'hi' },
          ],
        }),
        message('a', 'assistant', '', { content }),
      ],
    });
    const [hit] = await vizprompt.searchNodes({});
    const node = await vizprompt.getNode(hit?.id ?? '');
    expect(node.response).toBe('答え\n\n続き');
    expect(node.promptParts).toMatchObject([
      { type: 'text' },
      { type: 'file', uri: 'claude-file:f', fileName: 'cat.png' },
      { type: 'file', fileName: 'a.txt', mediaType: 'text/plain', size: 2 },
      { type: 'text', start: 4, end: 6, meta: { attachment: 'a.txt' } },
    ]);
    expect(node.responseParts).toMatchObject([
      { type: 'reasoning', text: '考え', meta: { signature: 'sig' } },
      { type: 'text', start: 0, end: 2 },
      { type: 'tool-call', id: 't', tool: 'web', input: { q: '猫' } },
      { type: 'tool-result', id: 't', tool: 'web', output: [{ x: 1 }], isError: true },
      { type: 'data', kind: 'voice_note' },
      { type: 'text', start: 4, end: 6 },
    ]);
  });
});
