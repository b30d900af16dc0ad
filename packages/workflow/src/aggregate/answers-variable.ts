import type { JsonValue } from '@vizprompt/providers';
import type { Answer } from './answer.ts';

/**
 * What the prompt of `judge` and `bestOf` finds as `answers`: a list of `{ number, agent, answer }`, the
 * numbers being counted from 1.
 */
export function answersVariable(answers: readonly Answer[]): JsonValue {
  return answers.map(({ name, value }, at) => ({ number: at + 1, agent: name, answer: value }));
}
