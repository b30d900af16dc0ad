import { fieldsOf, numberOf, stringOf } from '../json/fields.ts';
import type { HttpFailure } from '../wire/http-failure.ts';

/** A failure of the server, with the field that it does not take. */
export interface OpenAIFailure extends HttpFailure {
  readonly refused?:
    | {
        readonly field: string;
        /** It is the field that is not taken; otherwise only this value of it. */
        readonly isForGood: boolean;
      }
    | undefined;
}

const UNKNOWN_FIELD =
  /(?:unsupported|unknown|unrecognized|unexpected|extra)(?! value)[^'"`]{0,60}['"`]([a-z_.]+)['"`]/i;
const NOT_SUPPORTED = /['"`]?([a-z_]+)['"`]? (?:is|are) not (?:supported|permitted|allowed)/i;
const UNSUPPORTED_CODE = /unsupported_parameter|unknown_parameter|extra_forbidden/;

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
  const details = JSON.stringify(error.error ?? null);
  const reason = [known['code'], known['type'], known['status']].map(stringOf).find(Boolean);
  return {
    status: (status ?? 0) < 400 && (numericCode ?? 0) >= 400 ? numericCode : status,
    reason,
    text: withDetails(text, known),
    details,
    refused: refusedIn(reason, stringOf(known['param']), text, details),
  };
}

/** Providers behind OpenRouter put their own words into `metadata.raw`. */
function withDetails(text: string, known: Readonly<Record<string, unknown>>): string {
  const raw = stringOf(fieldsOf(known['metadata'])['raw']);
  return raw === undefined ? text : `${text}: ${raw}`;
}

/** A value that is too large or a schema that is none says nothing about the field. */
function refusedIn(
  code: string = '',
  param: string | undefined,
  text: string,
  details: string,
): OpenAIFailure['refused'] {
  // FastAPI (vLLM, Mistral) gives the path of the field in `loc`.
  const extra = /"type":"extra_forbidden","loc":\["body","([a-z_]+)"/.exec(details)?.[1];
  if (extra !== undefined) return { field: extra, isForGood: true };
  const named = UNKNOWN_FIELD.exec(text)?.[1] ?? NOT_SUPPORTED.exec(text)?.[1];
  const isUnknown = UNSUPPORTED_CODE.test(code) || named !== undefined;
  if (/invalid (?:schema|value|type|json)/i.test(text)) return undefined;
  if (code === 'unsupported_value' && param) return { field: param, isForGood: false };
  const field = param || named;
  return isUnknown && field !== undefined ? { field, isForGood: true } : undefined;
}
