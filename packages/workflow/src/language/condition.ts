import type { JsonValue } from '@vizprompt/providers';
import { LruMap } from '@vizprompt/providers/internal';
import type { Variables } from '../definition/step.ts';
import { WorkflowError } from '../errors.ts';
import {
  celEnvironment,
  celFailure,
  type CelProgram,
  celToJson,
  parseCel,
  prepareConditions,
  withinCost,
} from './cel.ts';
import { preparePrompts } from './template.ts';

/** Parsed conditions that are kept; a file of 1,000 steps has fewer. */
const KEPT = 4096;
const programs = new LruMap<string, CelProgram>(KEPT);

/**
 * Returns the result of a CEL expression. Whole numbers and others mix, as JSON knows one kind of numbers.
 *
 * @throws WorkflowError with the code `condition-failed` that holds the place in the expression: bad syntax, an
 * unknown variable, a missing key, types that do not go together.
 *
 * @param maxCost - How much it may cost, if not as much as all conditions.
 */
export function evaluate(source: string, variables: Variables, maxCost?: number): JsonValue {
  const program = parseCondition(source);
  try {
    return withinCost(source, () => celToJson(program(variables)), maxCost);
  } catch (error) {
    throw celFailure(source, error);
  }
}

/**
 * Checks whether a condition holds.
 *
 * @throws WorkflowError as {@link evaluate}, and where the result is neither `true` nor `false`.
 */
export function holds(source: string, variables: Variables): boolean {
  const value = evaluate(source, variables);
  if (typeof value === 'boolean') return value;
  const given = JSON.stringify(value);
  const shown = given.length > 60 ? `${given.slice(0, 60)}…` : given;
  throw new WorkflowError(
    'condition-failed',
    `the condition '${source}' must give true or false, and gave ${shown}`,
    { context: { condition: source, offset: 0 } },
  );
}

/** Parses a condition, once. */
export function parseCondition(source: string): CelProgram {
  const known = programs.get(source);
  if (known) return known;
  let program: CelProgram;
  try {
    program = parseCel(celEnvironment(), source);
  } catch (error) {
    throw celFailure(source, error);
  }
  programs.set(source, program);
  return program;
}

/** Loads the languages of conditions and prompts, which are evaluated at once from then on. */
export async function prepareLanguages(): Promise<void> {
  await Promise.all([prepareConditions(), preparePrompts()]);
}
