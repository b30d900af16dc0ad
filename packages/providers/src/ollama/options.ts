import type * as OllamaModule from 'ollama';
import type { Ollama } from 'ollama';
import { SERVER_OPTIONS } from '../adapter-kit/check-options.ts';
import { readErrorBody } from '../adapter-kit/error-body.ts';
import { secretsIn } from '../adapter-kit/explain.ts';
import { kindsIn } from '../adapter-kit/failure-words.ts';
import { addressOf, type HttpFailure } from '../adapter-kit/http-failure.ts';
import type { CallIdentity } from '../adapter-kit/identity.ts';
import type { LargeTexts } from '../adapter-kit/large-texts.ts';
import { LineBody } from '../adapter-kit/stream-body.ts';
import { baseAddress, type Fetch } from '../adapter-kit/unlimited-fetch.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { isError } from '../errors.ts';
import { type Kinds, optional, TEXT } from '../input/kinds.ts';
import { numberOf, parseJson, stringOf } from '../json/fields.ts';
import { LLMError } from '../models/llm-error.ts';
import { toPeerError } from '../peer.ts';

/** The common options of the models of `@vizprompt/providers/ollama`. */
export interface OllamaConnection {
  /** As `ollama list` names it, such as `qwen3:8b`. */
  readonly model: string;
  /** The address of the server. Default: `OLLAMA_HOST`, or else `http://localhost:11434`. */
  readonly host?: string | undefined;
  /** The same as `host`, by the name that other providers have for it. */
  readonly baseURL?: string | undefined;
  /** For Ollama's cloud or a proxy. Default: `OLLAMA_API_KEY`, or else none. */
  readonly apiKey?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Takes the place of the global `fetch`, for proxies and tests. */
  readonly fetch?: Fetch | undefined;
}

/** The kinds of these options. */
export const CONNECTION: Kinds<OllamaConnection> = { ...SERVER_OPTIONS, host: optional(TEXT) };

/** A connection with all its defaults. */
export interface ResolvedOllama {
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: CallIdentity;
}

/** Fills in what the options leave open. */
export function resolveOllama(options: OllamaConnection): ResolvedOllama {
  const host = withScheme(
    options.host ?? options.baseURL ?? (process.env['OLLAMA_HOST'] || 'http://localhost:11434'),
  );
  const apiKey = options.apiKey || process.env['OLLAMA_API_KEY'];
  const headers = {
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    ...options.headers,
  };
  return {
    host,
    headers,
    identity: {
      provider: 'ollama',
      modelId: options.model,
      address: addressOf(host),
      ...(apiKey ? { keyName: 'OLLAMA_API_KEY' } : {}),
      secrets: secretsIn(headers),
    },
  };
}

/** Ollama's own variable may hold a host, with or without a port; `0.0.0.0` is for the server only. */
function withScheme(host: string): string {
  const url = /^https?:\/\//.test(host) ? host : `http://${host}`;
  const local = url.replace('//0.0.0.0', '//localhost');
  // As Ollama's own clients have it: a scheme that is written brings its own port.
  return url !== host && /^http:\/\/[^/:]+$/.test(local) ? `${local}:11434` : local;
}

interface ClientOptions {
  /** True if the answer comes line by line. */
  readonly isStream: boolean;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Returns a client for one call, with that call's `fetch`. */
export async function clientFor(
  { host, headers }: ResolvedOllama,
  wire: Wire,
  { isStream, headers: more = {} }: ClientOptions,
): Promise<Ollama> {
  const { Ollama: Client } = await loadOllama();
  const base = baseAddress(host, wire.fetch);
  const fetch: Fetch = async (input, init) => {
    const response = await base.fetch(input, init).catch((cause: unknown) => {
      // The SDK makes plain errors of what the server says: this is none.
      throw new TypeError('fetch failed', { cause });
    });
    return checkResponse(response, isStream, wire.large);
  };
  return new Client({ host: base.baseURL, fetch, headers: { ...headers, ...more } });
}

/** @throws PeerError if `ollama` is not installed. */
async function loadOllama(): Promise<typeof OllamaModule> {
  try {
    return await import('ollama');
  } catch (error) {
    throw toPeerError(error, 'ollama');
  }
}

/** Takes a `ResponseError` of the SDK apart, or the plain error that it makes of one in a stream. */
export function readFailure(error: unknown): HttpFailure | undefined {
  if (!isError(error)) return undefined;
  if ('status_code' in error) {
    const text = 'error' in error ? (stringOf(error.error) ?? error.message) : error.message;
    return { ...readErrorBody(text), status: numberOf(error.status_code) };
  }
  const isPlain = error.constructor === Error && error.cause === undefined && !('code' in error);
  return isPlain ? readErrorBody(error.message) : undefined;
}

/** Adds what the user of Ollama can do. */
export function advise(text: string): string {
  const model = /model ['"]?([^\s'"]+)['"]? not found/i.exec(text)?.[1];
  if (model !== undefined) return `${text}: ollama pull ${model}`;
  return kindsIn(text).includes('context_length') ? `${text}: raise contextWindow` : text;
}

/**
 * Looks at an answer before the SDK does, which leaves out what it cannot parse and says so on the
 * console only.
 */
function checkResponse(response: Response, isStream: boolean, large: LargeTexts): Response {
  const type = response.headers.get('content-type') ?? '';
  // The wire has read the refusal; the SDK would say on the console that it is not JSON.
  if (!response.ok && !type.includes('application/json')) {
    throw Object.assign(new Error(response.statusText), { status_code: response.status });
  }
  return response.ok && response.body && isStream
    ? checkLines(response, response.body, large)
    : response;
}

/** Blank lines, which some proxies send to keep a connection open, are removed. */
function checkLines(
  response: Response,
  body: ReadableStream<Uint8Array>,
  large: LargeTexts,
): Response {
  const reader = new LineBody(body);
  const lines = new LineCheck(large);
  const checked = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          const sound = done ? lines.end() : lines.add(value);
          if (sound) controller.enqueue(sound);
          if (done) controller.close();
          if (done || sound) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(checked, response);
}

/** Cuts bytes into lines, and gives back those that are JSON. */
class LineCheck {
  readonly #large: LargeTexts;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  #rest = '';
  /** Lines of a whole answer that is spread over several. */
  #spread: string[] | undefined = [];
  #failure: LLMError | undefined;

  constructor(large: LargeTexts) {
    this.#large = large;
  }

  add(chunk: Uint8Array): Uint8Array | undefined {
    if (this.#failure) throw this.#failure;
    const before = this.#rest;
    // Pieces end with a line, so never within a character, and are decoded four times as fast when each is whole.
    const lines = (before + this.#decoder.decode(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    const full: string[] = [];
    let isAsItCame = before === '' && this.#rest === '';
    for (const line of lines) {
      // Nearly all lines are JSON and nothing else.
      const found = line.startsWith('{') ? line : jsonIn(line);
      const json = found && this.#large.liftJson(found);
      if (json !== undefined) full.push(json);
      isAsItCame &&= json === line;
    }
    const broken = full.findIndex((line) => !isJson(line));
    if (this.#spread && full.length > 0) {
      // A whole answer continues where its first line was no JSON: this one, or an earlier one.
      if (
        (this.#spread.length > 0 || broken === 0) &&
        /^\s*[{[]/.test(this.#spread[0] ?? full[0] ?? '')
      ) {
        this.#spread.push(...full);
        return undefined;
      }
      this.#spread = undefined;
    }
    // An error would take back what was just given: it waits for the next piece.
    if (broken >= 0) this.#failure = brokenLine();
    else if (isAsItCame) return chunk;
    return this.#write(broken < 0 ? full : full.slice(0, broken));
  }

  end(): Uint8Array | undefined {
    if (this.#failure) throw this.#failure;
    const spread = this.#spread ?? [];
    const rest = jsonIn([...spread, this.#rest].join('\n')) ?? '';
    if (rest === '') return undefined;
    const whole = parseJson(rest);
    if (spread.length > 0 && whole !== undefined) return this.#write([JSON.stringify(whole)]);
    if (spread.length > 1) throw brokenLine();
    if (isJson(rest)) return this.#write([rest]);
    if (!rest.startsWith('{')) throw brokenLine();
    throw new LLMError('truncated', 'the stream ended in the middle of a line');
  }

  #write(lines: readonly string[]): Uint8Array | undefined {
    return lines.length === 0 ? undefined : this.#encoder.encode(`${lines.join('\n')}\n`);
  }
}

/** Returns the JSON of a line, also of one that a proxy made a server-sent event; `undefined` for one that has none. */
function jsonIn(line: string): string | undefined {
  const json = line.replace(/^data: ?/, '').trim();
  return json === '' || json === '[DONE]' || /^(?::|event:|id:|retry:)/.test(json)
    ? undefined
    : json;
}

function isJson(line: string): boolean {
  return parseJson(line) !== undefined;
}

function brokenLine(): LLMError {
  return new LLMError('bad_response', 'a line of the answer is not valid JSON');
}
