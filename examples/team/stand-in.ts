import { textOf, type ChatModel } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';

/** Returns a model that needs no key. It says which role it has, and takes its time, so that a member can be killed. */
export function standIn(chunkDelayMs: number): ChatModel {
  return scriptedModel(
    ({ messages }) => {
      const [system, asked] = [messages[0], messages.at(-1)].map((one) => (one ? textOf(one) : ''));
      const who = /あなたは(.*?)です/.exec(system ?? '')?.[1] ?? '助手';
      return `${who}です。「${asked?.trim().split('\n').at(-1) ?? ''}」について、順に進めます。`;
    },
    { provider: 'stand-in', modelId: 'team', chunkDelayMs },
  );
}
