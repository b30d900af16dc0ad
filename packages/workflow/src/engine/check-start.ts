import { messageOf, type JsonValue } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';

const MAX_ID = 200;

/** @throws WorkflowError with the code `invalid-input` for an id that a database cannot hold. */
export function assertRunId(id: string): void {
  const isGood =
    typeof id === 'string' &&
    id !== '' &&
    id.length <= MAX_ID &&
    id.isWellFormed() &&
    !id.includes('\0');
  if (isGood) return;
  const message = `${JSON.stringify(id)} is no id of a run: use 1 to ${MAX_ID} characters without NUL`;
  throw new WorkflowError('invalid-input', message, { context: { runId: id } });
}

/**
 * A value as JSON has it, of its own.
 *
 * @throws WorkflowError with the code `invalid-input` for what is no JSON.
 */
export function toJsonInput(value: unknown): JsonValue {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new TypeError(`${typeof value} has no JSON`);
    const json: JsonValue = JSON.parse(text);
    return json;
  } catch (cause) {
    throw new WorkflowError('invalid-input', `the input is no JSON: ${messageOf(cause)}`, {
      cause,
    });
  }
}
