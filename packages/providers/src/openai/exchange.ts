import type OpenAI from 'openai';
import { readApiError, readErrorBody } from '../adapter-kit/error-body.ts';
import { failureOf } from '../adapter-kit/explain.ts';
import type { HttpFailure } from '../adapter-kit/http-failure.ts';
import { type Droppable, RefusedFields } from '../adapter-kit/refused-fields.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import {
  type Fields,
  fieldsOf,
  isRecord,
  listOf,
  numberOf,
  parseJson,
  textAt,
} from '../json/fields.ts';
import type { ChatEvent, ChatWarning } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { ChatRequest } from '../models/request.ts';
import { clientFor } from './client.ts';
import type { ResolvedConnection } from './options.ts';
import type { Settings } from './settings.ts';

/** A request in the form of a protocol, and what of it the server cannot do. */
interface WrittenRequest {
  readonly body: object;
  readonly warnings: readonly ChatWarning[];
  /** Sends it: the pieces of an answer; of a server that gives no streams, the whole answer as one. */
  send(
    client: OpenAI,
    options: OpenAI.RequestOptions,
  ): Promise<AsyncIterable<unknown> | Iterable<unknown>>;
  /** Makes a reader of its answer. */
  reader(warnings: readonly ChatWarning[]): AnswerReader;
}

/** Reads the pieces of one answer. */
interface AnswerReader {
  /** Returns the events of a piece. */
  read(piece: unknown): ChatEvent[];
  /** Returns the last events; none of an answer that was cut off. */
  end(): ChatEvent[];
}

/** One of the protocols that OpenAI has for chat. */
export interface ChatProtocol {
  readonly name: 'chat' | 'responses';
  /** The fields that servers may refuse, the least important first. */
  readonly droppable: readonly Droppable<Settings>[];
  write(model: string, settings: Settings): WrittenRequest;
}

/** The protocol to begin with, and what to do when the server wants another. */
export interface ProtocolChoice {
  readonly first: ChatProtocol;
  /** Returns the protocol that a refusal asks for; `undefined` if it is about something else. */
  instead?(failure: HttpFailure): ChatProtocol | undefined;
}

/** Makes one call: what the server refuses is left out, and it is asked again. */
export function exchange(
  connection: ResolvedConnection,
  choice: ProtocolChoice,
  request: ChatRequest,
  wire: Wire,
): AsyncIterable<readonly ChatEvent[]> {
  return new Exchange(connection, choice, request, wire);
}

type Step = IteratorResult<readonly ChatEvent[], undefined>;

/**
 * The events of one call. It is written by hand because a generator would cost a tenth of what the SDK
 * needs for each piece.
 */
class Exchange implements AsyncIterableIterator<readonly ChatEvent[], undefined> {
  readonly #connection: ResolvedConnection;
  readonly #choice: ProtocolChoice;
  readonly #request: ChatRequest;
  readonly #wire: Wire;
  #pieces: AsyncIterator<unknown> | undefined;
  #reader: AnswerReader | undefined;

  constructor(
    connection: ResolvedConnection,
    choice: ProtocolChoice,
    request: ChatRequest,
    wire: Wire,
  ) {
    this.#connection = connection;
    this.#choice = choice;
    this.#request = request;
    this.#wire = wire;
  }

  next(): Promise<Step> {
    return this.#pieces ? this.#pieces.next().then(this.#read) : this.#begin();
  }

  async return(): Promise<Step> {
    await this.#pieces?.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Asks until the answer begins, and reads its first piece. */
  async #begin(): Promise<Step> {
    const { profile, identity } = this.#connection;
    const { first, instead } = this.#choice;
    const { signal } = this.#wire;
    const client = await clientFor(this.#connection, this.#wire);
    const options = { signal, headers: { ...this.#request.headers } };
    const asked: Settings = { request: this.#request, profile };
    let call = callIn(first, this.#connection, asked);
    for (;;) {
      const { protocol, refused, plain } = call;
      const settings = refused.adapt(asked, plain);
      const written = protocol.write(identity.modelId, settings);
      const { body, warnings } = written;
      let pieces: AsyncIterator<unknown> | undefined;
      try {
        this.#reader = written.reader(refused.warnings(plain, warnings));
        pieces = iterate(await written.send(client, options));
        const events = this.#read(await pieces.next());
        this.#pieces = pieces;
        return events;
      } catch (error) {
        // A failure within the first piece leaves the rest of the body.
        await pieces?.return?.();
        const failure = failureOf(error, { readFailure: readApiError }, this.#wire);
        const other = failure && instead?.(failure);
        if (other && other !== protocol) call = callIn(other, this.#connection, asked);
        else if (!failure || !refused.add(failure, { body, plain, settings })) throw error;
      }
    }
  }

  readonly #read = (piece: IteratorResult<unknown>): Step => {
    const reader = this.#reader;
    if (!reader) return { done: true, value: undefined };
    if (!piece.done) {
      this.#wire.large.restore(piece.value);
      return { done: false, value: reader.read(piece.value) };
    }
    this.#reader = undefined;
    return { done: false, value: reader.end() };
  };
}

/** A whole answer is a stream of one piece. */
async function* asStream(pieces: Iterable<unknown>): AsyncGenerator<unknown, undefined> {
  yield* pieces;
}

function iterate(pieces: AsyncIterable<unknown> | Iterable<unknown>): AsyncIterator<unknown> {
  return (Symbol.asyncIterator in pieces ? pieces : asStream(pieces))[Symbol.asyncIterator]();
}

function callIn(
  protocol: ChatProtocol,
  { baseURL, identity }: ResolvedConnection,
  asked: Settings,
): {
  readonly protocol: ChatProtocol;
  readonly refused: RefusedFields<Settings>;
  readonly plain: object;
} {
  const key = `openai ${protocol.name} ${baseURL} ${identity.modelId}`;
  return {
    protocol,
    refused: new RefusedFields(key, protocol.droppable),
    plain: protocol.write(identity.modelId, asked).body,
  };
}

/** Returns the failure that an answer with a status of success is, or a chunk; `undefined` for any other. */
export function failureIn(fields: Fields): Error | undefined {
  if (fields['object'] === 'error') return inBandError(fields);
  if (fields['error']) return inBandError(fields['error']);
  // MiniMax
  const base = fieldsOf(fields['base_resp']);
  if ((numberOf(base['status_code']) ?? 0) !== 0) return inBandError(base);
  // Cloudflare
  if (listOf(fields['errors']).length > 0 && !('choices' in fields)) return inBandError(fields);
  const isChunk = ['choices', 'usage', 'id', 'object'].some((key) => key in fields);
  const isFailure = textAt(fields, 'message', 'msg', 'detail', 'error_msg') !== undefined;
  return isFailure && !isChunk ? inBandError(fields) : undefined;
}

/** Returns an error in the form of the SDK's own. */
export function inBandError(error: unknown): Error {
  const { text, status } = readErrorBody(error);
  return Object.assign(new Error(text || 'the server failed'), { status, error });
}

/**
 * Returns the pieces of an answer: a stream as it is, a whole answer as one piece. A server that streams always sends events
 * to a call that asked for none, which the SDK gives as a text; so it gives JSON that says it is a text.
 *
 * @throws LLMError with the code `bad_response` for a text without events.
 */
export function piecesOf(answer: unknown): AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof answer === 'string') return eventsIn(answer);
  return isIterable(answer) ? answer : [answer];
}

function eventsIn(text: string): readonly unknown[] {
  const whole = parseJson(text);
  if (isRecord(whole)) return [whole];
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'));
  const events = lines.flatMap((line) => parseJson(line.slice('data:'.length)) ?? []);
  if (events.length > 0) return events;
  const said = text.replace(/\s\s*/g, ' ').trim().slice(0, 200);
  throw new LLMError('bad_response', `the server answered with a text instead of JSON: ${said}`);
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
