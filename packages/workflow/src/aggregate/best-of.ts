import type { JsonValue } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import type { Answer } from './answer.ts';
import { chosenNumber } from './chosen-number.ts';

/**
 * The answer that a model names as the best: by its number from 1, in digits of any script or in JSON, or by
 * the name of its agent.
 *
 * @param reply - What the model said, as text or as JSON.
 * @throws WorkflowError with the code `step-failed` if it names none of them, or several.
 */
export function bestAnswer(reply: JsonValue, answers: readonly Answer[]): JsonValue {
  const number = chosenNumber(
    reply,
    answers.map(({ name }) => name),
  );
  const best = number === undefined ? undefined : answers[number - 1];
  if (best) return best.value;
  const said = typeof reply === 'string' ? reply : JSON.stringify(reply);
  const short = said.length > 200 ? `${said.slice(0, 200).toWellFormed()}…` : said;
  throw new WorkflowError(
    'step-failed',
    `bestOf needs the number of one answer, from 1 to ${answers.length}, and got: ${short}`,
    { context: { count: answers.length } },
  );
}
