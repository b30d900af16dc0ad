import { readErrorBody } from '../adapter-kit/error-body.ts';
import { kindsIn } from '../adapter-kit/failure-words.ts';
import { numberOf, stringOf } from '../json/fields.ts';
import type { HttpFailure } from '../adapter-kit/http-failure.ts';
import { isError } from '../errors.ts';

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
