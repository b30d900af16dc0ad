import type { JsonValue } from '@vizprompt/providers';
import { folded, identityOf } from '../aggregate/answer.ts';
import type { Variables } from '../definition/step.ts';

/** The data of a run that a judge receives. */
export interface JudgeContext {
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly expected?: JsonValue;
  /** As they were at the end of the run. */
  readonly variables: Variables;
}

/**
 * Scores a run: a number, the higher the better, or whether it is right. A name such as `flow:grade` is a workflow of the
 * files: it is given `{ input, output, expected }`, and gives the score, or an object with `score`.
 */
export type Judge =
  | ((context: JudgeContext) => number | boolean | Promise<number | boolean>)
  | `flow:${string}`;

/** Judges whether the output is what was expected; strings without case, width, and the marks and space around them. */
export function exactMatch({ output, expected = null }: JudgeContext): boolean {
  return identityOf(output) === identityOf(expected);
}

/** Judges whether the output holds the expected text, or each of a list of them, in whatever case and width. */
export function contains({ output, expected = '' }: JudgeContext): boolean {
  const text = folded(typeof output === 'string' ? output : JSON.stringify(output));
  const wanted = Array.isArray(expected) ? expected : [expected];
  return wanted.every((one) => text.includes(folded(String(one))));
}
