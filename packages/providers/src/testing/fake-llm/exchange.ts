import type { ServerResponse } from 'node:http';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { messageOf } from '../../errors.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { type FakeAnswer, lengthOf, makeReply } from './fake-answer.ts';
import type { FakeRequest } from './fake-request.ts';
import {
  bodyFrames,
  type EmbeddingInput,
  type FakeWire,
  type Frame,
  type Framing,
  planSteps,
  type Step,
} from './fake-wire.ts';
import { type Fault, findFault } from './faults.ts';
import { type Refusal, refusalHeaders, refusalOf } from './refusal.ts';
import { vectorOf } from './openai-wire.ts';

/** The length of vectors when the request does not say. */
const DEFAULT_DIMENSIONS = 8;
/** The context length of models when the options do not say it. */
const DEFAULT_CONTEXT_LENGTH = 131_072;

/** The common settings of all requests to a server. */
export interface ExchangeSettings {
  readonly chunkSize: number;
  readonly chunkDelayMs: number;
  readonly apiKey: string | undefined;
  readonly models: readonly string[] | undefined;
  readonly contextLength: number | undefined;
  /** Takes the next answer. */
  answer(request: FakeRequest): FakeAnswer | Promise<FakeAnswer>;
}

/** One request and its answer. */
export interface Exchange {
  readonly request: FakeRequest;
  readonly wire: FakeWire;
  /** Counts up from 1. */
  readonly number: number;
  readonly faults: readonly Fault[];
  readonly response: ServerResponse;
  /** Aborted when the connection is closed. */
  readonly signal: AbortSignal;
  /** Closes the connection from the server's side. */
  hangUp(): void;
}

/** Answers a request, or does what its faults say. */
export async function serve(exchange: Exchange, settings: ExchangeSettings): Promise<void> {
  const { wire, faults, response, signal, hangUp } = exchange;
  if (findFault(faults, 'stall-before-headers')) return;
  if (findFault(faults, 'reset-before-headers')) {
    hangUp();
    return;
  }
  const outcome = strangeBody(faults) ?? (await decide(exchange, settings));
  response.writeHead(outcome.status, outcome.headers);
  const { frames, framing } = outcome;
  await send(response, planSteps(frames, framing, faults, wire.streamError), {
    delayMs: framing === 'body' ? 0 : settings.chunkDelayMs,
    isSplit: findFault(faults, 'split-utf8') !== undefined,
    signal,
    hangUp,
  });
}

async function decide(exchange: Exchange, settings: ExchangeSettings): Promise<Outcome> {
  const { request, wire, number, faults } = exchange;
  const { kind, model, body } = request;
  const refusal = refusalOf(faults, model, body) ?? accessRefusal(request, settings);
  if (refusal) return refuse(exchange, refusal);

  const ids = settings.models ?? ['fake'];
  const length = settings.contextLength ?? DEFAULT_CONTEXT_LENGTH;
  if (kind === 'models' || kind === 'show') return whole(wire.models(ids, model, length));
  const limit = wire.contextLimit(body, settings.contextLength);
  const tooLong = (tokens: number): Refusal | undefined =>
    limit && !limit.isSilent && tokens > limit.tokens
      ? { type: 'context', tokens, limit: limit.tokens }
      : undefined;
  if (kind === 'embeddings') {
    const input = wire.embeddingInput(body);
    const longest = tooLong(Math.max(0, ...input.texts.map(lengthOf)));
    return longest ? refuse(exchange, longest) : whole(embed(exchange, input));
  }

  const tokens = countTokens(wire.promptTexts(body));
  if (kind === 'count') return whole(wire.count?.(tokens) ?? {});
  const excess = tooLong(tokens);
  if (excess) return refuse(exchange, excess);
  let answer: FakeAnswer;
  try {
    answer = await settings.answer(request);
  } catch (error) {
    return refuse(exchange, { type: 'status', status: 500, message: messageOf(error) });
  }
  const reply = makeReply(answer, {
    number,
    model,
    promptTokens: Math.min(tokens, limit?.tokens ?? Infinity),
    chunkSize: settings.chunkSize,
    faults,
  });
  if (!request.isStream) return whole(wire.whole(reply));
  const headers = { 'content-type': wire.contentType };
  return { status: 200, headers, frames: wire.frames(reply, request), framing: wire.framing };
}

function accessRefusal(
  { wire, model, headers }: FakeRequest,
  { apiKey, models }: ExchangeSettings,
): Refusal | undefined {
  const own = { gemini: headers['x-goog-api-key'], anthropic: headers['x-api-key'] };
  const bearer = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1];
  const key = wire === 'gemini' || wire === 'anthropic' ? (own[wire] ?? bearer) : bearer;
  if (apiKey !== undefined && key !== apiKey) return { type: 'key', isMissing: key === undefined };
  const isKnown = models?.some((id) => untagged(id) === untagged(model)) ?? true;
  return isKnown || model === '' ? undefined : { type: 'model', model };
}

/** Ollama's tag `latest` may be left out. */
function untagged(model: string): string {
  return model.replace(/:latest$/, '');
}

function embed({ request, wire, faults }: Exchange, input: EmbeddingInput): JsonObject {
  const { texts, dimensions = DEFAULT_DIMENSIONS, isBase64 = false, isSingle = false } = input;
  const vectors = texts.map((text, index) => ({ index, vector: vectorOf(text, dimensions) }));
  return wire.embeddings({
    model: request.model,
    vectors: findFault(faults, 'shuffled') ? vectors.toReversed() : vectors,
    tokens: countTokens(texts),
    isBase64: isBase64 && !findFault(faults, 'base64-ignored'),
    isSingle,
  });
}

function countTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + lengthOf(text), 0);
}

function refuse({ wire }: Exchange, refusal: Refusal): Outcome {
  const { status, body } = wire.refuse(refusal);
  const outcome = whole(body, status);
  return { ...outcome, headers: { ...outcome.headers, ...refusalHeaders(refusal) } };
}

/** How steps are carried out. */
interface SendOptions {
  /** A pause before each write, in milliseconds. */
  readonly delayMs: number;
  /** Each write ends within a character of several bytes, where there is one. */
  readonly isSplit: boolean;
  /** Ends the pauses when the connection is closed. */
  readonly signal: AbortSignal;
  /** Closes the connection. */
  hangUp(): void;
}

/** Carries out the steps of an answer whose headers are set, each write as a chunk of its own. */
async function send(
  response: ServerResponse,
  steps: readonly Step[],
  { delayMs, isSplit, signal, hangUp }: SendOptions,
): Promise<void> {
  response.flushHeaders();
  let rest: Uint8Array = new Uint8Array();
  for (const step of steps) {
    if (signal.aborted) return;
    if (step.type === 'write') {
      if (delayMs > 0) await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      const bytes = Buffer.concat([rest, Buffer.from(step.text)]);
      const end = isSplit ? splitAt(bytes) : bytes.length;
      await write(response, bytes.subarray(0, end));
      rest = bytes.subarray(end);
      continue;
    }
    await write(response, rest);
    if (step.type === 'reset') hangUp();
    return;
  }
  await write(response, rest);
  response.end();
}

/** Returns the last place within a character; the end of the bytes if all are ASCII. */
function splitAt(bytes: Uint8Array): number {
  const at = bytes.findLastIndex((byte) => (byte & 0b1100_0000) === 0b1000_0000);
  return at === -1 ? bytes.length : at;
}

/** Writes, and lets the client have it before anything else happens. */
async function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (bytes.length > 0 && !response.destroyed) {
    await new Promise<void>((resolve) => response.write(bytes, () => resolve()));
  }
  await turn();
}

/** The reply, before it is known how it is sent: faults of the connection are not in it. */
interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly frames: readonly Frame[];
  readonly framing: Framing;
}

/** Returns a JSON body; an answer that turned out to be an error is a 500. */
function whole(body: JsonObject, status: number = body['error'] ? 500 : 200): Outcome {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, frames: bodyFrames(body), framing: 'body' };
}

/** Bodies that no wire has. */
function strangeBody(faults: readonly Fault[]): Outcome | undefined {
  const fault = findFault(faults, 'html', 'not-json', 'status');
  if (fault?.type === 'html') {
    const page = '<!DOCTYPE html>\n<html><body><h1>Please sign in</h1></body></html>\n';
    return plain(fault.status ?? 200, page, { 'content-type': 'text/html; charset=utf-8' });
  }
  if (fault?.type === 'not-json') return plain(200, 'upstream is fine', {});
  if (fault?.type !== 'status' || fault.body === undefined) return undefined;
  if (typeof fault.body === 'string') return plain(fault.status, fault.body, fault.headers);
  const headers = { 'content-type': 'application/json', ...fault.headers };
  return plain(fault.status, JSON.stringify(fault.body), headers);
}

function plain(status: number, text: string, headers: Outcome['headers'] = {}): Outcome {
  const known = { 'content-type': 'text/plain; charset=utf-8', ...headers };
  return { status, headers: known, frames: [{ type: 'content', data: text }], framing: 'body' };
}
