import type { LLMErrorCode } from '../models/llm-error.ts';

/** A refusal of a provider, as it came over the wire. */
export interface HttpFailure {
  /** Absent for a failure that came within a stream. */
  readonly status?: number | undefined;
  /** The provider's own code or type, such as `insufficient_quota`. */
  readonly reason?: string | undefined;
  /** The provider's sentence. */
  readonly text: string;
  /** More that the provider says, for the code and the wait, not for people. */
  readonly details?: string | undefined;
}

const TOO_LONG =
  /context[_ -]?(length|window)|maximum context|too many (input )?tokens|prompt is too long|input (length|token count).{0,40}exceed|exceeds? the (available )?context|num_ctx/i;
const OUT_OF_QUOTA =
  /insufficient[_ ](quota|balance|credits?|funds)|billing_|out of credits|payment required|PerDay|credit balance|(?:daily|weekly|monthly|usage) limit/i;
const FILTERED =
  /content[_ ]?(filter|policy|management)|safety (system|settings)|PROHIBITED_CONTENT/i;
const NO_CAPACITY = /overloaded|no capacity|capacity (exceeded|reached)|UNAVAILABLE/i;
const NO_MODEL = /model.{0,80}(not found|does not exist|not exist)|model_not_found|unknown model/i;
const BAD_KEY = /api[_ ]?key.{0,30}(invalid|not valid|expired|missing)|invalid[_ ]api[_ ]key/i;
const UNSUPPORTED = /does not support|not supported|unsupported/i;

/** The code of a failure: by what the provider says, and by the status where it says nothing. */
export function codeOf({ reason = '', text, details = '', ...failure }: HttpFailure): LLMErrorCode {
  // A failure behind a status of success came within the stream.
  const status = (failure.status ?? 0) >= 400 ? failure.status : undefined;
  const said = `${reason} ${text} ${details}`;
  if (status === 402) return 'quota';
  if (status === 429) return OUT_OF_QUOTA.test(said) ? 'quota' : 'rate_limit';
  if (status === 401) return 'auth';
  if (status === 403) return BAD_KEY.test(said) ? 'auth' : 'permission';
  if (status === 404) return 'not_found';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'context_length';
  if (status === 503 || status === 529) return 'overloaded';
  if (status !== undefined && status >= 500) return 'server';
  if (TOO_LONG.test(said)) return 'context_length';
  if (FILTERED.test(said)) return 'content_filter';
  if (BAD_KEY.test(said)) return 'auth';
  if (NO_MODEL.test(said)) return 'not_found';
  if (status !== undefined) return UNSUPPORTED.test(said) ? 'unsupported' : 'invalid_request';
  if (OUT_OF_QUOTA.test(said)) return 'quota';
  if (/rate.?limit|RESOURCE_EXHAUSTED|too many requests/i.test(said)) return 'rate_limit';
  return NO_CAPACITY.test(said) ? 'overloaded' : 'server';
}

/** What the user can do about a code, as the end of a sentence. */
export function adviceFor(code: LLMErrorCode, keyName: string | undefined): string {
  switch (code) {
    case 'auth':
      return keyName ? `check ${keyName} or pass apiKey` : 'check the key';
    case 'permission':
      return 'the key is not allowed to use this model';
    case 'not_found':
      return 'check the name of the model and the address';
    case 'quota':
      return 'the account has no allowance left; waiting does not help';
    case 'context_length':
      return 'send fewer or shorter messages';
    default:
      return '';
  }
}
