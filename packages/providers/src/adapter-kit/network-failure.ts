import { messageOf, isError } from '../errors.ts';
import { LLMError } from '../models/llm-error.ts';

/** The words of runtimes and SDKs for a connection, by the code of the error or a cause of it. */
interface NetworkCause {
  readonly codes: ReadonlySet<string>;
  /** Says the same where there is no code. */
  readonly words: RegExp;
  readonly code: 'network' | 'timeout';
  readonly message: string;
  readonly hint?: string;
  /** The same call cannot succeed later. */
  readonly isFinal?: boolean;
}

/**
 * Kinds of failures of a connection, the surest first.
 *
 * Sources: Node's `libuv` and OpenSSL codes, undici, node-fetch, Bun, Deno (hyper and reqwest), Cloudflare's workerd, the
 * browsers' `fetch`, and the SDKs `openai`, `@google/genai` and `ollama`.
 */
const CAUSES: readonly NetworkCause[] = [
  {
    codes: new Set(),
    words: /proxy response \(407\)|establish tunnel.* 407\b|proxy authentication required/i,
    code: 'network',
    message: 'the proxy refuses the name and password',
    hint: 'correct them in HTTPS_PROXY, as http://name:password@host:port',
    isFinal: true,
  },
  {
    codes: new Set(),
    words: /proxy response \(4\d\d\)|establish tunnel.* 4\d\d\b/i,
    code: 'network',
    message: 'the proxy refuses this address',
    hint: 'name the host in NO_PROXY, or ask who runs the proxy',
    isFinal: true,
  },
  {
    codes: new Set(),
    words: /proxy response \(\d+\)|establish tunnel|http tunneling/i,
    code: 'network',
    message: 'the proxy did not reach the server',
  },
  {
    codes: new Set(['ECONNREFUSED', 'ConnectionRefused']),
    words: /connection refused|unable to connect\. is the computer able/i,
    code: 'network',
    message: 'nothing listens there',
    hint: 'start the server, or correct the address',
  },
  {
    codes: new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME', 'DNSException']),
    words:
      /dns error|getaddrinfo|failed to lookup address|name or service not known|could not resolve host/i,
    code: 'network',
    message: 'the name of the host is not known',
    hint: 'check the address and the network',
  },
  {
    codes: new Set([
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_HAS_EXPIRED',
      'CERT_NOT_YET_VALID',
      'CERT_UNTRUSTED',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'ERR_TLS_CERT_ALTNAME_FORMAT',
      'CERT_REVOKED',
    ]),
    words:
      /self.signed certificate|certificate (?:has expired|verify failed|is not trusted)|invalid peer certificate|unknownissuer/i,
    code: 'network',
    message: 'the certificate of the server is not trusted',
    hint: 'name your authority in NODE_EXTRA_CA_CERTS, or correct the address',
    isFinal: true,
  },
  {
    codes: new Set([
      'ETIMEDOUT',
      'ESOCKETTIMEDOUT',
      'ECONNABORTED',
      'UND_ERR_CONNECT_TIMEOUT',
      'UND_ERR_HEADERS_TIMEOUT',
      'UND_ERR_BODY_TIMEOUT',
      'ConnectTimeout',
      'ConnectionTimeout',
    ]),
    words:
      /timed?[ -]?out|timeout (?:error|exceeded|of \d)|(?:connect|headers|body|socket) timeout|deadline has elapsed/i,
    code: 'timeout',
    message: 'the server was silent for too long',
  },
  {
    codes: new Set([
      'ECONNRESET',
      'EPIPE',
      'ENOTCONN',
      'ENETUNREACH',
      'EHOSTUNREACH',
      'ENETDOWN',
      'EHOSTDOWN',
      'EADDRNOTAVAIL',
      'ERR_STREAM_PREMATURE_CLOSE',
      'ERR_SOCKET_CLOSED',
      'ERR_HTTP2_STREAM_ERROR',
      'UND_ERR_SOCKET',
      'UND_ERR_CLOSED',
      'UND_ERR_DESTROYED',
      'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
      'HPE_INVALID_CONSTANT',
      'HPE_INVALID_CHUNK_SIZE',
      'HPE_CLOSED_CONNECTION',
      'ConnectionReset',
      'ConnectionClosed',
      'FailedToOpenSocket',
    ]),
    words:
      /fetch failed|failed to fetch|load failed|terminated|socket|network|bad port|connection (?:error|closed|reset|lost|broke|was|failed|aborted)|premature close|other side closed|error (?:sending request|reading a body|decoding response)|(?:tcp|client) (?:connect )?error|broken pipe|unexpected (?:end of file|eof)|unable to connect|body stream|response ended prematurely|incomplete (?:message|chunked)/i,
    code: 'network',
    message: 'the connection broke',
  },
];

/** SDKs say what happened by the name of the class only. */
const BY_CLASS: Readonly<Record<string, string>> = {
  APIConnectionTimeoutError: 'ETIMEDOUT',
  APIConnectionError: 'ECONNRESET',
  TimeoutError: 'ETIMEDOUT',
};

const MAX_DEPTH = 6;

/**
 * Makes an `LLMError` of what a call threw before there was an answer, or while it was read: by the codes of the error
 * and its causes, as Node hides what went wrong in the cause of `TypeError: fetch failed`, or else by its words.
 */
export function networkFailure(cause: unknown): LLMError {
  const chain = chainOf(cause);
  const codes = chain.flatMap((error) =>
    'code' in error && typeof error.code === 'string' ? [error.code] : [],
  );
  const code = codes.at(-1);
  const known = CAUSES.find((kind) => codes.some((each) => kind.codes.has(each)));
  if (known) return errorOf(known, code, cause);
  if (codes.some((each) => each.startsWith('ERR_INVALID'))) return objection(cause, code);
  const words = chain.map(({ message }) => message).join(' ');
  const said = CAUSES.find((kind) => kind.words.test(words));
  if (said) return errorOf(said, code, cause, messageOf(cause));
  const named = chain
    .map(({ name, constructor }) => BY_CLASS[name] ?? BY_CLASS[constructor.name])
    .find(Boolean);
  const byClass = CAUSES.find((kind) => named !== undefined && kind.codes.has(named));
  if (byClass) return errorOf(byClass, code, cause, messageOf(cause));
  return code === undefined ? objection(cause, code) : broken(cause, code);
}

function errorOf(
  kind: NetworkCause,
  code: string | undefined,
  cause: unknown,
  words?: string,
): LLMError {
  const what = code ?? words;
  const hint = kind.hint === undefined ? '' : `: ${kind.hint}`;
  const message = `${kind.message}${what === undefined ? '' : ` (${what})`}${hint}`;
  return new LLMError(kind.code, message, {
    cause,
    ...(kind.isFinal ? { isRetryable: false } : {}),
  });
}

/** Returns the failure of an SDK that refused its input before it called the server. */
function objection(cause: unknown, code: string | undefined): LLMError {
  return new LLMError('invalid_request', failed(cause, code), { cause });
}

function broken(cause: unknown, code: string): LLMError {
  return new LLMError('network', failed(cause, code), { cause });
}

function failed(cause: unknown, code: string | undefined): string {
  return `the call failed: ${messageOf(cause)}${code === undefined ? '' : ` (${code})`}`;
}

/** Returns the error and its causes; of several at once, as of one address after the other, all. */
function chainOf(error: unknown, depth: number = 0): Error[] {
  if (!isError(error) || depth > MAX_DEPTH) return [];
  const several: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [
    error,
    ...chainOf(error.cause, depth + 1),
    ...several.flatMap((each) => chainOf(each, depth + 1)),
  ];
}
