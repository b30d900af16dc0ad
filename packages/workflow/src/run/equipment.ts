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
