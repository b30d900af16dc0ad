/** Where in an answer a fault strikes. */
interface AfterOutput {
  /**
   * Pieces of content that are sent before it: 0 is right after the headers. More than the answer
   * has is right before its end. An answer that is not streamed has three pieces. Default: 1.
   */
  readonly afterChunks?: number;
}

/** The server does not answer the request at all. */
export type RefusalFault =
  /** Answers with this status; without a body, with an error in the form of the wire. */
  | {
      readonly type: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | object;
    }
  /** A proxy's web page. Default: with the status 200. */
  | { readonly type: 'html'; readonly status?: number }
  /** Plain text with the status 200. */
  | { readonly type: 'not-json' }
  /**
   * 429, with the time to wait in one of the five places where servers write it: `Retry-After` in
   * seconds (rounded up) or as a date, `retry-after-ms`, `google.rpc.RetryInfo` in the body, or the
   * message ("try again in 20s").
   */
  | {
      readonly type: 'rate-limit';
      readonly form: 'seconds' | 'date' | 'ms' | 'retry-info' | 'message';
      readonly waitMs: number;
    }
  /** 429 because the allowance is used up: waiting does not help. */
  | { readonly type: 'quota' }
  /** 400 if the request has the field (`a.b` is a field of a field); no fault if it has not. */
  | { readonly type: 'unsupported-field'; readonly field: string };

/** The connection fails. */
export type ConnectionFault =
  /** The socket is closed before any byte of the answer. */
  | { readonly type: 'reset-before-headers' }
  /** Nothing is ever sent, and the socket stays open. */
  | { readonly type: 'stall-before-headers' }
  /** The socket is closed in the middle. */
  | ({ readonly type: 'reset' } & AfterOutput)
  /** Nothing more is sent, and the socket stays open. */
  | ({ readonly type: 'stall' } & AfterOutput)
  /** The answer ends cleanly, but without its finish marker. */
  | ({ readonly type: 'truncate' } & AfterOutput)
  /** The same, with half of a frame as the last thing. */
  | ({ readonly type: 'half-frame' } & AfterOutput)
  /** One frame of content is not JSON, so that the content is lost; the others come as usual. */
  | ({ readonly type: 'bad-json' } & AfterOutput)
  /** The wire's own error within a stream; without streaming, as the body of a 200. */
  | ({
      readonly type: 'in-band-error';
      readonly message?: string;
      readonly code?: string | number;
    } & AfterOutput);

/** The answer is sent in an unusual, but correct form. */
export type TransportFault =
  /** Each write ends within a character of several bytes, where there is one. */
  | { readonly type: 'split-utf8' }
  /** `: OPENROUTER PROCESSING` (SSE) or a blank line (NDJSON) before each frame. */
  | { readonly type: 'keep-alive' }
  /** Lines end in CR LF. */
  | { readonly type: 'crlf' };

/** The answer is complete, but says something unexpected. */
export type ContentFault =
  /** No token counts. */
  | { readonly type: 'no-usage' }
  /** No content, and a normal finish. */
  | { readonly type: 'empty' }
  /**
   * The arguments of tool calls are cut in the middle. Gemini and Ollama cannot send such
   * arguments: they give the error that they give when a model does this.
   */
  | { readonly type: 'bad-tool-json' }
  /** Embeddings: numbers although base64 was asked for, as LM Studio does. */
  | { readonly type: 'base64-ignored' }
  /** Embeddings of the OpenAI wire: in another order, with the right `index`. */
  | { readonly type: 'shuffled' };

/** Something that goes wrong with one request; see {@link FakeLLM.fail}. */
export type Fault = RefusalFault | ConnectionFault | TransportFault | ContentFault;

/** Returns the fault of a type, if it is among them. */
export function findFault<T extends Fault['type']>(
  faults: readonly Fault[],
  ...types: readonly T[]
): Extract<Fault, { readonly type: T }> | undefined {
  const isWanted = (fault: Fault): fault is Extract<Fault, { readonly type: T }> =>
    types.some((type) => type === fault.type);
  return faults.find(isWanted);
}
