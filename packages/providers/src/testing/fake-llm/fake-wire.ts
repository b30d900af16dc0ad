import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { FakeReply } from './fake-answer.ts';
import type { FakeRequest, Route } from './fake-request.ts';
import type { Frame } from './frames.ts';
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
