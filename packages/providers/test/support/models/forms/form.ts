import type { ChatRequest, FinishReason, LLMErrorCode } from '@vizprompt/providers';
import type { FakeWireName } from '@vizprompt/providers/testing';

/** The answer of a server: its status, its media type and other headers, and its body. */
export interface ServerAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object;
}

/** The result that the adapter must make of it. */
export interface Expected {
  readonly code?: LLMErrorCode;
  /** Words that the message of the error must have. */
  readonly says?: string;
  readonly isRetryable?: boolean;
  /** 0 for none. */
  readonly retryAfterMs?: number;
  /** The part that had come, in the error's `partial`. */
  readonly partial?: string;
  readonly text?: string;
  readonly reasoning?: string;
  readonly finish?: FinishReason;
  /** Parts that must be among those of the answer, in this order. */
  readonly parts?: readonly object[];
  /** Fields that must not be in the last request, as paths (`options.seed`). */
  readonly left?: readonly string[];
  /** Fields that the last request must have, with their values. */
  readonly sent?: object;
  /** How many requests the server had. */
  readonly requests?: number;
}

/** One form of one kind of fault: what a server sends, and what comes of it. One row of the test and of the table. */
export interface Form {
  /** The kind of fault. */
  readonly kind: string;
  readonly wire: FakeWireName;
  /** The server, or what is odd. */
  readonly name: string;
  /** The model of the request. Default: one that no provider knows. */
  readonly model?: string;
  readonly request?: Partial<ChatRequest>;
  /** One for each request; what follows is answered as usual. */
  readonly answers: readonly ServerAnswer[];
  readonly expected: Expected;
}

export const WIRES: readonly FakeWireName[] = ['openai', 'gemini', 'ollama'];

/** Returns an answer in server-sent events. */
export function sse(...frames: readonly (object | string)[]): ServerAnswer {
  const body = frames
    .map((frame) => (typeof frame === 'string' ? frame : `data: ${JSON.stringify(frame)}\n\n`))
    .join('');
  return { headers: { 'content-type': 'text/event-stream' }, body };
}

/** Returns an answer in lines of JSON. */
export function lines(...frames: readonly (object | string)[]): ServerAnswer {
  const body = frames
    .map((frame) => (typeof frame === 'string' ? frame : `${JSON.stringify(frame)}\n`))
    .join('');
  return { headers: { 'content-type': 'application/x-ndjson' }, body };
}

/** Returns a chunk of Chat Completions. */
export function delta(fields: object, finish: string | null = null, more: object = {}): object {
  return { id: 'x', choices: [{ index: 0, delta: fields, finish_reason: finish }], ...more };
}

/** Returns a chunk of Gemini. */
export function candidate(parts: readonly object[], finish?: string, more: object = {}): object {
  const reason = finish === undefined ? {} : { finishReason: finish };
  return { candidates: [{ content: { role: 'model', parts }, ...reason, ...more }] };
}

/** Returns a line of Ollama. */
export function line(message: object, more: object = {}): object {
  return {
    model: 'm',
    message: { role: 'assistant', content: '', ...message },
    done: false,
    ...more,
  };
}

/** Returns a text that ends in a provider's own word, on each wire. */
export function ending(wire: FakeWireName, text: string, reason: string): ServerAnswer {
  if (wire === 'openai')
    return sse(delta({ content: text }), delta({}, reason), 'data: [DONE]\n\n');
  if (wire === 'gemini') return sse(candidate([{ text }]), candidate([], reason));
  return lines(line({ content: text }), line({}, { done: true, done_reason: reason }));
}

/** Returns a sentence as the wire wraps it by default. */
export function refusal(
  wire: FakeWireName,
  status: number,
  message: string,
  more: object = {},
): ServerAnswer {
  if (wire === 'ollama') return { status, body: { error: message } };
  const known =
    wire === 'openai' || wire === 'responses'
      ? { type: 'invalid_request_error', param: null, code: null }
      : { code: status };
  return { status, body: { error: { ...known, message, ...more } } };
}

/** Returns the forms of each kind, in their order. */
export function byKind(
  forms: readonly Form[],
): readonly (readonly [kind: string, forms: readonly Form[]])[] {
  return [...new Set(forms.map(({ kind }) => kind))].map((kind) => [
    kind,
    forms.filter((form) => form.kind === kind),
  ]);
}
