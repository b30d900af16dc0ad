import type { UIMessage } from 'ai';
import { expect } from 'vitest';
import { VizPrompt } from '@vizprompt/core';
import { chatStore } from '@vizprompt/core/ai-sdk';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { serveChat } from './ai-chat.ts';

/** One step of a session, which picks messages by a number. */
export interface ChatStep {
  readonly type: 'send' | 'edit' | 'same' | 'regenerate' | 'tool' | 'switch';
  readonly pick: number;
}

/**
 * Leads a session with the chat of the AI SDK. After each step the screen is what the store loads, and in the end every
 * branch that was ever on the screen is there.
 */
export async function checkSession(steps: readonly ChatStep[]): Promise<void> {
  const storage = await inMemoryStorage();
  const vizprompt = await VizPrompt.open({ storage });
  const chats = chatStore(vizprompt);
  const { chat, screen, idle } = serveChat(chats, 'c');
  const seen = new Set<string>();
  for (const [at, { type, pick }] of steps.entries()) {
    const asked = chat.messages.filter(({ role }) => role === 'user');
    const answers = chat.messages.filter(({ role }) => role === 'assistant');
    const waiting = chat.lastMessage?.parts.find(
      (part) => 'state' in part && part.state === 'approval-requested',
    );
    const user = asked[pick % Math.max(1, asked.length)];
    const answer = answers[pick % Math.max(1, answers.length)];
    if (waiting && 'approval' in waiting) {
      await chat.addToolApprovalResponse({
        id: waiting.approval?.id ?? '',
        approved: pick % 3 > 0,
      });
    } else if (type === 'edit' && user) {
      await chat.sendMessage({ text: `edit ${at}`, messageId: user.id });
    } else if (type === 'same' && user) {
      await chat.sendMessage({ parts: user.parts, messageId: user.id });
    } else if (type === 'regenerate' && answer) {
      await chat.regenerate({ messageId: answer.id });
    } else if (type === 'switch' && answer) {
      const { messages } = await chats.siblings('c', answer.id);
      chat.messages = await chats.switchTo('c', messages[pick % messages.length]?.id ?? '');
    } else {
      await chat.sendMessage({ text: `${type === 'tool' ? 'tool' : 'send'} ${at}` });
    }
    await idle();
    expect(await chats.load('c')).toEqual(screen());
    // The answer that waits for a decision is the same message as the one that follows it.
    if (!isWaiting(chat.lastMessage)) seen.add(JSON.stringify(textsOf(screen())));
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
