import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt, objectAt, objectOf, textAt } from '@vizprompt/providers/internal';
import type { Expanded } from './containers.ts';
import { idAt, isBlank, parseNested } from './fields.ts';
import { isMessage } from './list-messages.ts';
import {
  isDelta,
  isGemini,
  isOllama,
  isStreamEvent,
  type Piece,
  piecesIn,
  type StreamState,
} from './stream-events.ts';

/** The fields that wrap an event in a log. */
const WRAPPERS = ['event', 'data', 'payload', 'message'];

/** Lists of events, by their names. */
const LISTS = ['records', 'events'];

/**
 * Returns a conversation whose answers are in events: the pieces of a message are one again. The other events are kept as
 * they are. Not if there are whole messages among the events: these are the conversation.
 *
 * Source: the streams of Chat Completions, Responses, the Realtime API, Anthropic, Gemini, Ollama and Gemini CLI.
 */
export function fromEvents(entry: JsonObject): Expanded | undefined {
  for (const name of LISTS) {
    const events = listAt(entry, name);
    if (!events.some(isEvent)) continue;
    const read = messagesOf(events);
    if (read === undefined) continue;
    const { [name]: _, ...rest } = entry;
    const { messages, left } = read;
    const others = left.filter(holdsMore);
    const conversation = { ...rest, messages: [...messages], others };
    return { conversations: [conversation], account: { ...conversation, others: [...left] } };
  }
  return undefined;
}

/** Checks whether a value is an event of a stream that begins, ends or adds to a message. */
export function isEvent(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const event = eventIn(value);
  return isStreamEvent(event) || isDelta(event) || isGemini(event) || isOllama(event);
}

/** Checks whether a value is the last piece after another: only that of Gemini says why it ends. */
export function endsStream(value: unknown, before: JsonObject | undefined): value is JsonObject {
  return isJsonObject(value) && before !== undefined && isGemini(before) && 'candidates' in value;
}

/** Returns the event that a line of a log holds. */
function eventIn(line: JsonObject): JsonObject {
  for (const name of WRAPPERS) {
    const held = line[name] ?? null;
    const inner = objectOf(typeof held === 'string' ? parseNested(held) : held);
    if (isStreamEvent(inner)) return inner;
  }
  return line;
}

/** The messages of events, and what else is in them. */
interface ReadEvents {
  readonly messages: readonly JsonValue[];
  readonly left: readonly JsonValue[];
}

function messagesOf(events: readonly JsonValue[]): ReadEvents | undefined {
  const left: JsonValue[] = [];
  const messages = new Map<string, Draft>();
  const rows: (Draft | JsonObject)[] = [];
  const state: StreamState = { open: '', count: 0, isOpen: false };
  for (const each of events) {
    const line = objectOf(each);
    const event = eventIn(line);
    const pieces = piecesIn(event, state);
    if (pieces === undefined) {
      if (isJsonObject(each) && isMessage(each) && !isEvent(each)) {
        const role = line['role'] ?? line['type'];
        // A message between events, such as the question before a stream.
        if (role === undefined) return undefined;
        rows.push(line);
      } else left.push(each);
      continue;
    }
    for (const piece of pieces) {
      let draft = messages.get(piece.id);
      if (!draft) {
        draft = new Draft(line === event ? {} : without(line, event));
        messages.set(piece.id, draft);
        rows.push(draft);
      }
      draft.add(piece);
    }
    left.push(...(pieces.length === 0 ? [each] : pieces.map((piece) => piece.left ?? null)));
  }
  const read = rows.map((row) => (row instanceof Draft ? row.message() : row));
  return { messages: read, left };
}

/** Returns the fields of a line of a log next to its event. */
function without(line: JsonObject, event: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(line).filter(([name, value]) => value !== event && !WRAPPERS.includes(name)),
  );
}

/** A message of which pieces are added. */
class Draft {
  readonly #about: JsonObject;
  #whole: JsonObject = {};
  readonly #texts = new Map<string, string>();
  readonly #calls = new Map<string, JsonObject>();

  constructor(about: JsonObject) {
    this.#about = about;
  }

  add({ whole = {}, added = {}, said = {}, calls = [] }: Piece): void {
    const known = this.#whole;
    // The final text replaces what was said so far, unless it is empty.
    const fields = Object.entries(whole).filter(
      ([name, value]) => !isBlank(value) || !(name in known),
    );
    this.#whole = { ...known, ...Object.fromEntries(fields) };
    for (const [name, text] of Object.entries(added))
      this.#texts.set(name, (this.#texts.get(name) ?? '') + text);
    for (const [name, text] of Object.entries(said)) this.#texts.set(name, text);
    for (const call of calls) this.#addCall(call);
  }

  #addCall(call: JsonObject): void {
    const place = idAt(call, 'index') ?? idAt(call, 'id') ?? '';
    const known = this.#calls.get(place) ?? {};
    const { function: own, ...rest } = call;
    const before = objectAt(known, 'function');
    const name = textAt(objectOf(own), 'name') ?? textAt(before, 'name') ?? '';
    const args = (textAt(before, 'arguments') ?? '') + (textAt(objectOf(own), 'arguments') ?? '');
    this.#calls.set(place, { ...known, ...rest, function: { name, arguments: args } });
  }

  message(): JsonObject {
    const texts = Object.fromEntries(this.#texts);
    const isSaid = holdsText(this.#whole['content']);
    const { content, ...others } = texts;
    const own = isSaid || content === undefined ? {} : { content };
    const calls = this.#calls.size > 0 ? { tool_calls: [...this.#calls.values()] } : {};
    const role = 'role' in this.#whole || isCallItem(this.#whole) ? {} : { role: 'assistant' };
    return { ...this.#about, ...others, ...role, ...this.#whole, ...own, ...calls };
  }
}

function isCallItem({ type }: JsonObject): boolean {
  return typeof type === 'string' && type !== 'message';
}

/** Checks whether a content says something. */
function holdsText(content: JsonValue | undefined): boolean {
  if (typeof content === 'string') return content !== '';
  return (
    Array.isArray(content) &&
    content.some((each: JsonValue) => {
      const { text = null, transcript = null, thinking = null, type } = objectOf(each);
      return ![text, transcript, thinking].every(isBlank) || type === 'tool_use';
    })
  );
}

/** Fields of events that only say where their texts belong, or how they were made. */
const ENVELOPE: ReadonlySet<string> = new Set(
  (
    'id object type index role model created created_at system_fingerprint service_tier event_id item_id response_id ' +
    'output_index content_index summary_index sequence_number obfuscation logprobs finish_reason modelVersion responseId'
  ).split(' '),
);

/** Checks whether an event holds more than the place of its texts. */
function holdsMore(event: JsonValue): boolean {
  const isMore = (value: JsonValue): boolean => {
    if (Array.isArray(value)) return value.some(isMore);
    if (isJsonObject(value)) return holdsMore(value);
    return typeof value === 'string' && value !== '';
  };
  return Object.entries(objectOf(event)).some(
    ([name, value]) => !ENVELOPE.has(name) && isMore(value),
  );
}

/** The fields of a stream of events. */
const FIELD = /^(?:data|event|id|retry|):/;

/** Checks whether a text may be a stream of events, by its beginning. */
export function isServerEvents(start: string): boolean {
  return /^\s*(?:event: ?[a-z_.]{1,80}\r?\n|data: ?[[{]|: )/.test(start);
}

/**
 * Returns the events of a text that was streamed as server-sent events; `undefined` if it is none, or any data in it is no
 * JSON.
 */
export function readServerEvents(text: string): JsonObject | undefined {
  if (!FIELD.test(text.trimStart())) return undefined;
  const records: JsonValue[] = [];
  for (const block of text.replaceAll(/\r\n?/g, '\n').split('\n')) {
    const line = block.trim();
    if (!line.startsWith('data:')) {
      if (line !== '' && !FIELD.test(line)) return undefined;
      continue;
    }
    const data = line.slice('data:'.length).trim();
    if (data === '' || data === '[DONE]') continue;
    const value = parseNested(data);
    if (value === undefined) return undefined;
    records.push(value);
  }
  return records.some(isEvent) ? { records } : undefined;
}
