import type { FakeAnswer } from './fake-answer.ts';
import type { FakeRequest } from './fake-request.ts';
import type { Fault } from './faults.ts';

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
