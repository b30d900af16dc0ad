import { numberOf, stringOf } from '../json/fields.ts';
import type { HttpFailure } from '../wire/http-failure.ts';

/** Takes a `ResponseError` of the SDK apart, or the plain error that it makes of one in a stream. */
export function readFailure(error: unknown): HttpFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('status_code' in error) {
    const text = 'error' in error ? (stringOf(error.error) ?? error.message) : error.message;
    return { status: numberOf(error.status_code), text: withAdvice(text) };
  }
  const isPlain = error.constructor === Error && error.cause === undefined && !('code' in error);
  return isPlain ? { text: withAdvice(error.message) } : undefined;
}

function withAdvice(text: string): string {
  const model = /model ['"]?([^\s'"]+)['"]? not found/i.exec(text)?.[1];
  if (model !== undefined) return `${text}: ollama pull ${model}`;
  return /exceeds? the (available )?context/i.test(text) ? `${text}: raise contextWindow` : text;
}
