import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { type FakeReply, firstHalf, lengthOf, piecesOf } from './fake-answer.ts';
import type { FakeRequest, Route } from './fake-request.ts';
import { type Fault, findFault } from './faults.ts';
import type { Refusal, RefusalBody } from './refusal.ts';

/** The input of a request for embeddings. */
export interface EmbeddingInput {
  readonly texts: readonly string[];
  /** The length of the vectors. */
  readonly dimensions?: number | undefined;
  /** As base64 instead of numbers. */
  readonly isBase64?: boolean;
  /** Gemini: whether the request has room for one text only. */
  readonly isSingle?: boolean;
}

/** Vectors to send, each with the place of its text. */
interface EmbeddingOutput {
  readonly model: string;
  readonly vectors: readonly { readonly index: number; readonly vector: Float32Array }[];
  readonly tokens: number;
  readonly isBase64: boolean;
  /** As in the {@link EmbeddingInput}. */
  readonly isSingle: boolean;
}

/** How much of a prompt a model reads. */
interface ContextLimit {
  readonly tokens: number;
  /** Longer prompts are cut instead of refused. */
  readonly isSilent: boolean;
}

/** A protocol: how requests are read, and what answers look like. It knows of no faults. */
export interface FakeWire {
  readonly framing: 'sse' | 'named-sse' | 'ndjson';
  /** The media type of streams. */
  readonly contentType: string;
  isStream(body: JsonObject, route: Route): boolean;
  /** All texts of the prompt. */
  promptTexts(body: JsonObject): readonly string[];
  /** Returns the limit that the request itself or the protocol sets, where the model's is `tokens`. */
  contextLimit(body: JsonObject, tokens: number | undefined): ContextLimit | undefined;
  /** Returns the frames of a streamed answer. */
  frames(reply: FakeReply, request: FakeRequest): readonly Frame[];
  /** Returns an answer as a whole. */
  whole(reply: FakeReply): JsonObject;
  /** Returns a list of models, or the one that is asked for. */
  models(ids: readonly string[], model: string, contextLength: number): JsonObject;
  embeddingInput(body: JsonObject): EmbeddingInput;
  embeddings(output: EmbeddingOutput): JsonObject;
  /** Returns the answer to a request to count tokens; Gemini and Anthropic have one. */
  count?(tokens: number): JsonObject;
  refuse(refusal: Refusal): RefusalBody;
  /** Returns an error within a stream. */
  streamError(message: string, code?: string | number): JsonValue;
}

/** Returns a text, or the texts in a list of objects that have one. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item));
  if (typeof value !== 'object' || value === null) return [];
  return 'text' in value && typeof value.text === 'string' ? [value.text] : [];
}

/**
 * The framing of the body: server-sent events (`named-sse`: with the `type` of their JSON as the name of the event),
 * a JSON text a line, or (`body`) pieces of one JSON text.
 */
export type Framing = 'sse' | 'named-sse' | 'ndjson' | 'body';

/** A piece of an answer, before it is written. */
export interface Frame {
  /** `close` frames say that the answer is complete. */
  readonly type: 'open' | 'content' | 'close';
  readonly data: string;
}

/** Makes a frame of a JSON value. */
export function frame(type: Frame['type'], value: JsonValue): Frame {
  return { type, data: JSON.stringify(value) };
}

/** Cuts the whole body of an answer into frames, so that faults can strike between them. */
export function bodyFrames(value: JsonValue): readonly Frame[] {
  const json = JSON.stringify(value);
  const pieces = piecesOf(json, Math.ceil(lengthOf(json) / 4));
  return pieces.map((data, index) => ({
    type: index < pieces.length - 1 ? 'content' : 'close',
    data,
  }));
}

/** A step on a connection: write a text, close the socket, or wait for ever. */
export type Step =
  | { readonly type: 'write'; readonly text: string }
  | { readonly type: 'reset' }
  | { readonly type: 'stall' };

/**
 * Makes the steps that send frames, with the faults of the connection applied.
 *
 * @param error - The wire's error within a stream.
 */
export function planSteps(
  frames: readonly Frame[],
  framing: Framing,
  faults: readonly Fault[],
  error: (message: string, code?: string | number) => JsonValue,
): readonly Step[] {
  const lineEnd = findFault(faults, 'crlf') ? '\r\n' : '\n';
  const write = (...sent: readonly Frame[]): readonly Step[] =>
    sent.flatMap(({ data }) => [
      ...(findFault(faults, 'keep-alive') ? keepAlive(framing, lineEnd) : []),
      { type: 'write', text: encode(data, framing, lineEnd) },
    ]);
  const fault = findFault(
    faults,
    'reset',
    'stall',
    'truncate',
    'half-frame',
    'bad-json',
    'in-band-error',
  );
  if (!fault) return write(...frames);

  const at = cutAt(frames, fault.afterChunks ?? 1);
  const before = write(...frames.slice(0, at));
  const data = frames[at]?.data ?? '';
  switch (fault.type) {
    case 'reset':
    case 'stall':
      return [...before, { type: fault.type }];
    case 'truncate':
      return before;
    case 'half-frame':
      return [...before, { type: 'write', text: firstHalf(encode(data, framing, lineEnd)) }];
    case 'bad-json':
      return write(...breakOne(frames, fault.afterChunks ?? 1));
    default: {
      const { message = 'The model is overloaded.', code } = fault;
      const refusal = frame('close', error(message, code));
      return framing === 'body' ? write(refusal) : [...before, ...write(refusal)];
    }
  }
}

/** Half of a frame of content and a NUL, which is nowhere allowed in JSON, instead of the frame. */
function breakOne(frames: readonly Frame[], afterChunks: number): readonly Frame[] {
  const contents = frames.filter(({ type }) => type === 'content');
  const broken = contents[afterChunks] ?? contents.at(-1) ?? frames[0];
  return frames.map((each) =>
    each === broken ? { ...each, data: `${firstHalf(each.data)}\0` } : each,
  );
}

/** Returns the index of the first frame that is not sent. */
function cutAt(frames: readonly Frame[], afterChunks: number): number {
  if (afterChunks <= 0) return 0;
  let count = 0;
  for (const [index, { type }] of frames.entries()) {
    if (type === 'close') return index;
    if (type === 'content' && ++count === afterChunks) return index + 1;
  }
  return frames.length;
}

function encode(data: string, framing: Framing, lineEnd: string): string {
  const event = framing === 'named-sse' ? `event: ${typeOf(data)}${lineEnd}` : '';
  if (isEvents(framing)) return `${event}data: ${data}${lineEnd}${lineEnd}`;
  return framing === 'ndjson' ? `${data}${lineEnd}` : data;
}

/** Returns the type of an event, also of one that is not whole: it is the first field. */
function typeOf(data: string): string {
  return /"type":"(\w+)"/.exec(data)?.[1] ?? 'message';
}

function isEvents(framing: Framing): boolean {
  return framing === 'sse' || framing === 'named-sse';
}

function keepAlive(framing: Framing, lineEnd: string): readonly Step[] {
  if (framing === 'body') return [];
  if (framing === 'named-sse') {
    const data = JSON.stringify({ type: 'ping' });
    return [{ type: 'write', text: encode(data, framing, lineEnd) }];
  }
  const comment = framing === 'sse' ? `: OPENROUTER PROCESSING${lineEnd}` : '';
  return [{ type: 'write', text: `${comment}${lineEnd}` }];
}
