import type { JsonValue } from '@vizprompt/providers';
import { folded, identityOf } from '../aggregate/answer.ts';
import type { Variables } from '../definition/step.ts';
import { checkArgument } from '../check-options.ts';
import { having } from '@vizprompt/providers/config/internal';

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

const CONTEXT = having('what a judge receives', 'output');

/** Judges whether the output is what was expected; strings without case, width, and the marks and space around them. */
export function exactMatch(context: JudgeContext): boolean {
  checkArgument('the argument of exactMatch', context, CONTEXT);
  const { output, expected = null } = context;
  return identityOf(output) === identityOf(expected);
}

/** Judges whether the output holds the expected text, or each of a list of them, in whatever case and width. */
export function contains(context: JudgeContext): boolean {
  checkArgument('the argument of contains', context, CONTEXT);
  const { output, expected = '' } = context;
  const text = folded(typeof output === 'string' ? output : JSON.stringify(output));
  const wanted = Array.isArray(expected) ? expected : [expected];
  return wanted.every((one) => text.includes(folded(String(one))));
}
