import { textOf, type Message } from '@vizprompt/providers';
import { compose, redact } from '@vizprompt/providers/middleware';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { ask } from './support.ts';

const key = `ghp_${'abcdefghij0123456789'.repeat(2).slice(0, 36)}`;

async function sent(messages: readonly Message[], layer = redact()): Promise<readonly Message[]> {
  const model = scriptedModel(['はい']);
  await compose(model, layer).generate({ messages });
  return model.calls[0]?.messages ?? [];
}

it('redact takes secrets out of texts and out of the results of tools, however deep', async () => {
  const messages: Message[] = [
    { role: 'system', parts: [{ type: 'text', text: `token ${key}` }] },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          id: '1',
          name: 'env',
          output: { lines: [`A=${key}`, 7, null], password: 'correct-horse', name: 'cat' },
        },
      ],
    },
  ];
  const [system, tool] = await sent(messages);
  expect(system && textOf(system)).toBe('token [redacted:github-token]');
  expect(tool?.parts[0]).toMatchObject({
    output: {
      lines: ['A=[redacted:github-token]', 7, null],
      password: '[redacted:assignment]',
      name: 'cat',
    },
  });
  expect(JSON.stringify(messages)).toContain(key);
});

it('redact leaves what the model signed, and files, as they are', async () => {
  const messages: Message[] = [
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: `it is ${key}`, meta: { p: { signature: 'x' } } },
        { type: 'tool-call', id: '1', name: 'f', input: { key } },
        { type: 'file', mediaType: 'text/plain', data: new TextEncoder().encode(key) },
      ],
    },
  ];
  expect(await sent(messages)).toEqual(messages);
});

it('redact takes the options of redact', async () => {
  const rules = [{ name: 'name', pattern: /山田/dg }];
  const [message] = await sent(ask('山田です').messages, redact({ rules }));
  expect(message && textOf(message)).toBe('[redacted:name]です');
});
