import { expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openProject, temporaryFolder } from '../support/open-project.ts';

/** Imports lines of JSON; returns the nodes of each flow, as `prompt / response`. */
async function flowsOf(...lines: readonly object[]): Promise<string[][]> {
  const vizprompt = await openProject();
  const file = join(await temporaryFolder(), 'chats.jsonl');
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  await vizprompt.importConversations(file);
  const flows: string[][] = [];
  for (const { id } of await vizprompt.listFlows()) {
    const { nodes } = await vizprompt.getFlow(id);
    const read = await Promise.all(nodes.map((node) => vizprompt.getNode(node.id)));
    flows.push(read.map(({ prompt, response }) => `${prompt} / ${response}`));
  }
  return flows.toSorted((a, b) => String(a).localeCompare(String(b)));
}

it('conversations of one session of a browser are distinguished by their rows', async () => {
  const chat = (at: number): object => ({
    _id: { $oid: `65f${at}` },
    sessionId: 'browser',
    messages: [
      { from: 'user', id: `q${at}`, content: `q${at}` },
      { from: 'assistant', id: `a${at}`, content: `a${at}` },
    ],
  });
  expect(await flowsOf(chat(1), chat(2))).toEqual([['q1 / a1'], ['q2 / a2']]);
});

it('traces with all that was said before are a conversation each', async () => {
  const trace = (at: number, output: unknown): object => ({
    id: `t${at}`,
    input: [{ role: 'user', content: `q${at}` }],
    output,
  });
  const answer = { role: 'assistant', content: 'a1' };
  expect(await flowsOf(trace(1, answer), trace(2, 'a2'))).toEqual([['q1 / a1'], ['q2 / a2']]);
});

it('but rows of one chat that have an input and an output are one', async () => {
  const row = (at: number): object => ({ session_id: 's', input: `q${at}`, output: `a${at}` });
  expect(await flowsOf(row(1), row(2))).toEqual([['q1 / a1', 'q2 / a2']]);
});

it.each([
  ['Llama 2', '<s>[INST] <<SYS>>\nBe kind\n<</SYS>>\n\nQ [/INST] A </s>'],
  ['Mistral', '<s>[INST] Q [/INST] A</s>'],
  [
    'Harmony',
    '<|start|>user<|message|>Q<|end|><|start|>assistant<|channel|>analysis<|message|>T<|end|><|start|>assistant<|channel|>final<|message|>A<|return|>',
  ],
  [
    'Harmony with calls',
    '<|start|>user<|message|>Q<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a":1}<|call|><|start|>functions.f to=assistant<|channel|>commentary<|message|>{"b":2}<|end|><|start|>assistant<|channel|>final<|message|>A<|return|>',
  ],
  [
    'Granite',
    '<|start_of_role|>user<|end_of_role|>Q<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>A<|end_of_text|>',
  ],
  ['DeepSeek', '<｜begin▁of▁sentence｜><｜User｜>Q<｜Assistant｜>A<｜end▁of▁sentence｜>'],
  [
    'Command R',
    '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>Q<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>A<|END_OF_TURN_TOKEN|>',
  ],
  ['Vicuna', 'A chat. USER: Q ASSISTANT: A</s>'],
])('a text in the template of %s is a conversation', async (_, text) => {
  expect(await flowsOf({ text })).toEqual([['Q / A']]);
});

it('a text of Meta is read from the bytes that it is written in', async () => {
  const vizprompt = await openProject();
  const content = Buffer.from('日本語').toString('latin1');
  const messages = ['Ann', 'Bob'].map((sender_name, at) => ({
    sender_name,
    timestamp_ms: 1_714_557_600_000 + at,
    content: at === 0 ? content : 'Café',
  }));
  const { texts } = await vizprompt.importConversations({ title: 'x', messages });
  const { nodes } = await vizprompt.getFlow((await vizprompt.listFlows())[0]?.id ?? '');
  const read = await Promise.all(nodes.map(({ id }) => vizprompt.getNode(id)));
  expect(read.map(({ prompt }) => prompt)).toEqual(['日本語', 'Café']);
  expect(texts[0]?.kept).toBe(texts[0]?.total);
});
