import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { checkOptions } from '../../input/check-input.ts';
import {
  AMOUNT,
  ANYTHING,
  type Kinds,
  oneOf,
  optional,
  POSITIVE,
  TEXT,
  TEXTS,
} from '../../input/kinds.ts';
import { stringOf } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { anthropicWire } from './anthropic-wire.ts';
import { type Exchange, type ExchangeSettings, serve } from './exchange.ts';
import type { FakeAnswer } from './fake-answer.ts';
import { type FakeRequest, type FakeWireName, routeOf } from './fake-request.ts';
import type { FakeWire } from './fake-wire.ts';
import type { Fault } from './faults.ts';
import { geminiWire } from './gemini-wire.ts';
import { ollamaWire } from './ollama-wire.ts';
import { openaiWire } from './openai-wire.ts';
import { responsesWire } from './responses-wire.ts';

const KINDS: Kinds<FakeLLMOptions> = {
  answer: ANYTHING,
  chunkSize: optional(POSITIVE),
  chunkDelayMs: optional(AMOUNT),
  reasoningField: optional(oneOf('reasoning_content', 'reasoning')),
  apiKey: optional(TEXT),
  models: optional(TEXTS),
  contextLength: optional(POSITIVE),
};

/**
 * Starts a server on this machine that speaks the protocols of OpenAI (chat completions,
 * responses, embeddings), Gemini, Ollama and Anthropic (messages) as the real ones do, faults included. It needs no key and no
 * network, and counts each character as a token.
 *
 * @example
 * ```ts
 * await using llm = await startFakeLLM();
 * llm.answer('猫です。', [{ type: 'tool-call', id: 'call_1', name: 'weather', input: { city: '東京' } }]);
 * llm.fail({ type: 'rate-limit', form: 'seconds', waitMs: 1000 });
 *
 * const client = new OpenAI({ baseURL: `${llm.url}/v1`, apiKey: 'none' });
 * await client.chat.completions.create({ model: 'any', messages }); // '猫です。', after a retry
 * llm.requests.length; // 2
 * ```
 */
export async function startFakeLLM(options: FakeLLMOptions = {}): Promise<FakeLLM> {
  checkOptions('startFakeLLM', options, KINDS);
  const { answer: standing = 'はい、猫です。🐈 こんにちは。', chunkSize = 4 } = options;
  const requests: FakeRequest[] = [];
  const answers: FakeAnswer[] = [];
  const faults: (Fault | readonly Fault[])[] = [];
  const sockets = new Set<Socket>();
  const used = new Set<Socket>();
  const wires: Readonly<Record<FakeWireName, FakeWire>> = {
    openai: openaiWire(options.reasoningField ?? 'reasoning_content'),
    responses: responsesWire,
    gemini: geminiWire,
    ollama: ollamaWire,
    anthropic: anthropicWire,
  };
  const settings: ExchangeSettings = {
    chunkSize,
    chunkDelayMs: options.chunkDelayMs ?? 0,
    apiKey: options.apiKey,
    models: options.models,
    contextLength: options.contextLength,
    answer: (request) =>
      answers.shift() ?? (typeof standing === 'function' ? standing(request) : standing),
  };

  let isClosing = false;

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    used.add(incoming.socket);
    const read = await readRequest(incoming, wires);
    if (!read) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
      return;
    }
    const { request } = read;
    const number = requests.push(request);
    const failing = read.isValid ? (faults.shift() ?? []) : BAD_REQUEST;
    const connection = new AbortController();
    let hasHungUp = false;
    response.once('close', () => {
      // Some clients hang up at the last event, before the end of the response has left.
      request.isClosedEarly = !response.writableEnded && !hasHungUp && !isClosing;
      connection.abort();
    });
    const exchange: Exchange = {
      request,
      wire: wires[request.wire],
      number,
      faults: 'type' in failing ? [failing] : failing,
      response,
      signal: connection.signal,
      hangUp() {
        hasHungUp = true;
        response.destroy();
      },
    };
    await serve(exchange, settings);
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      used.delete(socket);
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;

  const closed = new Promise<void>((resolve) => server.once('close', resolve));

  function close(): Promise<void> {
    isClosing = true;
    server.close();
    for (const socket of sockets) socket.destroy();
    return closed;
  }

  return {
    url,
    requests,
    get openSockets() {
      return used.size;
    },
    answer: (...queued) => void answers.push(...queued),
    fail: (...queued) => void faults.push(...queued),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * So short that `fetch` of Node closes its connections after each answer. `Connection: close` would
 * do so too, but then it takes a connection that breaks for the end of the answer.
 */
const KEEP_ALIVE_MS = 1000;

const BAD_REQUEST: Fault = { type: 'status', status: 400 };

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address === 'object' && address) return address.port;
  throw new Error('the fake server has no port');
}

/** A request while it is being answered. */
interface RunningRequest extends Omit<FakeRequest, 'isClosedEarly'> {
  isClosedEarly: boolean;
}

/** A request of a known protocol. */
interface ReadRequest {
  readonly request: RunningRequest;
  /** `false`: the body is not a JSON object. */
  readonly isValid: boolean;
}

/** Reads a request to its end; `undefined` for an unknown address. */
async function readRequest(
  incoming: IncomingMessage,
  wires: Readonly<Record<FakeWireName, FakeWire>>,
): Promise<ReadRequest | undefined> {
  const { method = '', url: path = '' } = incoming;
  const headers = flatten(incoming);
  const route = routeOf(method, path, headers);
  const json = await text(incoming);
  if (!route) return undefined;
  const parsed = json === '' ? {} : parse(json);
  const body = parsed ?? {};
  const { wire, kind } = route;
  const request = {
    wire,
    kind,
    model: (route.model ?? stringOf(body['model']) ?? '').replace(/^models\//, ''),
    method,
    path,
    headers,
    body,
    isStream: kind === 'chat' && wires[wire].isStream(body, route),
    isClosedEarly: false,
  };
  return { request, isValid: parsed !== undefined };
}

function flatten({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (value ?? []).join(', '),
    ]),
  );
}

function parse(json: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Options of {@link startFakeLLM}. */
export interface FakeLLMOptions {
  /** The answer of chat calls when none is queued. Default: a short text in Japanese. */
  readonly answer?:
    | FakeAnswer
    | ((request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>)
    | undefined;
  /** Characters (code points) of a piece of an answer. Default: 4. */
  readonly chunkSize?: number | undefined;
  /** A pause before each piece, in milliseconds. Default: 0. */
  readonly chunkDelayMs?: number | undefined;
  /** Where the OpenAI wire puts reasoning. Default: `reasoning_content`. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning' | undefined;
  /** The only key that is accepted. Default: keys are not looked at. */
  readonly apiKey?: string | undefined;
  /** The only models that exist. Default: all do, and lists name `fake`. */
  readonly models?: readonly string[] | undefined;
  /**
   * Tokens that the models read. Default: 131,072 where models are described, and no limit for
   * prompts (Ollama: `options.num_ctx`, 4,096 when absent).
   */
  readonly contextLength?: number | undefined;
}

/** A running server; see {@link startFakeLLM}. */
export interface FakeLLM {
  /** Such as `http://127.0.0.1:40123`. For Gemini, Ollama and Anthropic as it is, for OpenAI with `/v1`. */
  readonly url: string;
  /** The requests so far, the oldest first. Unknown addresses get a 404 and are not in it. */
  readonly requests: readonly FakeRequest[];
  /**
   * Connections that are open now and have brought a request: after an abort, Node's `fetch` opens
   * a new one before it has any use for it. After an answer it closes its own.
   */
  readonly openSockets: number;
  /** Queues answers: each is given to one chat call. */
  answer(...answers: readonly FakeAnswer[]): void;
  /**
   * Queues faults: each befalls one request of any kind. Several in a list befall the same one, and
   * an empty list lets a request pass.
   */
  fail(...faults: readonly (Fault | readonly Fault[])[]): void;
  /** Breaks off what is open, and ends the server. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
