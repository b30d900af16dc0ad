import type { JsonValue } from '@vizprompt/providers';

/** What lies at a dotted path of a value, numbers being places of lists; `undefined` if nothing does. */
export function fieldOf(value: JsonValue, path: string): JsonValue | undefined {
  let found: unknown = value;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what lies in JSON is JSON
  return found as JsonValue | undefined;
}
