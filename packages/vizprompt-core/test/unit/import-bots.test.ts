import { expect, it } from 'vitest';
import { expandBots } from '../../src/import/bots.ts';

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
