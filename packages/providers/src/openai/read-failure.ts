import { fieldsOf, numberOf, stringOf } from '../wire/json-fields.ts';
import type { HttpFailure } from '../wire/http-failure.ts';

/** A failure of the server, with the field that it objects to. */
export interface OpenAIFailure extends HttpFailure {
  readonly field?: string | undefined;
}

const NAMED_FIELD =
  /(?:unsupported|unknown|unrecognized|unexpected|extra|invalid)[^'"`]{0,60}['"`]([a-z_.]+)['"`]/i;

/**
 * Takes an `APIError` of the SDK apart, in all the forms that servers give errors: `{ error: { message,
 * type, code, param } }`, `{ error: "text" }`, `{ message }`, `{ detail }`, FastAPI's list of details.
 */
export function readFailure(error: unknown): OpenAIFailure | undefined {
  if (!(error instanceof Error) || !('status' in error) || !('error' in error)) return undefined;
  if (/Connection(Timeout)?Error|UserAbort/.test(error.constructor.name)) return undefined;
  const status = numberOf(error.status);
  const body = fieldsOf(error.error);
  const inner = 'error' in body ? body['error'] : error.error;
  const known = fieldsOf(inner);
  const text =
    stringOf(inner) ??
    stringOf(known['message']) ??
    (known['detail'] === undefined ? error.message : JSON.stringify(known['detail']));
  const numericCode = numberOf(known['code']);
  const reason = [known['code'], known['type'], known['status']].map(stringOf).find(Boolean);
  return {
    status: status ?? (numericCode !== undefined && numericCode >= 400 ? numericCode : undefined),
    reason,
    text: withDetails(text, known),
    details: JSON.stringify(error.error ?? null),
    field: stringOf(known['param']) || fieldIn(text),
  };
}

/** Providers behind OpenRouter put their own words into `metadata.raw`. */
function withDetails(text: string, known: Readonly<Record<string, unknown>>): string {
  const raw = stringOf(fieldsOf(known['metadata'])['raw']);
  return raw === undefined ? text : `${text}: ${raw}`;
}

/** FastAPI (vLLM, Mistral) gives the path of the field in `loc`. */
function fieldIn(text: string): string | undefined {
  const path = /"loc":\["body","([a-z_]+)"/.exec(text)?.[1];
  return path ?? NAMED_FIELD.exec(text)?.[1];
}
