import { expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { splitTranscript } from '../../src/import/plain-rows.ts';
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

/** Returns messages of a user and an assistant in turn. */
function talk(...texts: readonly string[]): { role: string; content: string }[] {
  return texts.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
}

/** Returns texts with a field that names who they are of. */
function notes(field: string, ...names: readonly string[]): object[] {
  return names.map((name) => ({ [field]: name, message: name }));
}

it('conversations of one session of a browser are distinguished by their rows', async () => {
  const chat = (at: number): object => ({
    _id: { $oid: `65f${at}` },
    sessionId: 'browser',
    model: 'm',
    messages: [
      { from: 'system', id: 's', content: '' },
      { from: 'user', id: `q${at}`, content: `q${at}` },
      { from: 'assistant', id: `a${at}`, content: `a${at}` },
    ],
  });
  expect(await flowsOf(chat(1), chat(2))).toEqual([['q1 / a1'], ['q2 / a2']]);
});

const SYSTEM = { role: 'system', content: 'S' };

it.each([
  ['all that was said before', [talk('q1'), talk('q1', 'a1', 'q2')], ['q1', 'q1\n\na1\n\nq2']],
  [
    'instructions',
    [
      [SYSTEM, ...talk('q1')],
      [SYSTEM, ...talk('q2')],
    ],
    ['S\n\nq1', 'S\n\nq2'],
  ],
  [
    'both',
    [
      [SYSTEM, ...talk('q1')],
      [SYSTEM, ...talk('q1', 'a1', 'q2')],
    ],
    ['S\n\nq1', 'S\n\nq1\n\na1\n\nq2'],
  ],
])('each trace of a session is a turn, with %s', async (_, inputs, prompts) => {
  const turns = [prompts.map((prompt, at) => `${prompt} / a${at + 1}`)];
  for (const named of [{}, { session_id: 's' }]) {
    for (const hasId of [true, false]) {
      const rows = inputs.map((input, at) => ({
        ...(hasId ? { id: `t${at}` } : {}),
        ...named,
        input,
        output: at === 0 ? { role: 'assistant', content: 'a1' } : 'a2',
      }));
      expect(await flowsOf(...rows)).toEqual(turns);
    }
  }
});

it.each([
  ['request', 'response'],
  ['inputs', 'outputs'],
])('a %s with all that was said before is a conversation with its %s', async (sent, received) => {
  const row = (at: number): object => ({
    id: `t${at}`,
    [sent]: [SYSTEM, ...talk('q', 'a', `q${at}`)],
    [received]: `a${at}`,
  });
  expect(await flowsOf(row(1), row(2))).toEqual([
    ['q / a', 'q1 / a1'],
    ['q / a', 'q2 / a2'],
  ]);
});

it('traces of one chat with a question each are one conversation', async () => {
  const trace = (at: number): object => ({
    id: `t${at}`,
    session_id: 's',
    input: [{ role: 'user', content: `q${at}` }],
    output: `a${at}`,
  });
  expect(await flowsOf(trace(1), trace(2))).toEqual([['q1 / a1', 'q2 / a2']]);
});

it.each([
  ['all that was said before', { input: 'q', output: 'a', messages: talk('q0', 'a0') }],
  ['examples', { question: 'q', answer: 'a', messages: [...talk('q0', 'a0'), ...talk('q')] }],
  ['other messages', { prompt: 'q', completion: 'a', messages: talk('q0', 'a0') }],
])('a row with a question and its answer is a turn, with %s next to it', async (_, row) => {
  expect(await flowsOf(row)).toEqual([['q / a']]);
});

it('a chat logged with all that was said before is read once', async () => {
  const row = (at: number, messages: readonly object[]): object => ({
    session_id: 's',
    input: `q${at}`,
    output: `a${at}`,
    messages,
  });
  const before = [talk('q1', 'a1'), talk('q2', 'a2')].flat();
  expect(await flowsOf(row(1, []), row(2, before.slice(0, 2)), row(3, before))).toEqual([
    ['q1 / a1', 'q2 / a2', 'q3 / a3'],
  ]);
});

it.each([
  ['in the words of the solver', 'q', talk('Answer this: q', 'a'), ['Answer this: q / a']],
  ['with steps', talk('q0', 'a0', 'q'), talk('q0', 'a0', 'q', 'a'), ['q0 / a0', 'q / a']],
  ['without the answer', 'q', talk('q0', 'a0', 'q'), ['q / ']],
  [
    'but not where they are what was said before, with the same answer',
    'q',
    talk('old', 'a'),
    ['q / '],
  ],
])('a sample of an evaluation is read whole, %s', async (_, input, messages, nodes) => {
  const choices = [{ message: { role: 'assistant', content: 'a' } }];
  const sample = { id: 's', input, target: 'a', messages, output: { choices, completion: 'a' } };
  expect(await flowsOf(sample)).toEqual([nodes]);
});

it('messages of one session in rows of MongoDB are one conversation', async () => {
  const row = (at: number, type: string): object => ({
    _id: { $oid: `65f${at}` },
    SessionId: 's',
    History: JSON.stringify({ type, data: { type, content: `${type}${at}` } }),
  });
  const rows = [row(1, 'human'), row(2, 'ai'), row(3, 'human'), row(4, 'ai')];
  expect(await flowsOf(...rows)).toHaveLength(1);
});

it.each([
  ['by a session', { sessionId: 'S' }, [{}, {}]],
  ['by its messages', {}, [{ conversationId: 'C' }, { conversationId: 'C' }]],
  ['by nothing', {}, [{}, {}]],
])('a conversation in a row of MongoDB that is named %s keeps its id', async (_, about, more) => {
  const messages = talk('q', 'a').map((message, at) => ({ ...message, ...more[at] }));
  const ids = await Promise.all(
    [{}, { _id: { $oid: '65f1' } }].map(async (row) => {
      const vizprompt = await openProject();
      await vizprompt.importConversations({ ...row, ...about, messages });
      return (await vizprompt.listFlows()).map(({ id }) => id);
    }),
  );
  expect(ids[0]).toHaveLength(1);
  expect(ids[1]).toEqual(ids[0]);
});

it.each([
  ['files of an owner', { files: notes('owner', 'user', 'user', 'user') }],
  ['notes by several', { notes: notes('by', 'user', 'assistant', 'user', 'assistant') }],
  ['calls in and out', { log: notes('direction', 'incoming', 'outgoing', 'incoming') }],
  [
    'steps',
    { steps: notes('source', 'user', 'agent', 'user').map((each) => ({ ...each, step_id: 1 })) },
  ],
])('%s next to messages are no messages', async (_, others) => {
  const messages = talk('q', 'a');
  expect(await flowsOf({ id: 'c', ...others, messages })).toEqual([['q / a']]);
  expect(await flowsOf({ id: 'c', ...others, chat: { branch: { messages } } })).toEqual([
    ['q / a'],
  ]);
});

it('a field next to a text is a speaker only where both sides speak', async () => {
  const vizprompt = await openProject();
  const source = { id: 'c', notes: notes('by', 'user', 'user') };
  await expect(vizprompt.importConversations(source)).rejects.toThrow('no conversation');
  const chats = ['1', '2'].map((id) => ({ id, history: notes('obj', 'Human', 'AI') }));
  expect(await flowsOf({ chats })).toEqual([['Human / AI'], ['Human / AI']]);
});

it.each([
  ['files of an owner', { files: notes('owner', 'user', 'assistant') }],
  ['notes by several', { notes: notes('by', 'user', 'assistant') }],
  ['calls in and out', { calls: notes('direction', 'inbound', 'outbound') }],
  ['a history of edits', { history: notes('by', 'user', 'assistant') }],
  ['threads of owners', { threads: notes('owner', 'user', 'assistant') }],
])('%s are no messages, alone or next to a list that is named so', async (_, others) => {
  const vizprompt = await openProject();
  const source = { id: 'c', ...others };
  await expect(vizprompt.importConversations(source)).rejects.toThrow('no conversation');
  const messages = notes('direction', 'incoming', 'outgoing');
  expect(await flowsOf({ ...source, messages })).toEqual([['incoming / outgoing']]);
  expect(await flowsOf({ ...source, chat: { thread: messages } })).toEqual([
    ['incoming / outgoing'],
  ]);
});

it('lists that are named as messages are come before others', async () => {
  const events = notes('authorType', 'user', 'assistant', 'user');
  const messages = notes('by', 'Human', 'AI');
  expect(await flowsOf({ id: 'c', events, messages })).toEqual([['Human / AI']]);
  const said = [['user / assistant', 'user / ']];
  expect(await flowsOf({ id: 'c', events })).toEqual(said);
  expect(await flowsOf({ id: 'c', events, history: messages })).toEqual(said);
  expect(await flowsOf({ id: 'c', messageHistory: messages })).toEqual([['Human / AI']]);
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

it('a call of Harmony at the end of a line is no answer', async () => {
  const call = '<|start|>assistant<|channel|>commentary to=functions.f<|message|>{"a":1}<|call|>\n';
  expect(await flowsOf({ text: `<|start|>user<|message|>Q<|end|>${call}` })).toEqual([['Q / ']]);
});

it('results of the tools of Harmony are of a tool', () => {
  const tools = ['browser.search', 'python', 'functions.f'];
  const results = tools.map((name) => `<|start|>${name} to=assistant<|message|>r<|end|>`).join('');
  const answer = '<|start|>assistant<|message|>A<|end|>';
  const text = `<|start|>user<|message|>Q<|end|>${results}${answer}`;
  const roles = splitTranscript(text)?.map(({ role }) => role);
  expect(roles).toEqual(['user', 'tool', 'tool', 'tool', 'assistant']);
});

it.each([
  [
    'Llama 2',
    '<s>[INST] <<SYS>>\nBe kind\n<</SYS>>\n\nWhat is [INST]? [/INST] In [INST] q [/INST], <<SYS>>, <s>no</s>. </s><s>[INST] Q [/INST] A </s>',
    'What is [INST]? / In [INST] q [/INST], <<SYS>>, <s>no</s>.',
  ],
  [
    'Vicuna',
    'A chat. USER: Is USER: it? ASSISTANT: It is USER: hi ASSISTANT: hello.</s>USER: Q ASSISTANT: A</s>',
    'Is USER: it? / It is USER: hi ASSISTANT: hello.',
  ],
])('a text in the template of %s may talk of the template', async (_, text, first) => {
  expect(await flowsOf({ text })).toEqual([[first, 'Q / A']]);
});

it.each([
  '[INST] Q [/INST] A',
  '<|start|>user<|message|>Q<|end|><|start|>assistant<|message|>A<|end|>',
  '<|start_of_role|>user<|end_of_role|>Q<|end_of_text|><|start_of_role|>assistant<|end_of_role|>A',
  '<｜User｜>Q<｜Assistant｜>A',
  '<|USER_TOKEN|>Q<|END_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>A<|END_OF_TURN_TOKEN|>',
  'USER: Q ASSISTANT: A</s>',
])('a text that only talks of a template is not in it: %s', async (template) => {
  const said = `It is ${template}`;
  const chat = `User: What is it?\nAssistant: ${said}\nUser: Thanks\nAssistant: ok`;
  const turns = [`What is it? / ${said}`, 'Thanks / ok'];
  const vizprompt = await openProject();
  const file = join(await temporaryFolder(), 'chat.txt');
  await writeFile(file, chat);
  await vizprompt.importConversations(file);
  const [flow] = await vizprompt.listFlows();
  const { nodes } = await vizprompt.getFlow(flow?.id ?? '');
  const read = await Promise.all(nodes.map(({ id }) => vizprompt.getNode(id)));
  expect(read.map(({ prompt, response }) => `${prompt} / ${response}`)).toEqual(turns);
  const dressed = chat.replaceAll(/^(User|Assistant):/gm, '[$1]:');
  expect(await flowsOf({ text: dressed })).toEqual([turns]);
  await expect(flowsOf({ text: `The template: ${template}` })).rejects.toMatchObject({
    code: 'import-unreadable',
  });
  for (const chosen of [said, template]) {
    const preferred = await flowsOf({ prompt: 'p', chosen, rejected: 'No idea.' });
    expect(preferred[0]).toContain(`p / ${chosen}`);
  }
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
