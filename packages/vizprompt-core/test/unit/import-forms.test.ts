import type { JsonObject } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { expandDeepSeek } from '../../src/import/containers.ts';
import { testProject } from '../support/open-project.ts';

const asked = { role: 'user', content: 'the question' };
const chatGptThought = {
  mapping: {
    q: {
      message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['Q'] } },
      children: ['a'],
    },
    a: {
      parent: 'q',
      message: {
        author: { role: 'assistant' },
        content: { content_type: 'thoughts', parts: ['thought over'] },
      },
    },
  },
};

it.each([
  [
    'the result of a tool in a wrapped message',
    [
      asked,
      { type: 'ai', data: { content: '', tool_calls: [{ name: 'look', args: {}, id: 't' }] } },
      { type: 'tool', data: { content: 'said so', tool_call_id: 't', name: 'look' } },
    ],
    { type: 'tool-result', id: 't', tool: 'look', output: 'said so' },
  ],
  [
    'thoughts next to a message of LangGraph',
    {
      values: {
        messages: [
          { type: 'human', content: 'the question' },
          { type: 'ai', content: 'A', additional_kwargs: { reasoning_content: 'thought over' } },
        ],
      },
    },
    { type: 'reasoning', text: 'thought over' },
  ],
  ['thoughts of ChatGPT in parts', chatGptThought, { type: 'reasoning', text: 'thought over' }],
  [
    'calls in a string',
    [
      asked,
      { role: 'assistant', content: 'A', toolCalls: '[{"id":"t","function":{"name":"look"}}]' },
    ],
    { type: 'tool-call', id: 't', tool: 'look' },
  ],
  [
    'tools that were called next to an answer',
    [
      asked,
      {
        role: 'assistant',
        content: 'A',
        tools: [{ id: 't', identifier: 'web', apiName: 'search', arguments: '{}' }],
      },
    ],
    { type: 'tool-call', id: 't', tool: 'search' },
  ],
  [
    'pictures that were drawn',
    [asked, { role: 'assistant', content: 'A', generated_image_urls: ['https://a.example/1.png'] }],
    { type: 'file', uri: 'https://a.example/1.png' },
  ],
  [
    'instructions next to a question and its answer',
    {
      object: 'response',
      instructions: 'be brief',
      input: 'the question',
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] },
      ],
    },
    { type: 'data', role: 'system', value: 'be brief' },
  ],
])('a chat of another form has %s', async (_what, source, part) => {
  const { vizprompt } = await testProject();
  await vizprompt.importConversations(source);
  const [hit] = await vizprompt.searchNodes({ limit: 1 });
  const { promptParts, responseParts } = await vizprompt.getNode(hit?.id ?? '');
  expect([...promptParts, ...responseParts]).toContainEqual(expect.objectContaining(part));
});

it('an answer that names no model is of the one that the chat was loaded with', async () => {
  const { vizprompt } = await testProject();
  const version = (role: string, text: string): object => ({
    versions: [{ type: 'singleStep', role, content: [{ type: 'text', text }] }],
    currentlySelected: 0,
  });
  await vizprompt.importConversations({
    name: 'a title',
    messages: [version('user', 'Q'), version('assistant', 'A')],
    lastUsedModel: { identifier: 'qwen3' },
  });
  const [hit] = await vizprompt.searchNodes({ limit: 1 });
  expect(await vizprompt.getNode(hit?.id ?? '')).toMatchObject({ model: 'qwen3' });
});

/** A chat of nodes whose messages have their content in a string. */
function chain(messages: readonly JsonObject[], outer: readonly JsonObject[] = []): JsonObject {
  const nodes = messages.map((message, at): JsonObject => {
    return { ...outer[at], id: `${at}`, parent: at === 0 ? null : `${at - 1}`, message };
  });
  return { mapping: Object.fromEntries(nodes.map((node, at) => [`${at}`, node])) };
}

const spoken = ['be brief', 'Q', 'A'].map((content) => ({ content }));
const roles = ['system', 'user', 'assistant'];

/** Imports a source, and returns the texts of its nodes. */
async function textsOf(source: object): Promise<readonly (readonly string[])[]> {
  const { vizprompt } = await testProject();
  await vizprompt.importConversations(source);
  const hits = await vizprompt.searchNodes({ limit: 9 });
  const nodes = await Promise.all(hits.map(({ id }) => vizprompt.getNode(id)));
  return nodes.map(({ prompt, response }) => [prompt, response]);
}

it.each([
  ['its type', chain(spoken.map((each, at) => ({ ...each, type: roles[at] ?? '' })))],
  ['a sender', chain(spoken.map((each, at) => ({ ...each, sender: roles[at] ?? '' })))],
  ['a speaker', chain(spoken.map((each, at) => ({ ...each, speaker: roles[at] ?? '' })))],
  [
    'the node around it',
    chain(
      spoken,
      roles.map((role) => ({ role })),
    ),
  ],
])('a message in a mapping keeps the role that %s says', async (_what, source) => {
  expect(await textsOf(source)).toEqual([['Q', 'A']]);
});

it('messages of DeepSeek without a role take turns', async () => {
  expect(await textsOf(chain(spoken.slice(1)))).toEqual([['Q', 'A']]);
});

it('a long chat of DeepSeek is read in linear time, and a circle of parents ends', () => {
  let reads = 0;
  const length = 2000;
  const nodes = Array.from({ length }, (_, at): [string, JsonObject] => [
    `${at}`,
    {
      message: { content: `${at}` },
      get parent() {
        reads++;
        return at === 0 ? null : `${at - 1}`;
      },
    },
  ]);
  const read = expandDeepSeek({ mapping: Object.fromEntries(nodes) });
  expect(read?.conversations[0]?.['mapping']).toMatchObject({
    0: { message: { fragments: [{ type: 'REQUEST' }] } },
    1998: { message: { fragments: [{ type: 'REQUEST' }] } },
    1999: { message: { fragments: [{ type: 'RESPONSE' }] } },
  });
  expect(reads).toBeLessThan(20 * length);
  const circle = { a: { parent: 'b', message: { content: 'x' } }, b: { parent: 'a' } };
  expect(expandDeepSeek({ mapping: circle })).toBeDefined();
});

const said = (role: string): JsonObject => ({ [role]: 'user', parts: [{ text: 'Q' }] });
const answered = (role: string): JsonObject => ({ [role]: 'model', parts: [{ text: 'A' }] });

it.each([
  ['author', { contents: [said('author'), answered('author')] }],
  ['speaker', { contents: [said('speaker'), answered('speaker')] }],
  ['role', { contents: [{ parts: [{ text: 'Q' }] }, answered('role')] }],
])('contents of Gemini keep the role in %s', async (_what, source) => {
  expect(await textsOf(source)).toEqual([['Q', 'A']]);
});

const talk = [asked, { role: 'assistant', content: 'A' }];

it.each([
  ['a list', { messages: talk }],
  ['a map', { messages: { 1: talk[0], 2: talk[1] } }],
  ['turns', { turns: [{ prompt: 'the question', response: 'A' }] }],
  ['pairs', { history: [['the question', 'A']] }],
])('contents next to %s of messages are no prompt', async (_what, source) => {
  await expect(textsOf({ contents: 'About this chat', ...source })).rejects.toThrow(
    'it holds no messages',
  );
});

it('contents next to a chat stay as they are', async () => {
  const { vizprompt } = await testProject();
  await vizprompt.importConversations({ contents: 'About this chat', chat: { messages: talk } });
  const [hit] = await vizprompt.searchNodes({ limit: 1 });
  const { prompt, promptParts } = await vizprompt.getNode(hit?.id ?? '');
  expect(prompt).toBe('the question');
  expect(promptParts).toContainEqual(
    expect.objectContaining({ value: { contents: 'About this chat' } }),
  );
});

it('a request of Gemini with instructions, tools and a schema is a prompt', async () => {
  const config = {
    systemInstruction: { role: 'user', parts: [{ text: 'be brief' }] },
    tools: [{ type: 'function', name: 'look' }],
    responseSchema: { type: 'object', properties: { question: {}, answer: {} } },
  };
  expect(await textsOf({ contents: 'Q', config })).toEqual([['Q', '']]);
});

const candidates = [{ content: { role: 'model', parts: [{ text: 'A' }] } }];
const called = [
  said('role'),
  { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
];

it.each([
  ['a user', { contents: 'Q', candidates, metadata: { user: { name: 'Bob', role: 'admin' } } }],
  [
    'calls',
    {
      request: { contents: 'Q' },
      response: { candidates, automatic_function_calling_history: called },
    },
  ],
  [
    'participants',
    { contents: [{ parts: [{ text: 'Q' }] }], participants: [{ role: 'owner' }], candidates },
  ],
])('contents with candidates are a prompt, next to %s too', async (_what, source) => {
  expect(await textsOf(source)).toEqual([['Q', 'A']]);
});

it.each([
  ['events', { events: [{ type: 'request', at: 1 }, { type: 'response' }] }],
  ['a caller', { caller: { client: { type: 'api' } } }],
  ['a configuration', { config: { toolChoice: { type: 'function', name: 'x' } } }],
  ['calls', { automatic_function_calling_history: called }],
])('contents next to %s are a prompt: none of it is a message', async (_what, source) => {
  expect(await textsOf({ contents: 'Q', ...source })).toEqual([['Q', '']]);
});

const output = [
  { type: 'reasoning', summary: [] },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] },
];

it.each([
  ['its input and output', { name: 'n', input: { input: 'Q' }, output: { output } }],
  [
    'a list of messages',
    { request: { input: [{ ...asked, content: 'Q' }] }, response: { output } },
  ],
  ['bodies of HTTP', { request: { body: { input: 'Q' } }, response: { body: { output } } }],
  ['an answer', { inputs: { input: 'Q' }, outputs: { output: { role: 'ai', content: 'A' } } }],
])('a trace has the prompt of a request of Responses and its answer: %s', async (_what, source) => {
  expect(await textsOf(source)).toEqual([['Q', 'A']]);
});

it.each([
  ['function_call', 'function_call_output'],
  ['shell_call', 'shell_call_output'],
  ['apply_patch_call', 'apply_patch_call_output'],
  ['tool_search_call', 'tool_search_output'],
  ['program', 'another'],
])('an answer of Responses may hold items of %s and %s', async (...types) => {
  const items = types.map((type) => ({ type, call_id: 'c', name: 'f', output: 'o' }));
  const response = { output: [...items, ...output] };
  expect(await textsOf({ request: { input: 'Q' }, response })).toEqual([['Q', 'A']]);
  const input = [{ ...asked, content: 'Q' }];
  expect(await textsOf({ request: { input }, response })).toEqual([['Q', 'A']]);
});

const earlier = [said('role'), answered('role')].map((each, at) => ({ ...each, id: `${at}` }));
const logged = { input: 'x', output: { role: 'assistant', content: 'y' } };

it.each([
  ['a history', { ...logged, chat_history: earlier }, 'x'],
  ['a conversation', { ...logged, conversation: earlier }, 'x'],
  ['an instruction', { ...logged, instruction: 'I' }, 'I\n\nx'],
])('an input with its output is a turn next to %s', async (_what, source, prompt) => {
  expect(await textsOf(source)).toEqual([[prompt, 'y']]);
});

it('an input and its output in a trace may have an instruction', async () => {
  const { input, output: answer } = logged;
  const source = { inputs: { input, instruction: 'I' }, outputs: { output: answer } };
  expect(await textsOf(source)).toEqual([['x', 'y']]);
});

it.each([
  ['texts', { id: 'i', name: 'n', input: { input: 'Q' }, output: { output: 'A' } }],
  ['an instruction', { instruction: 'I', input: { input: 'Q' }, output: { output: 'A' } }],
  ['numbers', { input: { input: { a: 1 } }, output: { output: { b: 2 } } }],
  ['candidates', { input: { contents: 'Q' }, output: { candidates: ['A'] } }],
])('a trace of another form stays as it is: %s', async (_what, source) => {
  const { vizprompt } = await testProject();
  await vizprompt.importConversations(source);
  const [hit] = await vizprompt.searchNodes({ limit: 1 });
  const { promptParts, responseParts } = await vizprompt.getNode(hit?.id ?? '');
  expect(promptParts).toContainEqual(expect.objectContaining({ value: source.input }));
  expect(responseParts).toContainEqual(expect.objectContaining({ value: source.output }));
});

it('an error names the keys of an exchange that is not known', async () => {
  const source = { inputs: { input: 'Q' }, outputs: { output: 'A' } };
  await expect(textsOf(source)).rejects.toThrow('its keys: inputs, outputs');
});

it.each([
  ['variants that are styles', { variants: ['primary', 'large'] }, ['B']],
  ['variants that are other facts', { variants: [{ name: 'primary' }, { size: 2 }] }, ['B']],
  ['other facts of a new try', { regenerations: [{ at: 1 }] }, ['B']],
  ['its text among variants', { variants: ['A', 'B'] }, ['A', 'B']],
  ['variants with texts', { variants: [{ content: 'A' }] }, ['A', 'B']],
  ['new tries', { regenerations: ['A'] }, ['A', 'B']],
  ['its text with blanks', { versions: ['A', ' B'] }, ['A', 'B']],
  ['its text in parts', { versions: [['A'], [{ type: 'text', text: 'B' }]] }, ['A', 'B']],
])('an answer has %s', async (_what, facts, texts) => {
  const answer = { role: 'assistant', content: 'B', ...facts };
  const found = await textsOf([{ messages: [{ role: 'user', content: 'Q' }, answer] }]);
  expect(new Set(found.map(([, response]) => response?.trim()))).toEqual(new Set(texts));
  expect(found).toHaveLength(texts.length);
});

it('an answer in parts has variants that are styles', async () => {
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'B' }], variants: ['large'] };
  const found = await textsOf([{ messages: [{ role: 'user', content: 'Q' }, answer] }]);
  expect(found).toEqual([['Q', 'B']]);
});
