import { FlowGraph } from '@vizprompt/core';
import { expect, it } from 'vitest';
import { ChatGptConversation } from '../fixtures/chatgpt.ts';
import { testProject } from '../support/open-project.ts';

it('a conversation of 4,000 turns is imported, and its context with merges is in budget and order', async () => {
  const conversation = new ChatGptConversation('long');
  let last = 'root';
  for (let turn = 0; turn < 4000; turn++) {
    last = conversation.add(`m${turn}`, last, turn % 2 ? 'assistant' : 'user', `text ${turn} 猫`);
  }
  const { vizprompt, read, write } = await testProject();
  const report = await vizprompt.importConversations([conversation.export()]);
  expect(report.nodes.total).toBe(2000);
  const name = 'Conversation long';
  const flow = await vizprompt.getFlow(name);
  expect(new FlowGraph(flow).lineTo(flow.head ?? '')).toHaveLength(2000);
  const merges = Array.from({ length: 40 }, (_, at) => {
    const [from, to] = [flow.nodes[at * 50], flow.nodes[at * 50 + 7]];
    return { from: from?.index, to: to?.index };
  });
  const yaml = await read(flow.file);
  const lines = merges.map(({ from, to }) => `  - from: ${from}\n    to: ${to}\n`);
  await write(flow.file, `${yaml.trimEnd()}\n${lines.join('')}`);
  await vizprompt.refresh();
  expect((await vizprompt.getFlow(name)).connections).toHaveLength(1999 + 40);
  const context = await vizprompt.buildContext({ flow: name, prompt: 'text 800 の猫は？' });
  const { entries, tokens, everything } = context.report;
  expect(entries).toHaveLength(2000);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(2000);
  expect(
    entries.find(({ form, reason }) => form === 'full' && reason === 'relevant'),
  ).toBeDefined();
  expect(tokens).toBeLessThanOrEqual(8000);
  expect(everything.tokens).toBeGreaterThan(20_000);
  const graph = new FlowGraph(await vizprompt.getFlow(name));
  const places = new Map(entries.map(({ id }, at) => [id, at]));
  for (const { id } of entries) {
    for (const parent of graph.parents(id)) {
      expect(places.get(parent)).toBeLessThan(places.get(id) ?? 0);
    }
  }
});
