import type { JsonObject, JsonValue } from '@vizprompt/providers';
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
