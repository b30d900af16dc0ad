import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { chatStore } from '@vizprompt/core/ai-sdk';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/open-project.ts';

const program = fileURLToPath(new URL('../children/answer-chat.mjs', import.meta.url));

it('keeps all answers of two processes to one question, which is one message', async () => {
  const folder = await temporaryFolder();
  const codes = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const child = fork(program, [folder, name, '10'], { execArgv: [] });
      const [code]: unknown[] = await once(child, 'exit');
      return code;
    }),
  );
  expect(codes).toEqual([0, 0]);
  await using vizprompt = await VizPrompt.open(folder);
  const { messages, index } = await chatStore(vizprompt).siblings('chat', 'one-0');
  expect(messages).toHaveLength(20);
  expect(messages[index]?.id).toBe('one-0');
  const { id } = await chatStore(vizprompt).flow('chat');
  const thread = await vizprompt.readThread({ id });
  expect(thread.messages.filter(({ message }) => message.role === 'user')).toHaveLength(1);
  expect((await vizprompt.check()).findings).toEqual([]);
});
