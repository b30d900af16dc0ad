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
export async function* exchange(
  connection: ResolvedConnection,
  { first, instead }: ProtocolChoice,
  request: ChatRequest,
  wire: Wire,
): AsyncGenerator<readonly ChatEvent[]> {
  const { profile, identity } = connection;
  const { modelId } = identity;
  const client = await clientFor(connection, wire);
  const options = { signal: wire.signal, headers: { ...request.headers } };
  const asked: Settings = { request, profile };
  let call = callIn(first, connection, asked);
  for (;;) {
    const { protocol, refused, plain } = call;
    const settings = refused.adapt(asked, plain);
    const written = protocol.write(modelId, settings);
    const { body, warnings } = written;
    let hasBegun = false;
    try {
      const reader = written.reader(refused.warnings(plain, warnings));
      for await (const piece of await written.send(client, options)) {
        const events = reader.read(piece);
        hasBegun = true;
        yield events;
      }
      yield reader.end();
      return;
    } catch (error) {
      const failure = hasBegun ? undefined : failureOf(error, { readFailure: readApiError }, wire);
      const other = failure && instead?.(failure);
      if (other && other !== protocol) call = callIn(other, connection, asked);
      else if (!failure || !refused.add(failure, { body, plain, settings })) throw error;
    }
  }
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
