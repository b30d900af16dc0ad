import type { NewEvent } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { newStore } from '../support/open-store.ts';

describe('events that make no sense', () => {
  const max = 100_000;
  const deep = (): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < 300; level++) value = [value];
    return value;
  };
  const BAD: Readonly<Record<string, readonly [type: string, data: unknown, code: string]>> = {
    'of an unknown type': ['gossip', { content: 'x' }, 'invalid-input'],
    'of a type from the prototype': ['toString', { content: 'x' }, 'invalid-input'],
    'of the type of forgotten ones': ['forgotten', {}, 'invalid-input'],
    'without data': ['user_message', undefined, 'invalid-input'],
    'with a list as data': ['user_message', [], 'invalid-input'],
    'with a missing field': ['user_message', {}, 'invalid-input'],
    'with a field of a wrong kind': ['user_message', { content: 7 }, 'invalid-input'],
    'with an unknown field': ['user_message', { content: 'x', mood: 'good' }, 'invalid-input'],
    'with an unknown action': [
      'file_edit',
      { action: 'move', file_path: 'a', success: true },
      'invalid-input',
    ],
    'with an empty path': [
      'file_edit',
      { action: 'edit', file_path: '', success: true },
      'invalid-input',
    ],
    'with a path that leads out': [
      'file_edit',
      { action: 'edit', file_path: '../../etc/passwd', success: true },
      'path-outside',
    ],
    'with NUL in the path': [
      'file_edit',
      { action: 'edit', file_path: 'a\0', success: true },
      'invalid-input',
    ],
    'with NaN': ['tool_use', { tool: 'a', parameters: { n: Number.NaN } }, 'invalid-input'],
    'with a function': ['tool_use', { tool: 'a', parameters: { f: () => 1 } }, 'invalid-input'],
    'nested too deep': ['tool_use', { tool: 'a', parameters: deep() }, 'invalid-input'],
    'with a negative duration': [
      'tool_use',
      { tool: 'a', parameters: {}, duration_ms: -1 },
      'invalid-input',
    ],
    'with wrong tool calls': [
      'assistant_message',
      { content: '', tool_calls: [{ args: 1 }] },
      'invalid-input',
    ],
    'with a lone surrogate': ['user_message', { content: 'a\ud83d' }, 'invalid-text'],
    'with a lone surrogate deep inside': [
      'tool_use',
      { tool: 'a', parameters: [{ b: '\udc00' }] },
      'invalid-text',
    ],
    'with a lone surrogate in a file': [
      'file_edit',
      { action: 'create', file_path: 'a', new_content: '\ud800', success: true },
      'invalid-text',
    ],
    'that are too large': ['user_message', { content: 'あ'.repeat(max / 2) }, 'too-large'],
    'with a file that is too large': [
      'file_edit',
      { action: 'create', file_path: 'a', new_content: 'x'.repeat(max + 1), success: true },
      'too-large',
    ],
    'with a result that is too large': [
      'tool_use',
      { tool: 'a', parameters: {}, result: ['x'.repeat(max / 2), 'x'.repeat(max / 2)] },
      'too-large',
    ],
  };

  it.each(Object.entries(BAD))(
    '%s are refused, and nothing of their part is written',
    async (_, [type, data, code]) => {
      const store = await newStore({ maxContentBytes: max });
      const { id } = await store.startSession({ workspace: '/home/ann/app' });
      const fine: NewEvent = { type: 'thinking', data: { content: 'x' } };
      const wrong = { type, data } as unknown as NewEvent;
      await expect(store.logMany(id, [fine, wrong, fine])).rejects.toMatchObject({
        name: 'MemoryError',
        code,
      });
      expect(await store.getSession(id)).toMatchObject({ event_count: 0 });
      expect(await store.stats()).toMatchObject({ events: 0, files: 0 });
      expect(await store.search('x')).toEqual([]);
    },
  );

  it('of more than 32 MiB are refused by default', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/w' });
    const content = 'x'.repeat((32 << 20) + 1);
    const refused = store.log(id, 'user_message', { content });
    await expect(refused).rejects.toMatchObject({ code: 'too-large' });
    expect(await store.stats()).toMatchObject({ events: 0 });
  });
});
