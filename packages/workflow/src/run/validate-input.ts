import { type JsonObject, type JsonValue, messageOf } from '@vizprompt/providers';
import { readySchema } from '@vizprompt/providers/generate';
import { WorkflowError } from '../errors.ts';

type Check = (value: JsonValue) => Promise<readonly string[]>;

/** Compiling a schema takes long; definitions are plain data that stays as it is. */
const checks = new WeakMap<JsonObject, Check>();

/**
 * Checks a value against a JSON Schema.
 *
 * @param what - The beginning of the message.
 * @throws WorkflowError with the code `invalid-input`, and what is wrong in `context.issues`.
 */
export async function assertFits(
  schema: JsonObject,
  value: JsonValue,
  what: string,
): Promise<void> {
  const issues = await (await checkOf(schema))(value);
  if (issues.length === 0) return;
  throw new WorkflowError(
    'invalid-input',
    `${what} does not fit its schema: ${issues.slice(0, 5).join('; ')}`,
    { context: { issues } },
  );
}

async function checkOf(schema: JsonObject): Promise<Check> {
  const known = checks.get(schema);
  if (known) return known;
  const { validate } = await readySchema<JsonValue>(schema);
  const check: Check = async (value) => {
    const result = await validate(value);
    return 'issues' in result ? result.issues.map(withoutAnswer) : [];
  };
  checks.set(schema, check);
  return check;
}

/** The validator speaks of answers of models. */
function withoutAnswer(issue: string): string {
  return issue.replace(/^the answer /, 'it ');
}

/**
 * Returns a value as JSON has it, of its own.
 *
 * @param what - For messages.
 * @throws WorkflowError with the code `invalid-input` for what is not JSON.
 */
export function toJsonInput(value: unknown, what = 'the input'): JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  try {
    const text: string | undefined = JSON.stringify(value, refuseLosses);
    if (text === undefined) throw new TypeError(`${typeof value} has no JSON`);
    const json: JsonValue = JSON.parse(text);
    return json;
  } catch (cause) {
    throw new WorkflowError('invalid-input', `${what} is no JSON: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/**
 * Values that `JSON.stringify` would change without notice: numbers that JSON does not have, and classes
 * whose contents it does not see. Those with a `toJSON`, such as dates, have become their JSON before they come here.
 */
function refuseLosses(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`${value}${placeOf(key)} is no number that JSON has`);
  }
  if (value instanceof Map || value instanceof Set) {
    const name = value instanceof Map ? 'Map' : 'Set';
    throw new TypeError(`a ${name}${placeOf(key)} has no JSON: give an object or a list`);
  }
  return value;
}

function placeOf(key: string): string {
  return key === '' ? '' : ` at '${key}'`;
}
