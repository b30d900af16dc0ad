import type { JsonValue } from '@vizprompt/providers';
import type { Variables } from '../definition/step.ts';
import { WorkflowError } from '../errors.ts';

/** Names that an error lists at most. */
const MAX_NAMES = 20;
const INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * Returns the value at a dotted path, such as `review.scores.0`: own keys of objects and places of lists.
 *
 * @throws WorkflowError with the code `condition-failed` that names what is missing and what is there.
 */
export function valueAt(path: string, variables: Variables): JsonValue {
  let value: JsonValue = variables;
  const steps = path.split('.');
  for (const [at, step] of steps.entries()) {
    const next = below(value, step);
    if (next === undefined) throw missing(path, steps.slice(0, at).join('.'), step, value);
    value = next;
  }
  return value;
}

/** Checks whether there is a value at a dotted path. `null` is one. */
export function hasValueAt(path: string, variables: Variables): boolean {
  return findAt(path, variables) !== undefined;
}

/** Finds the value at a dotted path of any value; `undefined` where there is none. */
export function findAt(path: string, value: JsonValue): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const step of path.split('.')) {
    found = below(found, step);
    if (found === undefined) return undefined;
  }
  return found;
}

function below(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return INDEX.test(step) ? value[Number(step)] : undefined;
  return Object.hasOwn(value, step) ? Object(value)[step] : undefined;
}

function missing(path: string, parent: string, step: string, value: JsonValue): WorkflowError {
  const problem =
    parent === ''
      ? `there is no variable '${step}' (${thereIs(value)})`
      : `'${parent}' has no '${step}' (${thereIs(value)})`;
  const quoted = parent === '' && step === path ? '' : `'${path}': `;
  return new WorkflowError('condition-failed', `${quoted}${problem}`, {
    context: { path, missing: step },
  });
}

function thereIs(value: JsonValue): string {
  if (Array.isArray(value)) return `it is a list of ${value.length}`;
  if (typeof value !== 'object' || value === null) {
    return value === null ? 'it is null' : `it is a ${typeof value}`;
  }
  const names = Object.keys(value);
  if (names.length === 0) return 'there is none';
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  return `there is: ${names.slice(0, MAX_NAMES).join(', ')}${more}`;
}
