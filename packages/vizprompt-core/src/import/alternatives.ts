import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { listAt, objectAt } from './fields.ts';

/**
 * Returns a conversation whose last answers are next to its messages, with them as versions of one message:
 * the `choices` of a completion, or the answers that were preferred and those that were not.
 */
export function withAnswersBeside(entry: JsonObject): JsonObject | undefined {
  const choices = listAt(entry, 'choices')
    .filter(isJsonObject)
    .flatMap((choice) => choice['message'] ?? []);
  if (choices.length > 0) {
    const { choices: _, ...rest } = entry;
    return { ...rest, messages: [...listAt(entry, 'messages'), versionsOf(choices)] };
  }
  const [better, worse] = [
    [...listAt(entry, 'preferred_output'), ...listAt(entry, 'chosen')],
    [...listAt(entry, 'non_preferred_output'), ...listAt(entry, 'rejected')],
  ].map((answers) => answers.filter(isJsonObject));
  if (!better?.length || !worse?.length) return undefined;
  const asked = listAt(objectAt(entry, 'input'), 'messages');
  // Both lists may begin with what was asked.
  const shared = better.findIndex((each, at) => !isSame(each, worse[at]));
  if (shared < 0) return undefined;
  const answers = [...better.slice(shared, shared + 1), ...worse.slice(shared, shared + 1)];
  const after = better.slice(shared + 1);
  const own = new Set(['input', 'chosen', 'rejected', 'preferred_output', 'non_preferred_output']);
  const rest = Object.fromEntries(Object.entries(entry).filter(([key]) => !own.has(key)));
  return {
    ...rest,
    messages: [...asked, ...better.slice(0, shared), versionsOf(answers), ...after],
  };
}

function versionsOf(versions: readonly JsonValue[]): JsonObject {
  return { alternatives: [...versions], selected: 0 };
}

function isSame(one: JsonValue, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
