import { startFakeLLM, type FakeLLM } from '@vizprompt/providers/testing';

/** A talk of two models and a moderator, on a server of Ollama's protocol. */
export const MODELS = `topic: 猫と犬
participants:
  - { name: 猫派, model: 'ollama:cat', persona: 皮肉屋 }
  - { name: 犬派, model: 'ollama:dog' }
moderator: { name: 司会, model: 'ollama:mc' }
rounds: 2
`;

/** A talk of people. */
export const PEOPLE = `topic: 連句
language: ja
participants:
  - { name: 芭蕉, person: true }
  - { name: 其角, person: true }
rounds: 1
`;

/** Starts a server whose models number what they say. */
export function startTalkers(): Promise<FakeLLM> {
  let count = 0;
  return startFakeLLM({ chunkSize: 2, answer: () => `第${++count}の${SAID}` });
}

const SAID = '発言を、ゆっくりと、最後まで話す。';

/** A turn that has begun, and is not said before it may be. */
export interface HeldTurn {
  goOn(): void;
}

/** Holds a turn, by its number from 1 on; those before it are said at once. */
export function heldTurn(llm: FakeLLM, number: number): HeldTurn {
  const gate = Promise.withResolvers<void>();
  const said = (at: number): string => `第${at}の${SAID}`;
  const before = Array.from({ length: number - 1 }, (_, at) => said(at + 1));
  llm.answer(...before, async () => {
    await gate.promise;
    return said(number);
  });
  return { goOn: gate.resolve };
}
