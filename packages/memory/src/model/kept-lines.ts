import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isRecord } from '@vizprompt/providers/internal';

/** Lines of transcripts that no version knew when they were read: kept for later ones, and nothing for a reader. */
const KEPT = /^(?:lines|trailing_lines(?:_.*)?)$/s;

/** Longer facts are left out of what models read. */
const MAX_FACT = 300;

/** Returns facts in short, for a model: without kept lines and whatever is long. */
export function shortFacts(facts: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const shown = Object.entries(facts).flatMap(([name, value]): [string, JsonValue][] => {
    const isShown = value !== undefined && !KEPT.test(name) && lengthOf(value) <= MAX_FACT;
    return isShown ? [[name, value]] : [];
  });
  return Object.fromEntries(shown);
}

function lengthOf(value: JsonValue): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value).length;
}

/** For `JSON.stringify`: leaves kept lines out of events and sessions, wherever they are in an answer. */
export function shownRecord(_name: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const isSession = 'event_count' in value && 'workspace_path' in value;
  const isEvent = 'session_id' in value && 'sequence' in value && 'type' in value;
  const field = isSession ? 'metadata' : isEvent ? 'meta' : undefined;
  const facts = field === undefined ? undefined : value[field];
  if (field === undefined || !isRecord(facts)) return value;
  const shown = Object.entries(facts).filter(([name]) => !KEPT.test(name));
  return { ...value, [field]: Object.fromEntries(shown) };
}
