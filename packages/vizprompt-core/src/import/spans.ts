import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { isExchange } from './alternatives.ts';
import { expandRow } from './containers.ts';
import { isMessage } from './list-messages.ts';
import { withRoles } from './plain-rows.ts';
import { isConversation, sourceOf } from './sources.ts';
import { conversationsOf, type ModelCall } from './model-calls.ts';
import { readSpan } from './read-span.ts';

/** The conversations of the spans of an entry. */
export interface SpanConversations {
  readonly conversations: readonly JsonObject[];
  /** The spans without what was read of them. */
  readonly left: readonly JsonObject[];
  /** The entry without its spans. */
  readonly rest: JsonObject;
  readonly warnings: readonly string[];
}

/** The lists of OTLP, for spans and for logs. */
const LISTS = [
  ['resourceSpans', 'scopeSpans', 'spans'],
  ['resourceLogs', 'scopeLogs', 'logRecords'],
] as const;

/** The spans of an entry, and what else it holds. */
interface Split {
  readonly calls: readonly ModelCall[];
  /** Parents of spans by their ids. */
  readonly parents: readonly (readonly [string, string])[];
  readonly left: readonly JsonObject[];
  readonly rest: JsonObject | undefined;
  readonly unread: number;
}

/**
 * Returns the conversations of spans of OpenTelemetry: those of one `gen_ai.conversation.id`, or of one trace, are one. Each
 * call has the messages before it as its input, so that only what is new of it is added.
 *
 * Source: the semantic conventions for generative AI, from version 1.37 on; OTLP in JSON, and what exporters for the console
 * write.
 */
export function expandSpans(entry: JsonObject): SpanConversations | undefined {
  const { calls, parents, left, rest, unread } = split(entry);
  if (calls.length === 0) return undefined;
  const { conversations, others } = conversationsOf(calls, new Map(parents));
  const warnings =
    unread > 0 ? [`${unread} attributes with messages of models are cut off, or are no JSON`] : [];
  return { conversations, left: [...left, ...others], rest: rest ?? {}, warnings };
}

/** Checks whether an object holds spans of calls of models, and nothing else that is read: a collector writes one on each line. */
export function holdsSpans(entry: JsonObject): boolean {
  const { calls, rest } = split(entry);
  return calls.length > 0 && (rest === undefined || !isRead(rest));
}

function split(entry: JsonObject): Split {
  if (Array.isArray(entry['records'])) return splitRecords(entry, entry['records']);
  const lists = LISTS.filter(([name]) => Array.isArray(entry[name]));
  if (lists.length > 0) {
    const found: Found = { calls: [], parents: [], unread: 0 };
    const { ...rest } = entry;
    const left: Record<string, JsonValue> = {};
    for (const path of lists) {
      const [name] = path;
      left[name] = takenAt({ [name]: entry[name] ?? null }, path, found)[name] ?? null;
      Reflect.deleteProperty(rest, name);
    }
    return { ...found, left: [left], rest };
  }
  const found: Found = { calls: [], parents: [], unread: 0 };
  const own = take(entry, found);
  // Attributes of a message, or next to a conversation, only describe it.
  if (found.calls.length === 0 || isRead(own)) {
    return { calls: [], parents: found.parents, left: [], rest: entry, unread: 0 };
  }
  return { ...found, left: [own], rest: undefined };
}

function splitRecords(entry: JsonObject, records: readonly JsonValue[]): Split {
  const parts = records.map((each) => (isJsonObject(each) ? split(each) : undefined));
  const rests = parts.flatMap((part, at): JsonValue[] => {
    if (part === undefined || part.left.length === 0) return records.slice(at, at + 1);
    return part.rest && isRead(part.rest) ? [part.rest] : [];
  });
  // Fields next to lists of spans that are no conversation belong to them.
  const besides = parts.flatMap((part) =>
    part?.rest && part.left.length > 0 && !isRead(part.rest) ? [part.rest] : [],
  );
  const all = parts.filter((part) => part !== undefined);
  return {
    calls: all.flatMap(({ calls }) => calls),
    parents: all.flatMap(({ parents }) => parents),
    left: [...all.flatMap(({ left }) => left), ...besides],
    rest: { ...entry, records: rests },
    unread: all.reduce((sum, { unread }) => sum + unread, 0),
  };
}

/** Checks whether another reader finds messages in an object. */
function isRead(value: JsonObject): boolean {
  if (isMessage(value) || isConversation(value) || isExchange(value)) return true;
  if (withRoles(value) !== undefined) return true;
  const row = expandRow(value);
  return row !== undefined && sourceOf(row.account) !== undefined;
}

interface Found {
  readonly calls: ModelCall[];
  readonly parents: (readonly [string, string])[];
  unread: number;
}

/** Takes the calls of the spans at a path, and returns the object without what was read of them. */
function takenAt(value: JsonObject, [step, ...steps]: readonly string[], found: Found): JsonObject {
  if (step === undefined) return take(value, found);
  const list = value[step];
  if (!Array.isArray(list)) return value;
  const taken = list.map((each: JsonValue): JsonValue =>
    isJsonObject(each) ? takenAt(each, steps, found) : each,
  );
  return { ...value, [step]: taken };
}

function take(span: JsonObject, found: Found): JsonObject {
  const { call, parent, left, unread } = readSpan(span);
  if (call) found.calls.push(call);
  if (parent) found.parents.push(parent);
  found.unread += unread;
  return left;
}
