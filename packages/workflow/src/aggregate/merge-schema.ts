import { isJsonObject, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import type { Answer } from './answer.ts';

/**
 * One object of several: what a later one says stands in place of what an earlier one said, but `null` says
 * nothing; lists are joined, and objects within objects are merged in the same way.
 *
 * @throws WorkflowError with the code `step-failed` if an answer is no object.
 */
export function mergeSchema(answers: readonly Answer[]): JsonValue {
  return answers.map(objectOf).reduce(merged);
}

function merged(earlier: JsonObject, later: JsonObject): JsonObject {
  const fields = new Map(Object.entries(earlier));
  for (const [key, value] of Object.entries(later)) {
    fields.set(key, joined(fields.get(key), value));
  }
  return Object.fromEntries(fields);
}

function joined(earlier: JsonValue | undefined, later: JsonValue): JsonValue {
  if (earlier === undefined) return later;
  if (later === null) return earlier;
  if (isList(earlier) && isList(later)) return [...earlier, ...later];
  return isJsonObject(earlier) && isJsonObject(later) ? merged(earlier, later) : later;
}

function objectOf({ name, value }: Answer): JsonObject {
  if (isJsonObject(value)) return value;
  throw new WorkflowError(
    'step-failed',
    `mergeSchema merges objects, and '${name}' gave none; give this agent an output.schema of the type object`,
    { context: { name } },
  );
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
