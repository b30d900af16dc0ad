import type { JsonObject } from '../../json/json-value.ts';
import { retryInfo, waitHint, type Refusal, type RefusalBody } from './refusal.ts';

/** A refusal in the words of OpenAI: `{ error: { message, type, param, code } }`. */
export function refuseOpenAI(refusal: Refusal): RefusalBody {
  switch (refusal.type) {
    case 'key': {
      const message = refusal.isMissing
        ? "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth."
        : 'Incorrect API key provided: wrong. You can find your API key in your account settings.';
      return error(401, message, { code: refusal.isMissing ? null : 'invalid_api_key' });
    }
    case 'model':
      return error(
        404,
        `The model \`${refusal.model}\` does not exist or you do not have access to it.`,
        { code: 'model_not_found' },
      );
    case 'field':
      return error(
        400,
        `Unsupported parameter: '${refusal.field}' is not supported with this model.`,
        { code: 'unsupported_parameter', param: refusal.field },
      );
    case 'context':
      return error(
        400,
        `This model's maximum context length is ${refusal.limit} tokens. However, your messages resulted in ${refusal.tokens} tokens. Please reduce the length of the messages.`,
        { code: 'context_length_exceeded', param: 'messages' },
      );
    case 'quota':
      return error(
        429,
        'You exceeded your current quota, please check your plan and billing details.',
        { code: 'insufficient_quota', type: 'insufficient_quota' },
      );
    case 'rate-limit': {
      const details = retryInfo(refusal);
      return error(
        429,
        `Rate limit reached for ${refusal.model} on requests per min (RPM): Limit 3, Used 3, Requested 1.${waitHint(refusal, 'try again')}`,
        {
          code: 'rate_limit_exceeded',
          type: 'requests',
          ...(details.length === 0 ? {} : { details }),
        },
      );
    }
    default: {
      const type = refusal.status >= 500 ? 'server_error' : 'invalid_request_error';
      return error(refusal.status, refusal.message, { type });
    }
  }
}

function error(status: number, message: string, rest: JsonObject): RefusalBody {
  const known = { message, type: 'invalid_request_error', param: null, code: null };
  return { status, body: { error: { ...known, ...rest } } };
}
