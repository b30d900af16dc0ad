import { isStorable, messageOf, type JsonValue } from '@vizprompt/providers';
import { type Kind, TEXT } from '@vizprompt/providers/config';
import { checkArgument } from '../arguments/check.ts';
import { WorkflowError } from '../errors.ts';

const MAX_ID = 200;
const WORKFLOW: Kind = { ...TEXT, expected: 'its name, or what defineWorkflow() made' };

/** @throws WorkflowError with the code `invalid-input` for an id that a database cannot hold. */
export function assertRunId(id: string): void {
  const isGood = typeof id === 'string' && id !== '' && id.length <= MAX_ID && isStorable(id);
  if (isGood) return;
  const message = `${JSON.stringify(id)} is no id of a run: use 1 to ${MAX_ID} characters without NUL`;
  throw new WorkflowError('invalid-input', message, { context: { runId: id } });
}

/**
 * The name of a workflow that is started.
 *
 * @throws WorkflowError with the code `invalid-input` for what is no name.
 */
export function nameOf(workflow: string | { readonly name: string }): string {
  const name: unknown = typeof workflow === 'object' && workflow ? workflow.name : workflow;
  checkArgument('the workflow', name, WORKFLOW);
  return String(name);
}

/**
 * A value as JSON has it, of its own.
 *
 * @param what - For messages.
 * @throws WorkflowError with the code `invalid-input` for what is no JSON.
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
 * What `JSON.stringify` would turn into something else without a word: numbers that JSON does not have, and classes
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
