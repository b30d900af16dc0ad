import { textOf, type ChatModel, type Message } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';

/**
 * Replaces a model where none was named. It makes nothing up: it says what a model in its place would have been
 * sent, so that one sees what becomes of earlier turns.
 */
export function offlineModel(): ChatModel {
  return scriptedModel(
    ({ messages }, call) =>
      `No model was named; this is stand-in answer ${call + 1}. A model would now have read:\n` +
      messages.map(describe).join('\n'),
    { provider: 'offline', modelId: 'mirror' },
  );
}

/** The first message holds a line for each earlier turn; those after it are as they were said. */
function describe(message: Message): string {
  const characters = Array.from(textOf(message).replaceAll(/\s+/g, ' ').trim());
  const limit = message.role === 'system' ? 600 : 60;
  const end = characters.length > limit ? '…' : '';
  const beginning = characters.slice(0, limit).join('');
  return `- ${message.role}, ${characters.length} characters: ${beginning}${end}`;
}
