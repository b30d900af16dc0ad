import {
  LLMError,
  messageOf,
  StorageError,
  type ErrorJson,
  type JsonObject,
  type LLMErrorCode,
  type StorageErrorCode,
} from '@vizprompt/providers';
import { WorkflowError, type WorkflowErrorCode } from '../errors.ts';
import { toErrorJson } from '../run/failure.ts';

/** An error with its causes, as it goes from one process to another. */
export interface SentError {
  readonly json: ErrorJson;
  /** Of an `LLMError`. */
  readonly details?: JsonObject;
  readonly cause?: SentError;
}

const DETAILS = [
  'provider',
  'modelId',
  'status',
  'requestId',
  'retryAfterMs',
  'outputStarted',
  'isRetryable',
] as const;
/** Causes that are passed on. */
const DEPTH = 5;

export function sendError(error: unknown, depth: number = DEPTH): SentError {
  const json = toErrorJson(error);
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return {
    json,
    ...(LLMError.isInstance(error) ? { details: detailsOf(error) } : {}),
    ...(cause === undefined || depth === 0 ? {} : { cause: sendError(cause, depth - 1) }),
  };
}

/** The error again: of the classes of the SDK those that runs end with, of others their name and message. */
export function receiveError({ json, details, cause }: SentError): Error {
  const { name, code, message, context } = json;
  const more = { context, ...(cause ? { cause: receiveError(cause) } : {}) };
  if (name === 'WorkflowError') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by its name
    return new WorkflowError(code as WorkflowErrorCode, message, more);
  }
  if (name === 'LLMError') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by its name
    return new LLMError(code as LLMErrorCode, message, { ...details, ...more });
  }
  if (name === 'StorageError') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by its name
    return new StorageError(code as StorageErrorCode, message, more);
  }
  const error = new Error(message, more.cause === undefined ? {} : { cause: more.cause });
  error.name = name;
  if (code !== 'unknown') Object.assign(error, { code, context });
  return error;
}

function detailsOf(error: LLMError): JsonObject {
  const found: [string, string | number | boolean][] = [];
  for (const name of DETAILS) {
    const value = error[name];
    if (value !== undefined) found.push([name, value]);
  }
  return Object.fromEntries(found);
}

/** What a run ended with, as an error of this package. */
export function endedWith(json: ErrorJson): WorkflowError {
  const error = receiveError({ json });
  if (WorkflowError.isInstance(error)) return error;
  return new WorkflowError('step-failed', messageOf(error), { cause: error });
}
