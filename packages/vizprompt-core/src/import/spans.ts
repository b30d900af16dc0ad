import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { Expanded } from './containers.ts';
import { idOf, isBlank, listAt, objectOf, parseNested } from './fields.ts';

const INPUT = 'gen_ai.input.messages';
const OUTPUT = 'gen_ai.output.messages';
const SYSTEM = 'gen_ai.system_instructions';
const SAID: ReadonlySet<string> = new Set([INPUT, OUTPUT, SYSTEM]);

/** A call of a model. */
interface Call {
  readonly conversation: string;
  readonly start: string;
  readonly model: JsonValue;
  readonly system: JsonValue;
  readonly input: readonly JsonValue[];
  readonly output: readonly JsonValue[];
}

/**
 * Returns the conversations of spans of OpenTelemetry: those of one `gen_ai.conversation.id`, or of one trace, are one. Each
 * call has the messages before it as its input, so that only what is new of it is added.
 *
 * Source: the semantic conventions for generative AI, from version 1.37 on; OTLP in JSON, and what exporters for the console
 * write.
 */
export function expandSpans(entry: JsonObject): Expanded | undefined {
  const spans = spansOf(entry);
  const calls = spans.flatMap(callsOf);
  if (calls.length === 0) return undefined;
  const groups = new Map<string, Call[]>();
  for (const call of calls.toSorted(byStart)) {
    const group = groups.get(call.conversation);
    if (group) group.push(call);
    else groups.set(call.conversation, [call]);
  }
  const conversations = [...groups].map(([id, group]) => conversationOf(id, group));
  const others = spans.map((span) =>
    Object.fromEntries([...attributesIn(span)].filter(([key]) => !SAID.has(key))),
  );
  return { conversations, account: { conversations, spans: others } };
}

/** Checks whether an object holds spans of calls of models: a file of a collector has one on each line. */
export function holdsSpans(entry: JsonObject): boolean {
  return spansOf(entry).some((span) => callsOf(span).length > 0);
}

function byStart(a: Call, b: Call): number {
  // Nanoseconds have as many digits; other times are ISO 8601.
  return a.start < b.start ? -1 : Number(a.start > b.start);
}

/** The lists of OTLP, for spans and for logs. */
const LISTS = [
  ['resourceSpans', 'scopeSpans', 'spans'],
  ['resourceLogs', 'scopeLogs', 'logRecords'],
] as const;

/** Returns spans and records of logs. */
function spansOf(entry: JsonObject): readonly JsonObject[] {
  if (Array.isArray(entry['records'])) {
    return listAt(entry, 'records').filter(isJsonObject).flatMap(spansOf);
  }
  for (const [resources, scopes, spans] of LISTS) {
    if (!Array.isArray(entry[resources])) continue;
    return listAt(entry, resources)
      .flatMap((each) => listAt(objectOf(each), scopes))
      .flatMap((each) => listAt(objectOf(each), spans).filter(isJsonObject));
  }
  return 'attributes' in entry ? [entry] : [];
}

/** Returns the attributes of a span and of its events. */
function attributesIn(span: JsonObject): ReadonlyMap<string, JsonValue> {
  const all = [span, ...listAt(span, 'events').filter(isJsonObject)];
  return new Map(all.flatMap((each) => [...attributesOf(each['attributes'])]));
}

/** The time of a span, and of a record of a log. */
const TIMES = ['startTimeUnixNano', 'start_time', 'startTime', 'timeUnixNano'];

function callsOf(span: JsonObject): Call[] {
  const attributes = attributesIn(span);
  const input = messagesOf(attributes.get(INPUT));
  const output = messagesOf(attributes.get(OUTPUT));
  if (input.length + output.length === 0) return [];
  const context = objectOf(span['context']);
  const trace = span['traceId'] ?? context['trace_id'] ?? context['traceId'] ?? null;
  const start = TIMES.map((name) => span[name]).find((time) => !isBlank(time)) ?? '';
  return [
    {
      conversation: idOf(attributes.get('gen_ai.conversation.id')) ?? idOf(trace) ?? '',
      start: typeof start === 'string' ? start : JSON.stringify(start),
      model:
        attributes.get('gen_ai.response.model') ?? attributes.get('gen_ai.request.model') ?? null,
      system: unpacked(attributes.get(SYSTEM)),
      input,
      output,
    },
  ];
}

/** Reads attributes: an object, or a list of keys with typed values. */
function attributesOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  if (isJsonObject(value)) return Object.entries(value);
  return listAt({ value: value ?? null }, 'value').flatMap((each) => {
    const { key, value: typed } = objectOf(each);
    return typeof key === 'string' ? [[key, plainOf(typed)] as const] : [];
  });
}

/** Returns a value of OTLP without its type. */
function plainOf(typed: JsonValue | undefined): JsonValue {
  const [kind, value] = Object.entries(objectOf(typed))[0] ?? [];
  if (kind === 'arrayValue') return listAt(objectOf(value), 'values').map(plainOf);
  if (kind !== 'kvlistValue') return value ?? null;
  return Object.fromEntries(attributesOf(listAt(objectOf(value), 'values')));
}

function unpacked(value: JsonValue | undefined): JsonValue {
  return typeof value === 'string' ? (parseNested(value) ?? value) : (value ?? null);
}

function messagesOf(value: JsonValue | undefined): readonly JsonValue[] {
  const read = unpacked(value);
  return Array.isArray(read) ? read.map(unpacked).filter(isJsonObject) : [];
}

function conversationOf(id: string, calls: readonly Call[]): JsonObject {
  const messages: JsonValue[] = [];
  const known = new Map<string, number>();
  for (const { input, output, model, start } of calls) {
    const counts = new Map<string, number>();
    for (const [at, message] of [...input, ...output].entries()) {
      // The reason for the end of an answer is no longer there when the answer is an input.
      const { finish_reason: _, ...said } = objectOf(message);
      const text = JSON.stringify(said);
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      if (at < input.length && (known.get(text) ?? 0) >= count) continue;
      known.set(text, (known.get(text) ?? 0) + 1);
      const facts = at < input.length ? {} : { model };
      messages.push({ ...objectOf(message), ...facts, time: timeOf(start) });
    }
  }
  const system = calls.find((call) => call.system !== null)?.system;
  return { ...(id === '' ? {} : { id }), ...(system === undefined ? {} : { system }), messages };
}

/** Milliseconds since 1970 of nanoseconds; other times as they are. */
function timeOf(start: string): JsonValue {
  return /^\d{16,20}$/.test(start) ? Number(start.slice(0, -6)) : start;
}
