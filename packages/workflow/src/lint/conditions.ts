import type { Environment, TypeCheckResult } from '@marcbachmann/cel-js';
import type { JsonValue } from '@vizprompt/providers';
import { allSteps } from '../definition/walk-steps.ts';
import { newCelEnvironment, parseCel, readCelError } from '../language/cel.ts';
import { at, conditionsOf, type WorkflowCheck } from '../load/check-definitions.ts';
import type { Finding } from '../problems/finding.ts';
import { variableTypes } from './value-types.ts';
import { CEL_NAMES, namesIn } from '../load/variable-uses.ts';

/** Errors of values, which the schemas of variables report; others are reported elsewhere. */
const TYPE_ERRORS = new Set([
  'no_such_key',
  'cannot_index_type',
  'no_such_overload',
  'no_matching_overload',
  'invalid_logical_operand',
  'incompatible_ternary_branches',
]);
const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** Conditions that cannot be evaluated with the values that steps give, by their schemas. */
export function* checkConditionTypes(check: WorkflowCheck): Generator<Finding> {
  const steps = [...allSteps(check.workflow.steps)];
  if (steps.every(({ step }) => conditionsOf(step).length === 0)) return;
  const environment = newCelEnvironment(true);
  for (const [name, type] of variableTypes(check.workflow)) {
    if (CEL_NAMES.has(name) || !IDENTIFIER.test(name)) continue;
    const declared = celType(type);
    if (typeof declared === 'string') environment.registerVariable(name, declared);
    else environment.registerVariable({ name, schema: declared });
  }
  for (const { step, path } of steps) {
    for (const { source, path: below, isBoolean } of conditionsOf(step)) {
      const place = [...path, ...below];
      // A name that CEL takes for a type is reported elsewhere.
      if (namesIn(source).some(({ name }) => CEL_NAMES.has(name))) continue;
      const { valid, type = 'dyn', error } = checked(environment, source);
      if (!valid) {
        const { code, problem, offset } = readCelError(error);
        // Any step may give null, and objects are more than their fields.
        if (!TYPE_ERRORS.has(code) || /\bnull\b|\$|optional/.test(problem)) continue;
        yield at(check, place, { code: 'condition-type', within: offset, words: { problem } });
      } else if (isBoolean && type !== 'bool' && type !== 'dyn') {
        const words = { type: typeName(type) };
        yield at(check, place, { code: 'condition-not-boolean', within: 0, words });
      } else if (!isBoolean && !/^(?:dyn|list)\b/.test(type)) {
        const words = { type: typeName(type) };
        yield at(check, place, { code: 'condition-not-list', within: 0, words });
      }
    }
  }
}

/** Parses an expression; syntax errors are reported elsewhere. */
function checked(environment: Environment, source: string): TypeCheckResult {
  try {
    return parseCel(environment, source).check();
  } catch {
    return { valid: true };
  }
}

function typeName(type: string): string {
  if (type.startsWith('$')) return 'map';
  return /^\w+/.exec(type)?.[0] ?? type;
}

type CelSchema = { [key: string]: string | CelSchema };

/** Returns the type of CEL for a JSON Schema. */
function celType(schema: JsonValue | undefined): string | CelSchema {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'dyn';
  const { type, items, properties, additionalProperties: additional } = Object(schema);
  if (type === 'string') return 'string';
  if (type === 'number' || type === 'integer') return 'double';
  if (type === 'boolean') return 'bool';
  if (type === 'array') {
    const item = celType(items);
    return `list<${typeof item === 'string' ? item : 'dyn'}>`;
  }
  const isClosed = additional === undefined || additional === false;
  if (type !== 'object' || typeof properties !== 'object' || !isClosed) return 'dyn';
  const fields = Object.entries<JsonValue>(properties).map(
    ([key, value]): [string, string | CelSchema] => [key, celType(value)],
  );
  if (fields.length === 0 || fields.some(([key]) => !IDENTIFIER.test(key))) return 'dyn';
  return Object.fromEntries(fields);
}
