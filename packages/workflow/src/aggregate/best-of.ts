import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import type { Answer } from './answer.ts';
import { chosenNumber } from './chosen-number.ts';

/** What a model that can answer with JSON is asked for, to name the best of several answers. */
export function bestOfSchema(count: number): JsonObject {
  return {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'Why it is the best, in one sentence.' },
      best: {
        type: 'integer',
        minimum: 1,
        maximum: count,
        description: 'The number of the best answer.',
      },
    },
    required: ['best'],
  };
}

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
