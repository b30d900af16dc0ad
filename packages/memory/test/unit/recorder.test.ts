import type { Turn } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { all, newStore } from '../support/open-store.ts';
import { sessionOfConversation } from '../../src/log/turn-recorder.ts';

const TURN: Turn = {
  id: 't1',
  conversationId: '議論',
  follows: [],
  kind: 'turn',
  status: 'done',
  speaker: '花子',
  input: [
    { type: 'text', text: '猫は好き？' },
    { type: 'file', mediaType: 'image/png', data: new Uint8Array(3), name: 'cat.png' },
  ],
  output: [
    { type: 'reasoning', text: '考える' },
    { type: 'tool-call', id: 'c1', name: 'search', input: { q: '猫' } },
    { type: 'tool-result', id: 'c1', name: 'search', output: ['にゃー'] },
    { type: 'text', text: 'はい、猫です。' },
  ],
  model: 'ollama:qwen3',
  usage: { inputTokens: 10, outputTokens: 5, raw: { big: 'thing' } },
  startedAt: '2026-01-01T12:00:00+09:00',
  endedAt: '2026-01-01T12:00:05+09:00',
};

it('makes events of turns that have ended, once', async () => {
  const store = await newStore();
  const recorder = store.recorder({ workspace: '/w' });
  await recorder.record({ ...TURN, status: 'pending' });
  expect(await store.listSessions()).toEqual([]);
  await recorder.record(TURN);
  await recorder.record(TURN);
  await recorder.record({
    ...TURN,
    id: 't2',
    follows: ['t1', 't0'],
    kind: 'aggregate',
    status: 'aborted',
    input: [],
    output: [{ type: 'text', text: '途中で\ud83d' }],
    error: { name: 'LLMError', code: 'aborted', message: 'stopped', context: {} },
  });
  await recorder.record({ ...TURN, id: 't3', follows: ['t2'], status: 'failed', output: [] });

  const id = sessionOfConversation('議論');
  expect(await store.getSession(id)).toMatchObject({
    workspace_path: '/w',
    started_at: '2026-01-01T03:00:00.000Z',
    metadata: { conversation: '議論' },
  });
  const events = await all(store.events(id));
  expect(events.map(({ type }) => type)).toEqual([
    'user_message',
    'thinking',
    'tool_use',
    'assistant_message',
    'assistant_message',
    'user_message',
    'assistant_message',
  ]);
  const [asked, thought, tool, answer, second, third, failed] = events;
  expect(asked).toMatchObject({
    data: { content: '猫は好き？' },
    meta: { turn: 't1', files: [{ media_type: 'image/png', name: 'cat.png', bytes: 3 }] },
  });
  expect(thought).toMatchObject({ data: { content: '考える' }, parent_event_id: asked?.id });
  expect(tool?.data).toEqual({
    tool: 'search',
    parameters: { q: '猫' },
    result: ['にゃー'],
    success: true,
  });
  expect(answer).toMatchObject({
    parent_event_id: asked?.id,
    timestamp: '2026-01-01T03:00:05.000Z',
    data: { content: 'はい、猫です。', tool_calls: [{ tool: 'search', args: { q: '猫' } }] },
    meta: {
      speaker: '花子',
      model: 'ollama:qwen3',
      status: 'done',
      follows: [],
      usage: { inputTokens: 10, outputTokens: 5 },
    },
  });
  expect(second).toMatchObject({
    parent_event_id: answer?.id,
    data: { content: '途中で\ufffd' },
    meta: {
      follows: ['t1', 't0'],
      kind: 'aggregate',
      status: 'aborted',
      error: { code: 'aborted' },
    },
  });
  expect(third?.parent_event_id).toBe(second?.id);
  expect(failed).toMatchObject({ parent_event_id: third?.id, meta: { status: 'failed' } });
  expect(await store.search('花子')).not.toEqual([]);
});

it('refuses what is no turn, as plain JavaScript passes it', async () => {
  const store = await newStore();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is wrong on purpose
  const half = { id: '1' } as Turn;
  await expect(store.recorder({ workspace: '/w' }).record(half)).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(/^the turn of record: expected a turn with id, /),
  });
});
