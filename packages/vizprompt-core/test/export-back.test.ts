import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FlowGraph, VizPrompt, type StoredFlow } from '@vizprompt/core';
import { inMemoryStorage } from '@vizprompt/providers/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branched, ChatGptConversation } from './fixtures/chatgpt.ts';
import { shapeOf, testProject } from './support.ts';

/** What an export must bring back: texts and connections, whatever the ids and the order. */
async function graphOf(vizprompt: VizPrompt, name: string): Promise<object> {
  const flow = await vizprompt.getFlow(name);
  const graph = new FlowGraph(flow);
  const texts = new Map<string, string>();
  for (const { id } of flow.nodes) {
    const { prompt, response, status } = await vizprompt.getNode(id);
    texts.set(id, JSON.stringify([prompt, response, status ?? 'done']));
  }
  // A node is what it says and where it stands: its own text and those of all that lead to it.
  const places = new Map<string, string>();
  for (const id of graph.topologicalOrder()) {
    const above = new Set(graph.parents(id).map((parent) => places.get(parent) ?? ''));
    places.set(id, JSON.stringify([texts.get(id), [...above].toSorted(compare)]));
  }
  return {
    name: flow.name,
    nodes: [...places.values()].toSorted(compare),
    head: places.get(flow.head ?? ''),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

const words = ['', '質問', '答え 🐈', 'a\n\nb', '\ud800', '\0\u001b', ']]>', '  ', '"<&>\\'];
const word = fc.constantFrom(...words);

/** Steps that make a flow: a text for each side, and which of the nodes so far it goes on from. */
const steps = fc.array(
  fc.record({
    prompt: word,
    response: word,
    parents: fc.uniqueArray(fc.nat(), { maxLength: 3 }),
    isAborted: fc.boolean(),
    extra: fc.constantFrom('none', 'system', 'reasoning', 'file'),
  }),
  { minLength: 1, maxLength: 8 },
);

type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never;

async function make(vizprompt: VizPrompt, made: Steps): Promise<StoredFlow> {
  const ids: string[] = [];
  for (const { prompt, response, parents, isAborted, extra } of made) {
    const after = [...new Set(parents.map((at) => ids[at % ids.length]))].filter(
      (id) => id !== undefined,
    );
    const node = await vizprompt.createNode(
      {
        prompt,
        response,
        model: 'gpt-4o',
        ...(isAborted && response !== '' ? { status: 'aborted' } : {}),
        tags: ['猫', prompt].filter((tag) => tag !== ''),
        promptParts:
          extra === 'system'
            ? [{ type: 'data', kind: 'text', value: 'scene', role: 'system' }]
            : extra === 'file'
              ? [
                  { type: 'text', start: 0, end: prompt.length },
                  { type: 'file', uri: 'https://example.org/猫.png' },
                ]
              : [],
        responseParts:
          extra === 'reasoning'
            ? [
                { type: 'reasoning', text: '考え', meta: { signature: 's' } },
                { type: 'tool-call', id: 'c', tool: 'web', input: { q: '猫' } },
                { type: 'tool-result', id: 'c', tool: 'web', output: [1], role: 'tool' },
                { type: 'text', start: 0, end: response.length },
              ]
            : [],
      },
      { after: after.length > 0 ? after : null, ...(prompt === '' ? {} : { branchName: prompt }) },
    );
    ids.push(node.id);
  }
  return vizprompt.getFlow();
}

async function inMemory(): Promise<VizPrompt> {
  return VizPrompt.open({ storage: await inMemoryStorage() });
}

describe('an export in the form of ChatGPT', () => {
  it('gives back what was imported from ChatGPT, id for id', async () => {
    const { vizprompt } = await testProject();
    await vizprompt.importConversations([branched().export({ current_node: 'a1b' })]);
    const [summary] = await vizprompt.listFlows();
    const exported = JSON.parse(
      await vizprompt.exportFlow(summary?.id ?? '', { format: 'chatgpt' }),
    ) as [
      { mapping: Record<string, { parent: string; children: string[] }>; current_node: string },
    ];
    const { mapping, current_node: current } = exported[0];
    expect(Object.keys(mapping).toSorted()).toEqual(
      [...Object.keys(branched().mapping), 'client-created-root']
        .filter((id) => id !== 'root')
        .toSorted(),
    );
    expect(mapping['q1']?.children).toEqual(['a1', 'a1b']);
    expect(mapping['a1']?.children).toEqual(['q2', 'q2b']);
    expect(current).toBe('a1b');
    const again = await vizprompt.importConversations(exported);
    expect(again).toMatchObject({
      conversations: { unchanged: 1 },
      nodes: { total: 5, created: 0, updated: 0 },
      warnings: [],
    });
    const other = await testProject();
    await other.vizprompt.importConversations(exported);
    expect(await shapeOf(other.vizprompt)).toEqual(await shapeOf(vizprompt));
  });

  it('gives the same graph and the same texts, whatever the flow', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (made, head) => {
        await using vizprompt = await inMemory();
        const flow = await make(vizprompt, made);
        const chosen = flow.nodes[head % flow.nodes.length]?.id ?? '';
        await vizprompt.updateFlow('main', { name: '猫の話', head: chosen });
        const before = await graphOf(vizprompt, 'main');
        await using other = await inMemory();
        const text = await vizprompt.exportFlow('main', { format: 'chatgpt' });
        await other.importConversations(JSON.parse(text) as object);
        expect(await graphOf(other, '猫の話')).toEqual(before);
        // And once more, from ids that are ChatGPT's by now.
        await using third = await inMemory();
        const again = await other.exportFlow('猫の話', { format: 'chatgpt' });
        await third.importConversations(JSON.parse(again) as object);
        expect(await graphOf(third, '猫の話')).toEqual(before);
      }),
      { numRuns: 30 },
    );
  }, 60_000);
});

describe('an import from ChatGPT', () => {
  const message = fc.record({
    role: fc.constantFrom('user', 'assistant', 'assistant', 'system', 'tool'),
    text: fc.constantFrom('', '質問', '答え 🐈'),
    parent: fc.nat(),
    isThought: fc.boolean(),
  });

  it('comes back from an export, whatever its tree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 12 }), async (messages) => {
        const conversation = new ChatGptConversation('any');
        for (const [at, { role, text, parent, isThought }] of messages.entries()) {
          const content = { content_type: 'thoughts', thoughts: [{ summary: '', content: text }] };
          const above = parent % (at + 1) === 0 ? 'root' : `m${(parent % (at + 1)) - 1}`;
          conversation.add(`m${at}`, above, role, isThought ? content : text);
        }
        await using vizprompt = await inMemory();
        await vizprompt.importConversations([
          conversation.export({ title: '猫', current_node: 'm0' }),
        ]);
        const before = await graphOf(vizprompt, '猫');
        const exported = await vizprompt.exportFlow('猫', { format: 'chatgpt' });
        await using other = await inMemory();
        await other.importConversations(JSON.parse(exported) as object);
        expect(await graphOf(other, '猫')).toEqual(before);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

describe('an export in the form of OpenAI', () => {
  it('is the line to the head, or to another leaf, and can be imported', async () => {
    const { vizprompt } = await testProject();
    const messages = [
      { role: 'system', content: 'あなたは猫です' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '天気は？' },
          { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
        ],
      },
      {
        role: 'assistant',
        content: '調べます',
        reasoning_content: '調べよう',
        tool_calls: [
          {
            id: 'c',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"京都"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: '雨' },
      { role: 'assistant', content: '雨です ☔' },
      { role: 'user', content: '別の質問' },
      { role: 'assistant', content: 'はい' },
    ];
    const { flows } = await vizprompt.importConversations([{ messages }]);
    const id = flows[0]?.id ?? '';
    const exported = await vizprompt.exportFlow(id, { format: 'openai' });
    expect(JSON.parse(exported)).toEqual(messages);
    const { nodes } = await vizprompt.getFlow(id);
    const [root] = nodes;
    await vizprompt.createBranch(root?.id ?? '', { prompt: '枝', response: '葉' }, { flow: id });
    const branch = JSON.parse(await vizprompt.exportFlow(id, { format: 'openai' })) as object[];
    expect(branch.slice(5)).toEqual([
      { role: 'user', content: '枝' },
      { role: 'assistant', content: '葉' },
    ]);
    const other = await vizprompt.exportFlow(id, { format: 'openai', leaf: nodes[1]?.id ?? '' });
    expect(JSON.parse(other)).toEqual(messages);
    await expect(
      vizprompt.exportFlow(id, { format: 'openai', leaf: crypto.randomUUID() }),
    ).rejects.toMatchObject({ code: 'node-not-found' });
    await vizprompt.createFlow({ name: 'empty' });
    expect(await vizprompt.exportFlow('empty', { format: 'openai' })).toBe('[]\n');
  });
});

describe('an export as JSON', () => {
  /** The bytes of all files that hold what was said, nodes by their ids. */
  async function filesOf(folder: string): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const name of await readdir(folder, { recursive: true })) {
      if (!/^(?:nodes|flows|metadata)\/.*\./.test(name)) continue;
      const text = await readFile(join(folder, name), 'utf8');
      const [, id] = /<node id="([^"]*)"/.exec(text) ?? [];
      // The order of the nodes, and when metadata were written, is up to each project.
      const lines = name.startsWith('metadata/') ? text.split('\n').toSorted().slice(1) : [text];
      if (!name.endsWith('node_map.tsv')) {
        found[id ?? name] = lines.filter((line) => !line.startsWith('updated:')).join('\n');
      }
    }
    return found;
  }

  it('brings back the same bytes: ids, texts, connections, branches, tags, metadata', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (made) => {
        const project = await testProject();
        await make(project.vizprompt, made);
        await project.vizprompt.build({ model: null });
        const text = await project.vizprompt.exportFlow('main', { format: 'json' });
        const other = await testProject();
        const report = await other.vizprompt.importConversations(JSON.parse(text) as object);
        expect(report).toMatchObject({ conversations: { imported: 1 }, warnings: [] });
        expect(await other.vizprompt.exportFlow('main', { format: 'json' })).toBe(text);
        await project.vizprompt.close();
        await other.vizprompt.close();
        expect(await filesOf(other.folder)).toEqual(await filesOf(project.folder));
      }),
      { numRuns: 8 },
    );
  }, 60_000);

  it('adds nothing the second time, and what the project lacks', async () => {
    const { vizprompt, folder, write } = await testProject();
    const a = await vizprompt.createNode({ prompt: 'a' });
    const b = await vizprompt.createNode({ prompt: 'b' });
    await vizprompt.createNode({ prompt: 'c' });
    await write('flow.json', await vizprompt.exportFlow('main', { format: 'json' }));
    const file = join(folder, 'flow.json');
    expect(await vizprompt.importConversations(file)).toMatchObject({
      conversations: { unchanged: 1 },
      nodes: { total: 3, created: 0 },
    });
    await vizprompt.deleteNode(b.id, { join: false });
    expect(await vizprompt.importConversations(file)).toMatchObject({
      conversations: { updated: 1 },
      nodes: { created: 1 },
      connections: { created: 2 },
    });
    expect((await shapeOf(vizprompt)).edges).toEqual(['a /  → b / ', 'b /  → c / ']);
    expect((await vizprompt.getNode(a.id)).version).toBe(a.version);
  });

  it('takes another alias, and leaves out what makes no sense', async () => {
    const { vizprompt } = await testProject();
    const node = await vizprompt.createNode({ prompt: 'q' });
    const text = await vizprompt.exportFlow('main', { format: 'json' });
    const exported = JSON.parse(text) as {
      flow: { id: string; alias: string; nodes: object[]; connections: object[] };
      nodes: object[];
    };
    const { flow, nodes } = exported;
    const [one, two, three] = [1, 2, 3].map((at) => `00000000-0000-4000-8000-00000000000${at}`);
    const odd = {
      ...exported,
      flow: {
        ...flow,
        id: crypto.randomUUID(),
        nodes: [
          ...flow.nodes,
          { index: 2, id: one },
          { index: 3, id: two },
          { index: 3, id: three },
        ],
        connections: [
          { from: one, to: two },
          { from: two, to: one },
          { from: one, to: two },
          { from: one, to: 'nowhere' },
        ],
      },
      nodes: [
        ...nodes,
        { ...nodes[0], id: one },
        { ...nodes[0], id: two, timestamp: 'yesterday' },
        { ...nodes[0], id: three },
        { ...nodes[0], id: one, promptParts: [{ type: 'text', start: 0, end: 99 }] },
        null,
      ],
    };
    const report = await vizprompt.importConversations(odd);
    expect(report.conversations).toMatchObject({ total: 1, imported: 1 });
    expect(report.warnings.map(({ reason }) => reason)).toEqual([
      `node 3 (${three}) stands twice in the flow: the first counts`,
      `the connection ${one} → ${two} stands twice: it was left out`,
      `the connection ${one} → nowhere leads to no node of the flow: it was left out`,
      `the connection ${two} → ${one} closes a circle: it was left out`,
      `node ${two} was left out: timestamp: it is no ISO 8601 time`,
      `node ${three} is not in the flow: it was left out`,
      expect.stringContaining(`node ${one} was left out: promptParts`),
      expect.stringContaining('node 6 was left out'),
      '1 nodes of the flow are missing',
    ]);
    const imported = await vizprompt.getFlow(odd.flow.id);
    expect(imported.alias).toBeUndefined();
    expect((await vizprompt.getNode(node.id)).file).toBe(node.file);
    const { skipped } = await vizprompt.importConversations([
      exported,
      { ...exported, version: 2 },
      { ...exported, flow: { id: 'x' } },
    ]);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'its version is 2, and 1 is known',
      'its flow: id: it is no UUID',
    ]);
  });
});
