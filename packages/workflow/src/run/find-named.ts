import { WorkflowError } from '../errors.ts';

/** Gives something that the engine was given under a name. */
export function equipment<Value>(
  what: string,
  all: ReadonlyMap<string, Value> | Readonly<Record<string, Value>>,
  name: string,
): Value {
  const map = all instanceof Map ? all : new Map(Object.entries(all));
  const value = map.get(name);
  if (value !== undefined) return value;
  const names = [...map.keys()].join(', ') || 'none';
  throw new WorkflowError('not-found', `the engine has no ${what} '${name}'; it has: ${names}`, {
    context: { [what]: name },
  });
}

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
