import type { ImportReport } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { record, shapeOf, testProject, type TestProject } from '../support/open-project.ts';

/** Imports a source, twice, and gives the first report: the second must add nothing. */
async function importTwice(
  source: object,
): Promise<{ readonly report: ImportReport; readonly project: TestProject }> {
  const project = await testProject();
  const report = await project.vizprompt.importConversations(source);
  const { nodes, connections, conversations } = await project.vizprompt.importConversations(source);
  expect(nodes).toMatchObject({ total: report.nodes.total, created: 0, updated: 0 });
  expect(connections.created).toBe(0);
  expect(conversations).toMatchObject({ imported: 0, updated: 0 });
  const { total, imported, updated, unchanged, skipped } = report.conversations;
  expect(imported + updated + unchanged + skipped).toBe(total);
  return { report, project };
}

describe('an Open WebUI export', () => {
  const message = (
    id: string,
    parentId: string | null,
    childrenIds: string[],
    content: string,
    extra: object = {},
  ): object => ({
    id,
    parentId,
    childrenIds,
    role: id.startsWith('q') ? 'user' : 'assistant',
    content,
    timestamp: 1_700_000_000,
    ...(id.startsWith('q') ? {} : { model: 'llama3.1:8b', done: true }),
    ...extra,
  });
  const chat = (messages: Record<string, object>, currentId?: string): object => ({
    id: 'chat-1',
    title: '猫の話 🐈',
    chat: { title: '猫の話 🐈', models: ['llama3.1:8b'], history: { messages, currentId } },
    created_at: 1_700_000_000,
    updated_at: 1_700_000_100,
  });

  it('becomes pairs along its tree, siblings in the order of their parent', async () => {
    const { report, project } = await importTwice([
      chat(
        {
          q1: message('q1', null, ['a1b', 'a1'], '質問'),
          a1: message('a1', 'q1', ['q2'], '答え'),
          a1b: message('a1b', 'q1', [], '別の答え 🐈', { done: false }),
          q2: message('q2', 'a1', ['a2'], '続き'),
          a2: message('a2', 'q2', [], 'はい'),
        },
        'a1b',
      ),
    ]);
    expect(report).toMatchObject({
      messages: { total: 5 },
      nodes: { total: 3 },
      connections: { total: 1 },
      warnings: [],
    });
    const { vizprompt } = project;
    expect(await shapeOf(vizprompt)).toEqual({
      nodes: ['質問 / 別の答え 🐈', '質問 / 答え', '続き / はい'],
      edges: ['質問 / 答え → 続き / はい'],
    });
    const flow = await vizprompt.getFlow('猫の話 🐈');
    expect(flow).toMatchObject({
      source: 'open-webui:chat-1',
      created: '2023-11-14T22:13:20.000000Z',
    });
    const head = await vizprompt.getNode(flow.head ?? '');
    expect(head).toMatchObject({ model: 'llama3.1:8b', status: 'aborted' });
  });

  it('is repaired where links are broken: lost parents, dangling ones, circles', async () => {
    const { report, project } = await importTwice([
      chat({
        q1: message('q1', null, ['a1'], 'Q1'),
        // Its parent knows it, but it does not know its parent.
        a1: message('a1', null, [], 'A1'),
        // Its parent does not list it: the link to the parent decides.
        q2: message('q2', 'a1', [], 'Q2'),
        q3: message('q3', 'gone', ['a3'], 'Q3'),
        a3: message('a3', 'q3', [], 'A3'),
        q4: message('q4', 'a4', ['a4'], 'Q4'),
        a4: message('a4', 'q4', ['q4'], 'A4'),
        broken: 'no message' as unknown as object,
      }),
    ]);
    expect((await shapeOf(project.vizprompt)).edges).toEqual(['Q1 / A1 → Q2 / ']);
    expect((await shapeOf(project.vizprompt)).nodes).toEqual([
      'Q1 / A1',
      'Q2 / ',
      'Q3 / A3',
      'Q4 / A4',
    ]);
    expect(report.warnings.map(({ reason }) => reason)).toEqual([
      "message a1 has lost its parent: it is taken from that one's list",
      'the parent of message q3 is missing: it begins a tree of its own',
      '2 messages go round in a circle',
    ]);
  });

  it('keeps thoughts, tools, files, sources and errors', async () => {
    const { project } = await importTwice({
      ...chat({
        q1: message('q1', null, [], 'Q', {
          files: [{ type: 'image', url: 'data:image/png;base64,AA==' }, 3],
        }),
        a1: message('a1', 'q1', [], '<details>ignored</details>', {
          output: [
            { type: 'reasoning', duration: 3, content: [{ type: 'output_text', text: '考え' }] },
            { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"京都"}' },
            { type: 'function_call_output', call_id: 'c1', output: [{ text: '雨' }] },
            { type: 'message', content: [{ type: 'output_text', text: '雨です' }] },
            { type: 'new_kind', x: 1 },
          ],
          sources: [{ source: { name: 'web' } }],
        }),
        a2: message(
          'a2',
          'q1',
          [],
          '<details type="reasoning" done="true" duration="3">\n<summary>Thought</summary>\n&gt; one &lt; two\n&gt; three\n</details>\n<details type="tool_calls" id="c2" name="calc" arguments="&quot;{\\&quot;x\\&quot;:1}&quot;" result="&quot;2&quot;">\n<summary>Tool</summary>\n</details>\n答え',
        ),
        a3: message('a3', 'q1', [], '', { error: { content: 'rate limit' } }),
      }),
    });
    const nodes = await project.vizprompt.searchNodes({ limit: 10 });
    const found = await Promise.all(nodes.map(({ id }) => project.vizprompt.getNode(id)));
    const parts = (response: string): unknown =>
      found
        .find((node) => node.response === response)
        ?.responseParts.map(({ source: _source, time: _time, ...part }) => part);
    expect(parts('雨です')).toEqual([
      { type: 'reasoning', text: '考え', meta: { duration: 3 } },
      { type: 'tool-call', id: 'c1', tool: 'weather', input: { city: '京都' } },
      { type: 'tool-result', id: 'c1', tool: '', output: [{ text: '雨' }] },
      { type: 'text', start: 0, end: 3 },
      { type: 'data', kind: 'new_kind', value: { type: 'new_kind', x: 1 } },
      { type: 'data', kind: 'sources', value: [{ source: { name: 'web' } }] },
    ]);
    expect(parts('答え')).toEqual([
      { type: 'reasoning', text: 'one < two\nthree' },
      { type: 'tool-call', id: 'c2', tool: 'calc', input: { x: 1 } },
      { type: 'tool-result', id: 'c2', tool: 'calc', output: 2 },
      { type: 'text', start: 0, end: 2 },
    ]);
    expect(found.find(({ status }) => status === 'failed')?.responseParts).toContainEqual(
      expect.objectContaining({ kind: 'error', value: { content: 'rate limit' } }),
    );
    expect(found[0]?.promptParts.slice(1)).toMatchObject([
      { type: 'file', path: expect.stringMatching(/^attachments\//), size: 1 },
      { type: 'data', kind: 'file', value: 3 },
    ]);
  });

  it('may have no history but messages in a row', async () => {
    const { project } = await importTwice({
      id: 'old',
      chat: { messages: [{ role: 'user', content: 'Q' }, { role: 'assistant', content: 'A' }, 7] },
    });
    expect((await shapeOf(project.vizprompt)).nodes).toEqual(['Q / A']);
  });
});

describe('a LibreChat export', () => {
  const none = '00000000-0000-0000-0000-000000000000';
  const said = (
    messageId: string,
    parentMessageId: string | undefined,
    extra: object = {},
  ): object => ({
    messageId,
    ...(parentMessageId === undefined ? {} : { parentMessageId }),
    conversationId: 'c',
    createdAt: '2024-05-28T18:08:55.014Z',
    isCreatedByUser: messageId.startsWith('q'),
    sender: messageId.startsWith('q') ? 'User' : 'GPT-4',
    model: messageId.startsWith('q') ? null : 'gpt-4o',
    text: `text of ${messageId}`,
    ...extra,
  });
  const conversation = { conversationId: 'c', title: '会話', endpoint: 'openAI' };

  it('may be recursive', async () => {
    const { report, project } = await importTwice({
      ...conversation,
      recursive: true,
      branches: true,
      options: { promptPrefix: 'あなたは猫です' },
      messages: [
        said('q1', none, {
          children: [
            said('a1', 'q1', {
              children: [said('q2', undefined, { children: [said('a2', 'q2')] })],
            }),
            said('a1b', 'q1', { unfinished: true }),
          ],
        }),
        said('q1b', none, { children: [] }),
      ],
    });
    expect(report).toMatchObject({ messages: { total: 7 }, nodes: { total: 4 }, warnings: [] });
    expect((await shapeOf(project.vizprompt)).edges).toEqual([
      'text of q1 / text of a1 → text of q2 / text of a2',
    ]);
    const flow = await project.vizprompt.getFlow('会話');
    const nodes = await Promise.all(flow.nodes.map(({ id }) => project.vizprompt.getNode(id)));
    expect(nodes.map(({ status }) => status)).toEqual([undefined, 'aborted', undefined, undefined]);
    expect(nodes[0]?.promptParts[0]).toMatchObject({ role: 'system', value: 'あなたは猫です' });
    expect(flow).toMatchObject({ created: '2024-05-28T18:08:55.014Z', source: 'librechat:c' });
  });

  it('may be flat, children before parents, with repeated and broken messages', async () => {
    const { report, project } = await importTwice({
      ...conversation,
      messages: [
        said('a1', 'q1'),
        said('q1', none),
        said('q1', none),
        said('a1', 'q1', { text: 'another text' }),
        said('q9', 'gone'),
        null,
        said('q2', 'a1'),
        said('q8', 'a8'),
        said('a8', 'q8'),
      ],
    });
    expect(report.messages.total).toBe(7);
    expect(report.warnings.map(({ reason }) => reason)).toEqual([
      'message q1 comes twice: it counts once',
      'two messages have the id a1: the later one is a1/2',
      'the parent of message q9 is missing: it begins a tree of its own',
      '2 messages go round in a circle',
    ]);
    const { nodes, edges } = await shapeOf(project.vizprompt);
    expect(nodes.toSorted()).toEqual([
      'text of q1 / another text',
      'text of q1 / text of a1',
      'text of q2 / ',
      'text of q8 / text of a8',
      'text of q9 / ',
    ]);
    expect(edges).toEqual(['text of q1 / text of a1 → text of q2 / ']);
  });

  it('may have an answer with the id of its question', async () => {
    const { project } = await importTwice({
      ...conversation,
      messages: [said('q1', none), said('q1', 'q1', { isCreatedByUser: false })],
    });
    expect((await shapeOf(project.vizprompt)).nodes).toEqual(['text of q1 / text of q1']);
  });

  it('may have no parents at all, and content in pieces', async () => {
    const { project } = await importTwice({
      ...conversation,
      messages: [
        said('q1', undefined, {
          files: [{ file_id: 'f', filename: '猫.png', type: 'image/png', bytes: 9 }],
        }),
        said('a1', undefined, {
          text: '',
          content: [
            { type: 'think', think: '考え' },
            {
              type: 'tool_call',
              tool_call: { id: 'c', name: 'web', args: '{"q":1}', output: 'r' },
            },
            { type: 'text', text: { value: '答え' } },
            { type: 'text', text: 'です' },
            'odd',
          ],
        }),
      ],
    });
    const [hit] = await project.vizprompt.searchNodes({});
    const node = await project.vizprompt.getNode(hit?.id ?? '');
    expect(node.response).toBe('答え\n\nです\n\nodd');
    expect(node.responseParts.map(({ type }) => type)).toEqual([
      'reasoning',
      'tool-call',
      'tool-result',
      'text',
      'text',
      'text',
    ]);
    expect(node.promptParts[1]).toMatchObject({
      fileName: '猫.png',
      uri: 'librechat-file:f',
      size: 9,
    });
  });
});

describe('messages in the form of OpenAI', () => {
  const messages = [
    { role: 'system', content: 'あなたは猫です' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '天気は？' },
        { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      reasoning_content: '調べよう',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"京都"}' } },
        { id: 'c2', type: 'function', function: { name: 'weather', arguments: 'no json' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: '雨' },
    { role: 'assistant', content: '雨です ☔' },
    { role: 'user', content: 'ありがとう' },
  ];

  it.each([
    ['a list of messages', messages],
    ['an object', { messages, tools: [{ type: 'function' }] }],
    ['a list of lists', [messages]],
  ])('may be %s', async (_name, source) => {
    const { report, project } = await importTwice(source);
    expect(report).toMatchObject({ conversations: { total: 1, imported: 1 }, nodes: { total: 2 } });
    expect(await shapeOf(project.vizprompt)).toEqual({
      nodes: ['天気は？ / 雨です ☔', 'ありがとう / '],
      edges: ['天気は？ / 雨です ☔ → ありがとう / '],
    });
    const [hit] = await project.vizprompt.searchNodes({ text: '天気' });
    const node = await project.vizprompt.getNode(hit?.id ?? '');
    expect(node.responseParts).toMatchObject([
      { type: 'reasoning', text: '調べよう' },
      { type: 'tool-call', id: 'c1', tool: 'weather', input: { city: '京都' } },
      { type: 'tool-call', id: 'c2', input: 'no json' },
      { type: 'tool-result', id: 'c1', tool: 'weather', output: '雨', role: 'tool' },
      { type: 'text' },
    ]);
    expect(node.promptParts.at(-1)).toMatchObject({
      uri: 'https://example.org/a.png',
      meta: { detail: 'low' },
    });
  });

  it('are streamed from JSONL, a conversation a line, and broken lines stop nothing', async () => {
    const { heard, on } = record();
    const { vizprompt, folder, write } = await testProject({ on });
    const line = (text: string): string =>
      JSON.stringify({
        messages: [
          { role: 'user', content: text },
          { role: 'assistant', content: 'A' },
        ],
      });
    const text = `${line('猫')}\r\n\n{"messages": [\n${line('犬 🐕')}\n${line('猫')}\n{"messages": []}\n`;
    for (const name of ['tuning.jsonl', 'tuning.txt']) {
      await write(name, text);
      const report = await vizprompt.importConversations(`${folder}/${name}`);
      expect(report.conversations).toMatchObject({ total: 5, skipped: 2 });
      expect(report.skipped.map(({ entry }) => entry)).toEqual([
        `${name}, line 3`,
        `${name}, line 6`,
      ]);
      expect(report.nodes.total).toBe(3);
    }
    expect((await vizprompt.listFlows()).map(({ name }) => name)).toEqual(['猫', '犬 🐕']);
    expect(heard.filter(([name]) => name === 'import:skipped')).toHaveLength(4);
  });

  it('may have an unknown role', async () => {
    const { project } = await importTwice([
      { role: '__proto__', content: 'scene' },
      { role: 'user', content: 'Q' },
    ]);
    expect((await shapeOf(project.vizprompt)).nodes).toEqual(['Q / ']);
  });

  it('may be a message a line', async () => {
    const { vizprompt, folder, write } = await testProject();
    await write('log.jsonl', messages.map((message) => JSON.stringify(message)).join('\n'));
    const { nodes } = await vizprompt.importConversations(`${folder}/log.jsonl`);
    expect(nodes.total).toBe(2);
  });
});
