import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt, objectOf } from '@vizprompt/providers/internal';
import { isExchange } from './alternatives.ts';
import { expandRow } from './containers.ts';
import { firstTime, idOf, isBlank, parseNested, spelled } from './fields.ts';
import { isMessage } from './list-messages.ts';
import { conversationsOf, type ModelCall } from './model-calls.ts';
import { withRoles } from './plain-rows.ts';
import { isConversation, sourceOf } from './sources.ts';
import { inGenAi, INPUT, isEventName, OUTPUT, SYSTEM } from './span-conventions.ts';

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

const SAID: ReadonlySet<string> = new Set([INPUT, OUTPUT, SYSTEM]);

/** The content of a span, or of a record of a log. */
interface ReadSpan {
  readonly call?: ModelCall;
  /** The ids of the span and of its parent. */
  readonly parent?: readonly [string, string];
  /** The span without what was read of it; its attributes by their names. */
  readonly left: JsonObject;
  /** The number of attributes that should hold messages, and cannot be read. */
  readonly unread: number;
}

/** Reads a span: its messages are among its attributes, or among those of its events. */
function readSpan(given: JsonObject): ReadSpan {
  const span = translated(given);
  const events = listAt(span, 'events');
  const sources = [span, ...events.filter(isJsonObject)].map((each) => attributesOf(each));
  const facts = new Map(sources.flatMap((each) => [...each]));
  const holder = (name: string): Attributes | undefined =>
    sources.findLast((each) => messagesIn(each.get(name)).length > 0);
  const [asked, answered] = [holder(INPUT), holder(OUTPUT)];
  const context = objectOf(span['context']);
  const trace = spanIdOf(
    span['traceId'] ?? span['trace_id'] ?? context['trace_id'] ?? context['traceId'],
  );
  const id = spanIdOf(
    span['spanId'] ?? span['span_id'] ?? context['span_id'] ?? context['spanId'] ?? span['id'],
  );
  const above = spanIdOf(
    span['parentSpanId'] ??
      span['parent_span_id'] ??
      span['parentId'] ??
      span['parent_id'] ??
      objectOf(span['parentSpanContext'])['spanId'],
  );
  const keyOf = (each: string): string => JSON.stringify([trace ?? '', each]);
  const isCall = asked !== undefined || answered !== undefined;
  const system = isCall ? sources.findLast((each) => !isBlank(each.get(SYSTEM))) : undefined;
  const read = new Map([
    [INPUT, asked],
    [OUTPUT, answered],
    [SYSTEM, system],
  ]);
  let unread = 0;
  const leftOf = (each: JsonObject, attributes: Attributes | undefined): JsonObject => {
    if (attributes === undefined || attributes.size === 0) return each;
    const own = attributesLeft(each['attributes'], (name, value) => {
      if (!SAID.has(name)) return undefined;
      if (read.get(name) === attributes) return name === SYSTEM ? [] : othersIn(value);
      const isCutOff = name !== SYSTEM && !isBlank(value) && messagesIn(value).length === 0;
      if (isCutOff && !isEmptyList(value)) unread++;
      return unpacked(value);
    });
    return { ...each, attributes: own };
  };
  let at = 0;
  const left =
    events.length === 0
      ? span
      : {
          ...span,
          events: events.map((each): JsonValue =>
            isJsonObject(each) ? leftOf(each, sources[++at]) : each,
          ),
        };
  const own = leftOf(left, sources[0]);
  const parent =
    id === undefined || above === undefined ? {} : { parent: [keyOf(id), keyOf(above)] as const };
  if (!isCall) return { ...parent, left: own, unread };
  const call: ModelCall = {
    conversation: idOf(facts.get('gen_ai.conversation.id')) ?? trace,
    span: id === undefined ? undefined : keyOf(id),
    isAgent: facts.get('gen_ai.operation.name') === 'invoke_agent',
    time: timeOf(span),
    model: facts.get('gen_ai.response.model') ?? facts.get('gen_ai.request.model') ?? null,
    system: unpacked(system?.get(SYSTEM)),
    input: messagesIn(asked?.get(INPUT)),
    output: messagesIn(answered?.get(OUTPUT)),
  };
  return { call, ...parent, left: own, unread };
}

/** Returns a span with the messages of other conventions in the attributes that are read; the same if it has none. */
function translated(span: JsonObject): JsonObject {
  const own = attributesOf(span);
  const name = span['eventName'] ?? span['event_name'] ?? own.get('event.name');
  if (isEventName(name)) {
    // A record of a log is an event of its own.
    const { body, eventName: _, event_name: __, attributes: ___, ...rest } = span;
    const said = isJsonObject(body) && 'kvlistValue' in body ? plainOf(body) : (body ?? null);
    const event = { name: name ?? null, attributes: Object.fromEntries(own), body: said };
    return { ...rest, attributes: Object.fromEntries(inGenAi(new Map(), [event]).attributes) };
  }
  const events = listAt(span, 'events');
  const read = inGenAi(own, events);
  if (read.attributes === own) return span;
  const attributes = Object.fromEntries(read.attributes);
  return { ...span, attributes, ...(events.length > 0 ? { events: [...read.events] } : {}) };
}

/** Returns the id of a trace or a span; one of zeros, in hex or in base64, is none. */
function spanIdOf(value: JsonValue | undefined): string | undefined {
  const id = idOf(value);
  return id !== undefined && /^(?:(?:0x)?0{8}[0-]*|A{11}=|A{22}==)$/.test(id) ? undefined : id;
}

type Attributes = ReadonlyMap<string, JsonValue>;

/** Reads attributes: an object, or a list of keys with typed values. */
function attributesOf({ attributes }: JsonObject): Attributes {
  if (isJsonObject(attributes)) return new Map(Object.entries(attributes));
  return new Map(namedIn(attributes));
}

function namedIn(list: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return listAt({ list: list ?? null }, 'list').flatMap((each) => {
    const { key, value: typed } = objectOf(each);
    return typeof key === 'string' ? [[key, plainOf(typed)] as const] : [];
  });
}

/** Returns a value of OTLP without its type. */
function plainOf(typed: JsonValue | undefined): JsonValue {
  const [kind, value] = Object.entries(objectOf(typed))[0] ?? [];
  if (kind === 'arrayValue') return listAt(objectOf(value), 'values').map(plainOf);
  if (kind !== 'kvlistValue') return value ?? null;
  return Object.fromEntries(namedIn(listAt(objectOf(value), 'values')));
}

/**
 * Returns attributes as they came, by their names, so that the paths of their texts have the names.
 *
 * @param change - Returns the rest of one; `undefined`: all of it.
 */
function attributesLeft(
  attributes: JsonValue | undefined,
  change: (name: string, value: JsonValue) => JsonValue | undefined,
): JsonValue {
  if (isJsonObject(attributes)) {
    return Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, change(name, value) ?? value]),
    );
  }
  const named = new Map<string, JsonValue>();
  const others: JsonValue[] = [];
  for (const each of listAt({ list: attributes ?? null }, 'list').toReversed()) {
    const { key, ...rest } = objectOf(each);
    // The later one of two with one name was read.
    if (typeof key !== 'string' || named.has(key)) others.push(each);
    else named.set(key, change(key, plainOf(rest['value'])) ?? rest);
  }
  const byName = Object.fromEntries([...named].toReversed());
  return others.length > 0 ? [byName, ...others.toReversed()] : byName;
}

function unpacked(value: JsonValue | undefined): JsonValue {
  return typeof value === 'string' ? (parseNested(value) ?? value) : (value ?? null);
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  const read = unpacked(value);
  return Array.isArray(read) ? read.map(unpacked) : [];
}

function messagesIn(value: JsonValue | undefined): readonly JsonObject[] {
  return listIn(value).filter(isJsonObject);
}

/** Returns the entries of a list of messages that are no objects. */
function othersIn(value: JsonValue): JsonValue {
  return listIn(value).filter((each) => !isJsonObject(each));
}

function isEmptyList(value: JsonValue): boolean {
  const read = unpacked(value);
  return Array.isArray(read) && read.length === 0;
}

/** The times of a span and of a record of a log, the beginning first; names are squashed. */
const TIMES = [
  'starttimeunixnano',
  'starttime',
  'timeunixnano',
  'timestamp',
  'observedtimeunixnano',
  'observedtimestamp',
];

/** Returns when a span began, as ISO 8601. */
function timeOf(span: JsonObject): string | undefined {
  const fields = [...spelled(span)].map(([name, value]): readonly [string, JsonValue] => {
    // The times of OpenTelemetry for JavaScript are pairs of seconds and nanoseconds.
    const [seconds, nanos] = Array.isArray(value) ? value : [];
    const isPair = typeof seconds === 'number' && typeof nanos === 'number';
    return [name, isPair ? seconds + nanos / 1e9 : value];
  });
  return firstTime(new Map(fields), TIMES);
}
