import { FlowGraph, VizPrompt } from '@vizprompt/core';
import { halves, newTurn } from './turn.mjs';

/** A project of one conversation. What changes is on the disk, fsynced, when a call returns. */
export async function openOurs({ folder, conversation }) {
  const vizprompt = await VizPrompt.open(folder);
  await vizprompt.importConversations([conversation]);
  const graphOf = async () => new FlowGraph(await vizprompt.getFlow(conversation.name));
  const flow = conversation.name;
  const [leaf] = (await graphOf()).leaves();
  const line = (await graphOf()).lineTo(leaf);
  const [firstHalf] = halves(conversation);
  const middle = line[firstHalf.length / 2 - 1];
  const ends = { main: leaf, branch: '' };

  async function append(name) {
    ends.main = (await vizprompt.createNode(newTurn(name), { flow, after: ends.main })).id;
  }
  const path = (project, end) => project.exportFlow(flow, { format: 'openai', leaf: end });

  return {
    async branch(name) {
      ends.branch = (await vizprompt.createNode(newTurn(name), { flow, after: middle })).id;
    },
    branches: async () => (await graphOf()).children(middle),
    append,
    save: append,
    async edit(name) {
      await vizprompt.updateNode(middle, { response: newTurn(name).response + name });
    },
    async load() {
      const again = await VizPrompt.open(folder);
      const messages = await path(again, ends.main);
      await again.close();
      return messages;
    },
    path: () => path(vizprompt, ends.branch),
    async switch(name, round) {
      await vizprompt.updateFlow(flow, { head: round % 2 ? ends.main : ends.branch });
    },
    count: (value) => (typeof value === 'string' ? JSON.parse(value).length : value.length),
    close: () => vizprompt.close(),
  };
}
