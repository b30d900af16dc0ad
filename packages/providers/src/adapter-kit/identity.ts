import { LLMError, type LLMErrorDetails } from '../models/llm-error.ts';
import { redact } from '../redact/redact.ts';
import { isError } from '../errors.ts';

/** Identifies a call, for errors. */
export interface CallIdentity {
  readonly provider: string;
  readonly modelId: string;
  /** Where the call goes, without secrets; empty where it is not known. */
  readonly address: string;
  /** The environment variable that holds the key. */
  readonly keyName?: string | undefined;
  /** Never to be seen in a message. */
  readonly secrets: readonly string[];
}

const MAX_LENGTH = 600;

/** Headers with the provider's id of a request. */
const REQUEST_IDS = ['x-request-id', 'x-generation-id', 'request-id'];

/** Returns the same error with who it happened to, and without secrets, in the message and in the cause. */
export function identify(
  error: LLMError,
  identity: CallIdentity,
  headers: Headers | undefined,
  details: LLMErrorDetails,
): LLMError {
  const { provider, modelId, address, secrets } = identity;
  const where = address === '' ? '' : ` at ${address}`;
  const requestId = REQUEST_IDS.map((name) => headers?.get(name)).find(Boolean) ?? undefined;
  return new LLMError(
    error.code,
    shorten(withoutSecrets(`${provider} model '${modelId}'${where}: ${error.message}`, secrets)),
    {
      provider,
      modelId,
      ...(error.status === undefined ? {} : { status: error.status }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
      isRetryable: error.isRetryable,
      ...(error.cause === undefined ? {} : { cause: plainCause(error.cause, secrets) }),
      context: address === '' ? error.context : { ...error.context, address },
      ...details,
    },
  );
}

/** Errors of SDKs carry the request with its headers: of them the name and message are kept. */
function plainCause(cause: unknown, secrets: readonly string[]): unknown {
  if (!isError(cause)) return cause;
  const plain = new Error(shorten(withoutSecrets(cause.message, secrets)));
  plain.name = cause.name;
  return plain;
}

/** Long messages are cut when no secret is in them any more. */
function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : text;
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const rest = secrets
    .filter((secret) => secret.length >= 4)
    .reduce((text_, secret) => text_.replaceAll(secret, '[redacted:api-key]'), text);
  return redact(rest).text;
}
