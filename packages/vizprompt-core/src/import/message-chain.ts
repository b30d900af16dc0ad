import { isJsonObject, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { uuidFromName } from '../format/ids-and-times.ts';

/**
 * Names for the messages of a list that has none: each by its content and that of all before it, so that
 * two lists that begin alike have the same names until they differ.
 *
 * @param scene - What stands beside the messages and belongs to the conversation; `undefined`: nothing.
 */
export function chainOf(messages: readonly JsonObject[], scene: JsonValue | undefined): string[] {
  let name = scene === undefined ? '' : canonical(scene);
  return messages.map((message) => {
    name = uuidFromName(name, canonical(message));
    return name;
  });
}

/** JSON with the keys of all objects in one order. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_, part: JsonValue) => {
    return isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  });
}
