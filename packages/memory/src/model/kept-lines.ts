import type { JsonObject, JsonValue } from '@vizprompt/providers';

/** Field of the facts about an event with lines of a transcript that no version knew when they were read. */
export const LINES = 'lines';

/** Longer facts are left out of what models read, and those beyond this size together. */
const MAX_FACT = 300;
const MAX_FACTS = 1000;

/** Returns facts in short, for a model: without whatever is long. */
export function shortFacts(facts: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  let room = MAX_FACTS;
  const shown = Object.entries(facts).flatMap(([name, value]): [string, JsonValue][] => {
    if (value === undefined) return [];
    const length = lengthOf(value);
    if (length > MAX_FACT || name.length + length > room) return [];
    room -= name.length + length;
    return [[name, value]];
  });
  return Object.fromEntries(shown);
}

function lengthOf(value: JsonValue): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}
