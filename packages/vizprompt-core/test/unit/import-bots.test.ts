import { describe, expect, it } from 'vitest';
import { expandBots } from '../../src/import/bots.ts';
import { openProject } from '../support/open-project.ts';

it.each([
  ['events of a page', { sender_id: 's', events: [{ event: 'click', text: 'a' }] }],
  ['events without a sender', { events: [{ event: 'user', text: 'a' }] }],
  [
    'activities of another kind',
    { activities: [{ type: 'run', from: { id: 'a' }, text: 'a', channelId: 'c' }] },
  ],
  ['messages with a sender', { records: [{ type: 'message', from: { role: 'user' }, text: 'a' }] }],
  ['items of a forum', { items: [{ item_type: 'reply', content: 'a' }] }],
  ['a version and messages', { version: '1', messages: { a: { content: 'b' } } }],
])('%s are no conversation of a bot', (_, entry) => {
  expect(expandBots(entry)).toBeUndefined();
});

it('the value of a slot is not said', () => {
  const found = expandBots({
    sender_id: 'default',
    events: [
      { event: 'user', text: 'a', message_id: 'm' },
      { event: 'slot', name: 'n', value: 'v' },
    ],
  });
  const [conversation] = found?.conversations ?? [];
  expect(conversation).toEqual({
    sender: 'default',
    events: [
      { role: 'user', text: 'a', id: 'm' },
      { event: { event: 'slot', name: 'n', value: 'v' } },
    ],
  });
});

interface Imported {
  /** The nodes of each flow as `prompt / response`. */
  readonly flows: readonly (readonly string[])[];
  /** All that is stored of the nodes. */
  readonly stored: string;
}

async function imported(source: object): Promise<Imported> {
  const vizprompt = await openProject();
  await vizprompt.importConversations(source);
  const flows: string[][] = [];
  let stored = '';
  for (const { id } of await vizprompt.listFlows()) {
    const { nodes } = await vizprompt.getFlow(id);
    const read = await Promise.all(nodes.map((node) => vizprompt.getNode(node.id)));
    flows.push(read.map(({ prompt, response }) => `${prompt} / ${response}`));
    stored += JSON.stringify(read);
  }
  return { flows, stored };
}

describe('activities', () => {
  const activity = (role: string, text: string, of: object): object => ({
    id: text,
    type: 'message',
    from: { role },
    channelId: 'c',
    text,
    ...of,
  });
  const two = [
    ['q1', 'user', '1'],
    ['q2', 'user', '2'],
    ['a1', 'bot', '1'],
    ['a2', 'bot', '2'],
  ] as const;

  it.each([
    ['conversationId', (id: string) => ({ conversationId: id })],
    ['conversation.id', (id: string) => ({ conversation: { id } })],
  ])('are the conversations that their %s names', async (_, of) => {
    const activities = two.map(([text, role, id]) => activity(role, text, of(id)));
    for (const source of [activities, { activities }]) {
      expect((await imported(source)).flows).toEqual([['q1 / a1'], ['q2 / a2']]);
    }
  });

  it('that name no conversation belong to the one before', async () => {
    const source = [
      activity('bot', 'hello', {}),
      activity('user', 'q1', { conversationId: '1' }),
      activity('bot', 'a1', {}),
      activity('user', 'q2', { conversationId: '2' }),
      activity('bot', 'a2', {}),
      { type: 'trace', from: { role: 'bot' }, conversationId: '3' },
    ];
    expect((await imported(source)).flows).toEqual([[' / hello', 'q1 / a1'], ['q2 / a2']]);
  });
});

it('items of Monica are the conversations that they name', async () => {
  const item = (type: string, content: string, id: string): object => ({
    item_id: content,
    item_type: type,
    conversation_id: id,
    data: { type: 'text', content },
  });
  const items = [
    item('question', 'q1', '1'),
    item('question', 'q2', '2'),
    item('reply', 'a1', '1'),
    item('reply', 'a2', '2'),
  ];
  expect((await imported({ data: { items } })).flows).toEqual([['q1 / a1'], ['q2 / a2']]);
});

describe('a chat room of OpenRouter', () => {
  const room = (messages: object, items: object = {}): object => ({
    version: 'orpg.2.0',
    characters: { c: { model: 'm' } },
    messages,
    items,
  });
  const answer = { id: 'a', characterId: 'c', content: 'the answer' };

  it('keeps the content of messages whose items are missing', async () => {
    const q = { id: 'q', characterId: 'USER', content: 'the question', items: [{ id: 'gone' }] };
    expect((await imported(room({ q, a: answer }))).flows).toEqual([['the question / the answer']]);
  });

  it('has the roles that its messages say', async () => {
    const messages = {
      s: { id: 's', type: 'system', characterId: 'S', content: 'be brief' },
      q: { id: 'q', type: 'user', characterId: 'u1', content: 'the question' },
      a: { ...answer, type: 'assistant' },
    };
    const { flows, stored } = await imported(room(messages));
    expect(flows).toEqual([['the question / the answer']]);
    expect(stored).toContain('be brief');
  });

  it('keeps what else its items say, and a text that messages share', async () => {
    const q = { id: 'q', characterId: 'USER', items: [{ id: 'iq' }] };
    const a = {
      ...answer,
      content: 'an older answer',
      items: [{ id: 'it' }, { id: 'ia' }, { id: 'gone' }],
    };
    const b = { id: 'b', characterId: 'c', items: [{ id: 'ia' }] };
    const text = { type: 'output_text', text: 'the answer' };
    const items = {
      iq: { data: { role: 'user', content: 'the question' } },
      it: {
        data: {
          type: 'reasoning',
          content: [],
          summary: [{ type: 'summary_text', text: 'I think' }],
        },
      },
      ia: { data: { type: 'message', content: [text], refusal: 'not all of it' } },
    };
    const { flows, stored } = await imported(room({ q, a, b }, items));
    expect(flows).toEqual([['the question / the answer\n\nthe answer']]);
    for (const kept of ['I think', 'not all of it', 'an older answer']) {
      expect(stored).toContain(kept);
    }
  });
});

it('a text that a chat room of OpenRouter names a thousand times is read a few times', async () => {
  const text = 'x'.repeat(10_000);
  const items = { i: { data: { type: 'message', content: [{ type: 'output_text', text }] } } };
  const named = Array.from({ length: 1000 }, () => ({ id: 'i' }));
  const messages = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [
      at,
      { id: `${at}`, characterId: 'USER', items: named },
    ]),
  );
  const { stored } = await imported({ version: 'orpg.3.0', characters: {}, messages, items });
  expect(stored.split(text).length - 1).toBeLessThanOrEqual(8);
});

describe('a tracker of Rasa', () => {
  it('has the answers of people, and nothing of events without a text', async () => {
    const events = [
      { event: 'user', text: 'the question' },
      { event: 'bot', text: null, data: { buttons: null } },
      { event: 'agent', text: 'the answer' },
      { event: 'user', text: null },
    ];
    const { flows } = await imported({ sender_id: 's', events });
    expect(flows).toEqual([['the question / the answer']]);
  });

  it.each([
    [
      { event: 'user', sender: 'user', text: 'Q' },
      { event: 'agent', sender: 'agent', text: 'A' },
    ],
    [
      { event: 'user', role: 'user', content: 'Q' },
      { event: 'message', role: 'assistant', content: 'A' },
    ],
  ])('leaves messages as they are', async (...events) => {
    const { flows } = await imported({ sender_id: 's', events });
    expect(flows).toEqual([['Q / A']]);
  });
});

describe('bots in an object that holds several', () => {
  const tracker = (text: string): object => ({
    sender_id: 'default',
    events: [
      { event: 'user', text, message_id: text },
      { event: 'bot', text: 'the answer' },
    ],
  });
  const row = (text: string): object => ({
    conversationtranscriptid: text,
    content: JSON.stringify({
      activities: [
        { id: text, type: 'message', from: { role: 1 }, channelId: 'c', text },
        { id: 'a', type: 'message', from: { role: 0 }, channelId: 'c', text: 'the answer' },
      ],
    }),
  });
  const items = (text: string): object => ({
    conversation_id: text,
    items: [
      { item_id: 'q', item_type: 'question', data: { type: 'text', content: text } },
      { item_id: 'a', item_type: 'reply', data: { type: 'text', content: 'the answer' } },
    ],
  });

  it.each([
    ['a list of trackers', { trackers: [tracker('q1'), tracker('q2')] }],
    [
      'an answer with rows',
      { '@odata.context': 'https://a.b/$meta', value: [row('q1'), row('q2')] },
    ],
    ['lists of items', { data: { list: [items('q1'), items('q2')] } }],
  ])('are read: %s', async (_, source) => {
    expect((await imported(source)).flows).toEqual([['q1 / the answer'], ['q2 / the answer']]);
  });

  it('are not read next to conversations of another kind', async () => {
    const messages = [
      { role: 'user', content: 'Q' },
      { role: 'assistant', content: 'A' },
    ];
    const { flows } = await imported({ chats: [{ messages }], trackers: [tracker('q1')] });
    expect(flows).toEqual([['Q / A']]);
  });
});
