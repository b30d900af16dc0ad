import { FlowGraph, VizPrompt } from '@vizprompt/core';
import { inMemoryStorage } from '@vizprompt/providers/node';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branched, ChatGptConversation } from '../fixtures/chatgpt.ts';
import { make, steps } from '../support/random-flows.ts';
import { openProject, randomRuns, shapeOf, testProject } from '../support/open-project.ts';

/**
 * Returns the parts that an export must bring back: texts, connections with the names of branches, tags, keywords and
 * summaries, whatever the ids and the order.
 */
async function graphOf(vizprompt: VizPrompt, name: string): Promise<object> {
  const flow = await vizprompt.getFlow(name);
  const graph = new FlowGraph(flow);
  const texts = new Map<string, string>();
  const { nodes } = JSON.parse(await vizprompt.exportFlow(name, { format: 'json' })) as {
    readonly nodes: readonly { readonly id: string; readonly keywords?: object }[];
  };
  for (const { id, keywords } of nodes) {
    const { prompt, response, status, tags, summary } = await vizprompt.getNode(id);
    texts.set(id, JSON.stringify([prompt, response, status ?? 'done', tags, keywords, summary]));
  }
  const branches = new Map(
    flow.connections.map(({ from, to, branch }) => [`${from} ${to}`, branch ?? null]),
  );
  // A node is its text and its place: its own text and those of all that lead to it.
  const places = new Map<string, string>();
  for (const id of graph.topologicalOrder()) {
    const above = new Set(
      graph.parents(id).map((parent) => {
        return JSON.stringify([places.get(parent), branches.get(`${parent} ${id}`)]);
      }),
    );
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

async function inMemory(): Promise<VizPrompt> {
  return VizPrompt.open({ storage: await inMemoryStorage() });
}

describe('an export in the form of ChatGPT', () => {
  it('gives back what was imported from ChatGPT, id for id', async () => {
    const vizprompt = await openProject();
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

  it('gives the same graph, texts, tags, summaries and branches, whatever the flow', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (made, head) => {
        await using vizprompt = await inMemory();
        const flow = await make(vizprompt, made);
        const chosen = flow.nodes[head % flow.nodes.length]?.id ?? '';
        await vizprompt.updateFlow('main', { name: '猫の話', head: chosen });
        await vizprompt.build({ model: null });
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
      { numRuns: randomRuns(4) },
    );
  });

  it('puts what ChatGPT has no place for next to the last message of a node', async () => {
    const vizprompt = await openProject();
    const first = await vizprompt.createNode({
      prompt: '認証は？',
      response: 'JWT',
      tags: ['認証'],
    });
    const second = await vizprompt.createNode(
      { prompt: '期限は？', response: '15分' },
      { branchName: '本命 🌿' },
    );
    await vizprompt.updateNode(first.id, { summary: '認証は JWT' });
    const text = await vizprompt.exportFlow('main', { format: 'chatgpt' });
    const [{ mapping }] = JSON.parse(text) as [
      { mapping: Record<string, { message: { metadata: { vizprompt?: object } } | null }> },
    ];
    const notes = Object.fromEntries(
      Object.entries(mapping).map(([id, { message }]) => [id, message?.metadata.vizprompt]),
    );
    const { lastBuilt } = (await vizprompt.getNode(first.id)).summary;
    expect(notes).toEqual({
      'client-created-root': undefined,
      [first.id]: undefined,
      [`${first.id}/1`]: {
        tags: ['認証'],
        summary: { text: '認証は JWT', last_built: lastBuilt },
      },
      [second.id]: undefined,
      [`${second.id}/1`]: { branches: { [`${first.id}/1`]: '本命 🌿' } },
    });
  });
});

describe('notes of VizPrompt in an export of ChatGPT', () => {
  it('are left out where they make no sense', async () => {
    const vizprompt = await openProject();
    const conversation = new ChatGptConversation('odd');
    const odd = [
      { tags: ['', 1, '猫'], keywords: 'x', summary: 'x', branches: [] },
      { tags: {}, summary: { text: '要約', is_outdated: 1, last_built: 'yesterday' } },
      { branches: { m0: 7, nowhere: '枝' }, also_after: ['nowhere'] },
      'nonsense',
    ];
    for (const [at, notes] of odd.entries()) {
      conversation.add(`m${at}`, at === 0 ? 'root' : `m${at - 1}`, 'user', `質問 ${at}`, {
        metadata: { vizprompt: notes },
      });
    }
    await vizprompt.importConversations([conversation.export({ title: '変' })]);
    const flow = await vizprompt.getFlow('変');
    const nodes = await Promise.all(flow.nodes.map(({ id }) => vizprompt.getNode(id)));
    expect(nodes.map(({ tags }) => tags)).toEqual([['猫'], [], [], []]);
    expect(nodes.map(({ summary }) => summary)).toEqual([
      { text: '', isOutdated: true },
      { text: '要約', isOutdated: false },
      { text: '', isOutdated: true },
      { text: '', isOutdated: true },
    ]);
    expect(flow.connections.map(({ branch }) => branch)).toEqual([undefined, undefined, undefined]);
  });
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
      { numRuns: randomRuns(8) },
    );
  });
});

describe('an export in the form of OpenAI', () => {
  it('is the line to the head, or to another leaf, and can be imported', async () => {
    const vizprompt = await openProject();
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
