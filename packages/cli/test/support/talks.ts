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

/** Models that number what they say. */
export interface Talkers {
  readonly llm: FakeLLM;
  /**
   * Holds a turn that has begun.
   *
   * @param number - Counts from 1 on.
   * @returns Lets it be said.
   */
  hold(number: number): () => void;
}

/** Starts a server of models that take turns. */
export async function startTalkers(): Promise<Talkers> {
  const held = new Map<number, Promise<void>>();
  let count = 0;
  const answer = async (): Promise<string> => {
    const number = ++count;
    await held.get(number);
    return `第${number}の発言を、ゆっくりと、最後まで話す。`;
  };
  return {
    llm: await startFakeLLM({ chunkSize: 2, answer }),
    hold(number) {
      let goOn = (): void => {};
      held.set(number, new Promise((resolve) => (goOn = resolve)));
      return () => goOn();
    },
  };
}
