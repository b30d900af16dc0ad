import type OpenAI from 'openai';
import { failureOf } from '../adapter-kit/explain.ts';
import type { HttpFailure } from '../adapter-kit/http-failure.ts';
import { RefusedFields, type Droppable } from '../adapter-kit/refused-fields.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import type { ChatEvent, ChatWarning } from '../models/events.ts';
import type { ChatRequest } from '../models/request.ts';
import { clientFor } from './client.ts';
import type { ResolvedConnection } from './options.ts';
import { readApiError } from '../adapter-kit/read-api-error.ts';
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
