import { WorkflowError } from '../errors.ts';

/** Returns the rules that a step gives itself, or by a name of `use`. */
export function namedRules<Rules extends object>(
  what: string,
  all: Readonly<Record<string, Rules>> | undefined,
  given: string | Rules | undefined,
): Rules | undefined {
  if (typeof given !== 'string') return given;
  const rules = all && Object.hasOwn(all, given) ? all[given] : undefined;
  if (rules) return rules;
  throw new WorkflowError('not-found', `there is no '${given}' in use.${what}`, {
    context: { [what]: given },
  });
}
