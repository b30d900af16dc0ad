import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isRecord } from '@vizprompt/providers/internal';

const KEPT = /^(?:lines|trailing_lines(?:_.*)?)$/s;

/**
 * Returns facts about an event or a session without lines of transcripts that no version knew when they were read:
 * they are kept for later versions, and say nothing to a reader.
 */
function withoutKeptLines(facts: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => !KEPT.test(name)));
}

/** Longer facts are left out of what models read. */
const MAX_FACT = 300;

/** Returns facts in short, for a model: without kept lines and whatever is long. */
export function shortFacts(facts: JsonObject): JsonObject {
  const fields = Object.entries(withoutKeptLines(facts)).filter(
    ([, value]) => lengthOf(value) <= MAX_FACT,
  );
  return Object.fromEntries(fields);
}

function lengthOf(value: JsonValue | undefined): number {
  return typeof value === 'string' ? value.length : JSON.stringify(value ?? null).length;
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
