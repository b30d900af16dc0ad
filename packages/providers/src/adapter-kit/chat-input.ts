import { fieldsOf, isRecord, listOf as itemsOf } from '../json/fields.ts';
import type { ChatEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { isRole, textMessage, type Message, type Part, type Role } from '../models/message.ts';
import type { ChatInput, ChatRequest, Timeouts } from '../models/request.ts';
import { invalidInput, readContentMessage } from './content-message.ts';
import { checkArgument, checkOptions } from './check-options.ts';
import { EFFORTS } from './effort.ts';
import {
  AMOUNT,
  ANYTHING,
  either,
  having,
  type Kinds,
  listOf,
  NUMBER,
  OBJECT,
  objectOf,
  oneOf,
  optional,
  SIGNAL,
  TEXTS,
} from '../input/kinds.ts';

const TYPES: Readonly<Record<Part['type'], true>> = {
  text: true,
  reasoning: true,
  file: true,
  'tool-call': true,
  'tool-result': true,
  source: true,
};

/** A request as it may come from plain JavaScript; its messages are checked where they are read. */
type GivenRequest = Omit<ChatRequest, 'messages'> & {
  readonly prompt?: unknown;
  readonly messages?: unknown;
};

/** The members of a request: a limit of the wrong kind would be no limit, unnoticed. */
const REQUEST: Kinds<GivenRequest> = {
  prompt: ANYTHING,
  messages: ANYTHING,
  tools: optional(listOf('tools', having('a tool', 'name'))),
  toolChoice: optional(either(oneOf('auto', 'none', 'required'), having('{ tool }', 'tool'))),
  output: optional(having("{ type: 'text' } or { type: 'json' }", 'type')),
  maxOutputTokens: optional(NUMBER),
  temperature: optional(NUMBER),
  topP: optional(NUMBER),
  topK: optional(NUMBER),
  stop: optional(TEXTS),
  seed: optional(NUMBER),
  reasoning: optional(oneOf('default', ...EFFORTS)),
  signal: optional(SIGNAL),
  timeout: optional(
    objectOf<Timeouts>(
      { totalMs: optional(AMOUNT), firstByteMs: optional(AMOUNT), idleMs: optional(AMOUNT) },
      'an object such as { totalMs: 60_000 }',
    ),
  ),
  headers: optional(OBJECT),
  providerOptions: optional(OBJECT),
};
const ASKED = { ...OBJECT, expected: "a string, or an object such as { prompt: '…' }" };

/**
 * Reads what a model is asked: a text alone, a `prompt`, and messages in the forms of other SDKs become messages with
 * parts. A request that has such messages already is returned as it is.
 *
 * @throws LLMError with the code `invalid_request`, which names the place and shows the line that is right.
 */
export function readChatInput(input: ChatInput): ChatRequest {
  if (typeof input === 'string') return { messages: [textMessage('user', input)] };
  checkArgument('the request', input, ASKED);
  const request = withoutNull(input);
  checkOptions<GivenRequest>('the request', request, REQUEST);
  if (isChatRequest(request)) return request;
  const { prompt, messages, ...rest } = request;
  if (prompt === undefined) return { ...rest, messages: readMessages(messages) };
  if (typeof prompt !== 'string') throw invalidInput('prompt', 'a string', prompt);
  const before = messages === undefined ? [] : readMessages(messages);
  return { ...rest, messages: [...before, textMessage('user', prompt)] };
}

type GivenObject = Exclude<ChatInput, string>;

/** Returns a request of plain JavaScript as the types have it: `null` is not set, and one text to stop at is a list. */
function withoutNull(given: GivenObject): GivenObject {
  const fields = fieldsOf(given);
  // An instance of a class has members that are not its own, such as getters.
  const inherited = Object.keys(REQUEST).filter((name) => name in fields);
  const names = [...new Set([...Object.keys(fields), ...inherited])];
  const isSet = (name: string): boolean =>
    fields[name] !== null || name === 'prompt' || name === 'messages';
  const { stop } = fields;
  if (typeof stop !== 'string' && names.every(isSet)) return given;
  const entries = names.filter(isSet).map((name) => [name, fields[name]] as const);
  const stops = typeof stop === 'string' ? [['stop', [stop]] as const] : [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- members that may be absent are
  return Object.fromEntries([...entries, ...stops]) as GivenObject;
}

/**
 * Reads the messages of a request.
 *
 * @throws LLMError as {@link readChatInput} does.
 */
export function readMessages(messages: unknown): readonly Message[] {
  if (isMessages(messages)) return messages;
  if (typeof messages === 'string') return [textMessage('user', messages)];
  if (!Array.isArray(messages)) {
    throw invalidInput('messages', 'a list of messages, or a string as prompt', messages);
  }
  const read: Message[] = [];
  for (const [at, message] of itemsOf(messages).entries())
    read.push(readMessage(message, at, read));
  return read;
}

/** Opens a stream for what was asked; what is wrong with that is thrown while it is read. */
export function streamInput(
  input: ChatInput,
  open: (request: ChatRequest) => AsyncIterable<ChatEvent>,
): AsyncIterable<ChatEvent> {
  try {
    return open(readChatInput(input));
  } catch (error) {
    return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(asError(error)) }) };
  }
}

function asError(error: unknown): LLMError {
  if (LLMError.isInstance(error)) return error;
  return new LLMError('invalid_request', 'the request cannot be read', { cause: error });
}

function isChatRequest(input: Exclude<ChatInput, string>): input is ChatRequest {
  const messages: unknown = input.messages;
  return input.prompt === undefined && isMessages(messages);
}

function isMessages(messages: unknown): messages is readonly Message[] {
  return Array.isArray(messages) && messages.every((message) => isMessage(message));
}

function isMessage(message: unknown): message is Message {
  if (!isRecord(message)) return false;
  const { role, parts } = message;
  return isRole(role) && Array.isArray(parts) && parts.every((part) => isPart(part));
}

function isPart(part: unknown): part is Part {
  const { type } = fieldsOf(part);
  return typeof type === 'string' && Object.hasOwn(TYPES, type);
}

function readMessage(message: unknown, at: number, before: readonly Message[]): Message {
  if (isMessage(message)) return message;
  const place = `messages[${at}]`;
  if (typeof message === 'string') return textMessage('user', message);
  const fields = fieldsOf(message);
  const { parts } = fields;
  if (Array.isArray(parts) && !('content' in fields)) {
    const wrong = parts.findIndex((part) => !isPart(part));
    if (wrong < 0) throw invalidInput(`${place}.role`, ROLE_NAMES, fields['role']);
    throw invalidInput(
      `${place}.parts[${wrong}]`,
      `a part of the type ${TYPE_NAMES}`,
      parts[wrong],
    );
  }
  return readContentMessage(fields, place, before);
}

const TYPE_NAMES = Object.keys(TYPES).join(', ');
const ROLE_NAMES: string = (['system', 'user', 'assistant', 'tool'] satisfies Role[]).join(', ');
