import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt, objectAt, objectOf, textAt } from '@vizprompt/providers/internal';
import { idAt, isBlank } from './fields.ts';

/** The part of a message that an event of a stream holds. */
export interface Piece {
  /** The message that it belongs to. */
  readonly id: string;
  /** The message as it is so far, or in the end. */
  readonly whole?: JsonObject;
  /** A piece of a text, by the field that it is added to. */
  readonly added?: Readonly<Record<string, string>>;
  /** The whole of a text, by its field: pieces of it are replaced. */
  readonly said?: Readonly<Record<string, string>>;
  /** The part of the message that its texts are of, where a message has several. */
  readonly part?: string;
  /** Pieces of calls of tools, by their places. */
  readonly calls?: readonly JsonObject[];
  /** The event without what was read of it, where anything else in it may matter. */
  readonly left?: JsonObject;
}

/** Reads an event of one API: its pieces, or `undefined` if it is none. */
type EventReader = (event: JsonObject, state: StreamState) => readonly Piece[] | undefined;

/** The state that the events before one leave. */
export interface StreamState {
  /** The id of the message that is being written. */
  open: string;
  /** The number of messages without an id. */
  count: number;
  /** `true`: a message is being written. */
  isOpen: boolean;
}

const READERS: readonly EventReader[] = [
  readCompletion,
  readAnthropic,
  readOpenAi,
  readGemini,
  readOllama,
  readDelta,
];

/** Returns the pieces of an event by the API that it is of; `undefined` if it is of none. */
export function piecesIn(event: JsonObject, state: StreamState): readonly Piece[] | undefined {
  for (const reader of READERS) {
    const pieces = reader(event, state);
    if (pieces !== undefined) return pieces;
  }
  return undefined;
}

/** Checks whether an event is one of a stream, whatever wraps it. */
export function isStreamEvent(event: JsonObject): boolean {
  const { type = null } = event;
  return isPiece(event) || isOpenAi(type) || ANTHROPIC.has(type);
}

/** Checks whether an object is a piece of a completion. */
function isPiece(event: JsonObject): boolean {
  return listAt(event, 'choices').some((choice) => isJsonObject(objectOf(choice)['delta']));
}

/** The texts of an object by the fields of a message that they are added to, and the rest of the object. */
function textsIn(
  object: JsonObject,
  names: Readonly<Record<string, string>>,
): { readonly texts: Record<string, string>; readonly rest: JsonObject } {
  const texts: Record<string, string> = {};
  const rest = Object.entries(object).filter(([name, value]) => {
    const field = Object.hasOwn(names, name) ? names[name] : undefined;
    if (field === undefined || typeof value !== 'string') return true;
    if (value !== '') texts[field] = (texts[field] ?? '') + value;
    return false;
  });
  return { texts, rest: Object.fromEntries(rest) };
}

/** Returns the calls of tools in a message, and what else is in their place. */
function callsIn(value: JsonValue | undefined): {
  readonly calls: readonly JsonObject[];
  readonly rest: JsonValue;
} {
  if (!Array.isArray(value)) return { calls: [], rest: value ?? null };
  const list: readonly JsonValue[] = value;
  return {
    calls: list.filter(isJsonObject),
    rest: list.filter((each) => !isJsonObject(each)),
  };
}

const DELTA_FIELDS = {
  content: 'content',
  refusal: 'content',
  reasoning_content: 'reasoning',
  reasoning: 'reasoning',
};

function readCompletion(event: JsonObject, state: StreamState): readonly Piece[] | undefined {
  const { choices, ...about } = event;
  if (!isPiece(event)) {
    // The last one has the usage alone.
    return about['object'] === 'chat.completion.chunk' ? [] : undefined;
  }
  const own = idAt(event, 'id') ?? (state.isOpen ? state.open : `stream ${++state.count}`);
  state.open = own;
  const { model = null } = about;
  return listAt({ choices: choices ?? null }, 'choices').map((choice, at): Piece => {
    const { delta, index = 0, finish_reason: reason = null, ...more } = objectOf(choice);
    const { texts: added, rest } = textsIn(objectOf(delta), DELTA_FIELDS);
    const { tool_calls: called, ...said } = rest;
    const { calls, rest: others } = callsIn(called);
    state.isOpen = isBlank(reason);
    return {
      id: `${own}/${JSON.stringify(index)}`,
      whole: { id: own, model },
      added,
      calls,
      left: {
        ...(at === 0 ? about : {}),
        finish_reason: reason,
        ...more,
        ...said,
        tool_calls: others,
        choice: isJsonObject(choice) ? null : choice,
      },
    };
  });
}

/** The events of Anthropic. */
const ANTHROPIC: ReadonlySet<JsonValue> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
]);

function readAnthropic(event: JsonObject, state: StreamState): readonly Piece[] | undefined {
  const { type = null, index = 0 } = event;
  if (!ANTHROPIC.has(type)) return undefined;
  if (type === 'message_start') {
    const message = objectAt(event, 'message');
    state.open = idAt(message, 'id') ?? `stream ${++state.count}`;
    return [{ id: state.open, whole: message, left: { ...event, message: null } }];
  }
  const { open: id } = state;
  const held =
    type === 'content_block_start' ? objectAt(event, 'content_block') : objectAt(event, 'delta');
  const { texts: added, rest } = textsIn(held, { text: 'content', thinking: 'reasoning' });
  const { partial_json: args, ...others } = rest;
  const calls = typeof args === 'string' ? [{ index, function: { arguments: args } }] : [];
  if (type === 'content_block_start' && (textAt(held, 'type') ?? '').endsWith('tool_use')) {
    const { name = null, id: callId = null, input = null, ...more } = others;
    const call = { index, id: callId, type: 'function', function: { name, arguments: '' } };
    return [{ id, calls: [call], left: { ...event, content_block: { ...more, input } } }];
  }
  const { content_block: _, delta: __, usage = null, ...about } = event;
  const left = { ...about, held: others };
  return [{ id, added, calls, ...(usage === null ? {} : { whole: { usage } }), left }];
}

/** Matches the type of an event with a message of Responses, of the Realtime API, or of `codex exec`. */
const OPENAI =
  /^(?:(?:response|conversation\.item)\.[a-z_.]{1,80}|item\.(?:started|updated|completed))$/;

function isOpenAi(type: JsonValue | undefined): boolean {
  return typeof type === 'string' && OPENAI.test(type);
}

/** The fields that a text of an event is of, by the word before the end of its type. */
const OPENAI_FIELDS: readonly (readonly [RegExp, string])[] = [
  [/\.function_call_arguments\.|\.mcp_call_arguments\./, 'arguments'],
  [/\.reasoning(?:_summary)?(?:_text)?\./, 'reasoning'],
  [/(?:text|transcript|transcription|refusal)\.(?:delta|done|completed)$/, 'content'],
];

function readOpenAi(event: JsonObject, state: StreamState): readonly Piece[] | undefined {
  const { type } = event;
  if (typeof type !== 'string' || !OPENAI.test(type)) return undefined;
  if (isJsonObject(event['item'])) {
    return [{ ...pieceOfItem(event['item'], state), left: { ...event, item: null } }];
  }
  const response = objectAt(event, 'response');
  if (Array.isArray(response['output'])) {
    const { output, ...about } = response;
    const { model = null } = about;
    const items = listAt({ output }, 'output').filter(isJsonObject);
    const pieces = items.map((item) => pieceOfItem({ model, ...item }, state));
    return pieces.map((piece, at) =>
      at === 0 ? { ...piece, left: { type, response: about } } : piece,
    );
  }
  const id = idAt(event, 'item_id');
  const field = OPENAI_FIELDS.find(([pattern]) => pattern.test(type))?.[1];
  if (id === undefined || field === undefined) return [];
  const role = type.includes('input_audio') ? { whole: { role: 'user' } } : {};
  const { texts: added, rest } = textsIn(event, { delta: field });
  const names = { text: field, transcript: field, arguments: field, refusal: field };
  const { texts: said, rest: left } = textsIn(rest, names);
  const part = idAt(event, 'content_index') ?? idAt(event, 'summary_index') ?? '';
  return [{ id, ...role, added, said, part, left }];
}

function pieceOfItem(item: JsonObject, state: StreamState): Piece {
  return { id: idAt(item, 'id') ?? `item ${++state.count}`, whole: item };
}

/** Checks whether an event is a piece of an answer of Gemini: only the last one says why it ends. */
export function isGemini(event: JsonObject): boolean {
  const candidates = listAt(event, 'candidates').map(objectOf);
  const isWhole = 'contents' in event || 'messages' in event;
  return (
    !isWhole &&
    candidates.some((each) => isJsonObject(each['content']) && isBlank(each['finishReason']))
  );
}

const PLAIN: ReadonlySet<string> = new Set(['text', 'thought', 'thoughtSignature']);

function readGemini(event: JsonObject, state: StreamState): readonly Piece[] | undefined {
  const [first] = listAt(event, 'candidates').filter(isJsonObject);
  const content = objectOf(first?.['content']);
  const parts = listAt(content, 'parts').filter(isJsonObject);
  if (!first || (!isGemini(event) && !state.isOpen)) return undefined;
  if (!state.isOpen) state.open = `stream ${++state.count}`;
  state.isOpen = isBlank(first['finishReason']);
  const model = event['modelVersion'] ?? null;
  const left = {
    ...event,
    candidates: listAt(event, 'candidates').slice(1),
    first: { ...first, content: { ...content, parts: null } },
  };
  // Calls and files are messages of their own between the texts.
  const isPlain = parts.every(
    (part) => typeof part['text'] === 'string' && Object.keys(part).every((key) => PLAIN.has(key)),
  );
  if (!isPlain || parts.length === 0) {
    const id = `stream ${++state.count}`;
    state.open = `stream ${++state.count}`;
    return [{ id, whole: { ...content, role: 'model', model }, left }];
  }
  const added = { content: '', reasoning: '' };
  for (const part of parts)
    added[part['thought'] === true ? 'reasoning' : 'content'] += textAt(part, 'text') ?? '';
  const signatures = parts.map((part) => part['thoughtSignature'] ?? null);
  return [
    { id: state.open, whole: { role: 'model', model }, added, left: { ...left, signatures } },
  ];
}

/** Checks whether an event is a piece of an answer of Ollama, and not the last one. */
export function isOllama(event: JsonObject): boolean {
  return event['done'] === false && isOfOllama(event);
}

function isOfOllama({ model, created_at: time, message, response }: JsonObject): boolean {
  const isSaid = isJsonObject(message) || typeof response === 'string';
  return isSaid && typeof model === 'string' && typeof time === 'string';
}

function readOllama(event: JsonObject, state: StreamState): readonly Piece[] | undefined {
  const { done, ...fields } = event;
  if (typeof done !== 'boolean' || (done && !state.isOpen) || !isOfOllama(event)) return undefined;
  const field = isJsonObject(event['message']) ? 'message' : 'response';
  const { [field]: held = null, ...about } = fields;
  if (!state.isOpen) state.open = `stream ${++state.count}`;
  state.isOpen = !done;
  const said = isJsonObject(held) ? held : { content: held };
  const { texts: added, rest } = textsIn(said, { content: 'content', thinking: 'reasoning' });
  const { tool_calls: called, ...more } = rest;
  const { calls, rest: others } = callsIn(called);
  const whole = { ...about, ...more };
  return [
    {
      id: state.open,
      whole,
      added,
      // Each call comes in one piece.
      calls: calls.map((call) => ({ ...call, index: ++state.count })),
      left: { ...whole, tool_calls: others },
    },
  ];
}

/** Checks whether an event is a piece of a message of Gemini CLI. */
export function isDelta({ type, delta }: JsonObject): boolean {
  return type === 'message' && delta === true;
}

function readDelta(event: JsonObject, state: StreamState): readonly Piece[] | undefined {
  if (!isDelta(event)) {
    state.isOpen = false;
    return undefined;
  }
  const { texts: added, rest } = textsIn(event, { content: 'content' });
  const { delta: _, ...about } = rest;
  const speaker = JSON.stringify(about['role'] ?? null);
  if (!state.isOpen || !state.open.endsWith(` ${speaker}`))
    state.open = `stream ${++state.count} ${speaker}`;
  state.isOpen = true;
  return [{ id: state.open, whole: about, added, left: about }];
}
