import { textOf, type ChatModel, type Message } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';

/** Replaces a model where none was named: it streams what a model would have read, so that one sees the branch. */
export function standIn(chunkDelayMs: number): ChatModel {
  return scriptedModel(
    ({ messages }, call) =>
      `Stand-in answer ${call + 1}. A model would have read:\n${messages.map(describe).join('\n')}`,
    { provider: 'stand-in', modelId: 'mirror', chunkDelayMs },
  );
}

function describe(message: Message): string {
  const text = Array.from(textOf(message).replaceAll(/\s+/g, ' ').trim());
  return `- ${message.role}: ${text.slice(0, 60).join('')}${text.length > 60 ? '…' : ''}`;
}
