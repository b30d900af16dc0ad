import type { UIMessage } from 'ai';
import fc from 'fast-check';
import { expect } from 'vitest';
import { VizPrompt } from '@vizprompt/core';
import { type ChatStore, chatStore } from '@vizprompt/core/ai-sdk';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { type ServedChat, serveChat } from './ai-chat.ts';

interface ChatStep {
  readonly type:
    | 'send'
    | 'edit'
    | 'same'
    | 'regenerate'
    | 'tool'
    | 'switch'
    | 'file'
    | 'reload'
    | 'restart';
  readonly pick: number;
}

/** One step of a session, which picks messages by a number. */
export const chatStep: fc.Arbitrary<ChatStep> = fc.record({
  type: fc.constantFrom(
    'send',
    'edit',
    'same',
    'regenerate',
    'tool',
    'switch',
    'file',
    'reload',
    'restart',
  ),
  pick: fc.nat(),
});

/**
 * Leads a session with the chat of the AI SDK. After each step the screen is what the store loads, and in the end every
 * branch that was ever on the screen is there.
 */
export async function checkSession(steps: readonly ChatStep[]): Promise<void> {
  const storage = await inMemoryStorage();
  let vizprompt = await VizPrompt.open({ storage });
  let chats = chatStore(vizprompt);
  let page = serveChat(chats, 'c');
  const seen = new Set<string>();
  await page.chat.sendMessage({ text: 'the first' });
  await page.idle();
  for (const [at, step] of steps.entries()) {
    if (step.type === 'reload' || step.type === 'restart') {
      if (step.type === 'restart') {
        await vizprompt.close();
        vizprompt = await VizPrompt.open({ storage });
        chats = chatStore(vizprompt);
      }
      page = serveChat(chats, 'c', { messages: await chats.load('c'), name: ` of page ${at}` });
    } else {
      await take(step, at, page.chat, chats);
    }
    await page.idle();
    expect(await chats.load('c')).toEqual(page.screen());
    // The answer that waits for a decision is the same message as the one that follows it.
    if (!isWaiting(page.chat.lastMessage)) seen.add(JSON.stringify(textsOf(page.screen())));
  }
  const branches = new Set<string>();
  const flow = await chats.flow('c');
  const { messages } = await vizprompt.readThread({ id: flow.id });
  for (const { message } of messages) {
    branches.add(JSON.stringify(textsOf(await chats.load('c', { leaf: message.id }))));
  }
  for (const branch of seen) expect(branches).toContain(branch);
  expect((await vizprompt.check()).findings).toEqual([]);
  await vizprompt.close();
  await storage.close();
}

/** Does one step as a person does it on a page. */
async function take(
  { type, pick }: ChatStep,
  at: number,
  chat: ServedChat['chat'],
  chats: ChatStore,
): Promise<void> {
  const asked = chat.messages.filter(({ role }) => role === 'user');
  const answers = chat.messages.filter(({ role }) => role === 'assistant');
  const waiting = chat.lastMessage?.parts.find(
    (part) => 'state' in part && part.state === 'approval-requested',
  );
  const user = asked[pick % Math.max(1, asked.length)];
  const answer = answers[pick % Math.max(1, answers.length)];
  if (waiting && 'approval' in waiting) {
    await chat.addToolApprovalResponse({ id: waiting.approval?.id ?? '', approved: pick % 3 > 0 });
  } else if (type === 'edit' && user) {
    await chat.sendMessage({ text: `edit ${at}`, messageId: user.id });
  } else if (type === 'same' && user) {
    await chat.sendMessage({ parts: user.parts, messageId: user.id });
  } else if (type === 'regenerate' && answer) {
    await chat.regenerate({ messageId: answer.id });
  } else if (type === 'switch' && answer) {
    const { messages } = await chats.siblings('c', answer.id);
    chat.messages = await chats.switchTo('c', messages[pick % messages.length]?.id ?? '');
  } else if (type === 'file') {
    const url = `data:text/plain;base64,${Buffer.from(`file ${pick % 3}`).toString('base64')}`;
    const file = { type: 'file' as const, mediaType: 'text/plain', filename: 'a.txt', url };
    await chat.sendMessage({ text: `file ${at}`, files: [file] });
  } else {
    await chat.sendMessage({ text: `${type === 'tool' ? 'tool' : 'send'} ${at}` });
  }
}

function isWaiting(message: UIMessage | undefined): boolean {
  const parts = message?.parts ?? [];
  return parts.some((part) => 'state' in part && part.state === 'approval-requested');
}

/** Returns the parts of messages without the states of their tools, which change while they are on the screen. */
function textsOf(messages: readonly UIMessage[]): readonly unknown[] {
  return messages.map(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'text' ? [part.text] : 'toolCallId' in part ? [part.toolCallId] : [],
    ),
  );
}
