import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt, objectAt, objectOf, textAt } from '@vizprompt/providers/internal';
import type { Expanded } from './containers.ts';
import { idAt, isBlank, parseNested } from './fields.ts';
import { isMessage } from './list-messages.ts';
import { knownRole } from './spellings.ts';
import { holdsTalk } from './steps.ts';
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
 * they are. Not if there are whole messages next to the events: these are the conversation.
 *
 * Source: the streams of Chat Completions, Responses, the Realtime API, Anthropic, Gemini, Ollama and Gemini CLI.
 */
export function fromEvents(entry: JsonObject): Expanded | undefined {
  for (const name of LISTS) {
    const events = listAt(entry, name);
    if (!events.some(isEvent)) continue;
    const read = messagesOf(events);
    if (read === undefined) continue;
    const { [name]: _, others = null, ...rest } = entry;
    if (holdsTalk(rest)) continue;
    const { messages, left } = read;
    const conversation = { ...rest, messages: [...messages] };
    return {
      conversations: [{ ...conversation, others: [others, ...left.filter(holdsMore)] }],
      account: { ...conversation, others: [others, ...left] },
    };
  }
  return undefined;
}

/** Checks whether a value is an event of a stream that begins, ends or adds to a message. */
export function isEvent(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { event } = unwrapped(value);
  return isStreamEvent(event) || isDelta(event) || isGemini(event) || isOllama(event);
}

/** Checks whether a value is the last piece after another: only that of Gemini says why it ends. */
export function endsStream(value: unknown, before: JsonObject | undefined): value is JsonObject {
  return isJsonObject(value) && before !== undefined && isGemini(before) && 'candidates' in value;
}

/** Returns the event that a line of a log holds, and the other fields of the line. */
function unwrapped(line: JsonObject): { readonly event: JsonObject; about: JsonObject } {
  for (const name of WRAPPERS) {
    const { [name]: held = null, ...about } = line;
    const event = objectOf(typeof held === 'string' ? parseNested(held) : held);
    if (isStreamEvent(event)) return { event, about };
  }
  return { event: line, about: {} };
}

/** Parts the fields of a line into those of a message, and wrappers. */
function parted(line: JsonObject): { readonly own: JsonObject; readonly others: JsonObject } {
  const fields = Object.entries(line);
  return {
    own: Object.fromEntries(fields.filter(([name]) => !WRAPPERS.includes(name))),
    others: Object.fromEntries(fields.filter(([name]) => WRAPPERS.includes(name))),
  };
}

/** The messages of events, and what else is in them. */
interface ReadEvents {
  readonly messages: readonly JsonValue[];
  readonly left: readonly JsonValue[];
}

/** Matches the type of an event after which ids of messages may be those of others again. */
const BEGINS = /^(?:thread|turn|session)\.(?:started|created)$/;

function messagesOf(events: readonly JsonValue[]): ReadEvents | undefined {
  const left: JsonValue[] = [];
  const drafts = new Map<string, Draft>();
  const rows: (Draft | JsonObject)[] = [];
  const state: StreamState = { open: '', count: 0, isOpen: false };
  for (const each of events) {
    const line = objectOf(each);
    let { event, about } = unwrapped(line);
    const pieces = piecesIn(event, state) ?? [];
    if (pieces.length > 0) {
      for (const piece of pieces) {
        left.push(piece.left ?? null);
        const known = drafts.get(piece.id);
        if (known) known.add(piece);
        else if (saysMore(piece)) {
          // A wrapper that holds something else is no field of the message.
          const { own, others } = parted(about);
          const draft = new Draft(own, piece);
          drafts.set(piece.id, draft);
          rows.push(draft);
          about = others;
        } else left.push(piece.whole ?? null);
      }
      left.push(about);
    } else if (isMessage(each) && !isEvent(each)) {
      // A message between events, such as the question before a stream.
      const speaker = line['role'] ?? line['type'];
      if (speaker === undefined) return undefined;
      // An answer after its pieces is the same in whole.
      if (knownRole(speaker) === 'assistant') {
        for (let last = rows.at(-1); last instanceof Draft; last = rows.at(-1)) {
          left.push(last.message());
          rows.pop();
        }
      }
      drafts.clear();
      rows.push(line);
    } else {
      if (BEGINS.test(textAt(line, 'type') ?? '')) drafts.clear();
      left.push(each);
    }
  }
  if (rows.length === 0) return undefined;
  const read = rows.map((row) => (row instanceof Draft ? row.message() : row));
  return { messages: read, left };
}

/** Checks whether a piece of a message that is not known yet says who speaks, or anything. */
function saysMore({ whole = {}, added = {}, said = {}, calls = [] }: Piece): boolean {
  const texts = [...Object.values(added), ...Object.values(said)];
  return 'role' in whole || 'type' in whole || calls.length > 0 || !texts.every(isBlank);
}

/** A message of which pieces are added. */
class Draft {
  readonly #about: JsonObject;
  #whole: JsonObject = {};
  /** Texts by their parts, by their fields. */
  readonly #texts = new Map<string, Map<string, string>>();
  readonly #calls = new Map<string, JsonObject>();

  constructor(about: JsonObject, first: Piece) {
    this.#about = about;
    this.add(first);
  }

  add({ whole = {}, added = {}, said = {}, part = '', calls = [] }: Piece): void {
    const known = this.#whole;
    // The final text replaces what was said so far, unless it is empty.
    const fields = Object.entries(whole).filter(
      ([name, value]) => !isBlank(value) || !(name in known),
    );
    this.#whole = { ...known, ...Object.fromEntries(fields) };
    for (const [name, text] of Object.entries(added)) {
      const parts = this.#partsOf(name);
      parts.set(part, (parts.get(part) ?? '') + text);
    }
    for (const [name, text] of Object.entries(said)) this.#partsOf(name).set(part, text);
    for (const call of calls) this.#addCall(call);
  }

  #partsOf(name: string): Map<string, string> {
    const parts = this.#texts.get(name) ?? new Map<string, string>();
    this.#texts.set(name, parts);
    return parts;
  }

  #addCall(call: JsonObject): void {
    const place = idAt(call, 'index') ?? idAt(call, 'id') ?? '';
    const known = this.#calls.get(place) ?? {};
    const { function: own = null, ...rest } = call;
    const { name = null, arguments: given = null, ...more } = objectOf(own);
    const { name: named = '', ...about } = objectAt(known, 'function');
    const before = textAt(about, 'arguments') ?? '';
    const other = isBlank(given) ? '' : JSON.stringify(given);
    const piece = typeof given === 'string' ? given : other;
    this.#calls.set(place, {
      ...known,
      // Later pieces may repeat the fields of the first one as empty.
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => !isBlank(value))),
      function: {
        ...about,
        ...more,
        name: isBlank(name) ? named : name,
        arguments: before + piece,
      },
    });
  }

  message(): JsonObject {
    const { content, ...others } = Object.fromEntries(
      Array.from(this.#texts, ([name, parts]) => [name, [...parts.values()].join('\n\n')]),
    );
    const isSaid = holdsText(this.#whole['content']);
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
