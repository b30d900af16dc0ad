import type { JsonObject } from '../../json/json-value.ts';
import { retryInfo, waitHint, type Refusal, type RefusalBody } from './refusal.ts';

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Google says this for limits of a minute too: only `quotaId` tells a day from a minute. */
const OVER_QUOTA =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.';

/** A refusal in the words of Google: `{ error: { code, message, status, details } }`. */
export function refuseGemini(refusal: Refusal): RefusalBody {
  switch (refusal.type) {
    case 'key':
      return error(
        400,
        `API key not ${refusal.isMissing ? 'found' : 'valid'}. Please pass a valid API key.`,
        [errorInfo('API_KEY_INVALID')],
      );
    case 'model':
      return error(
        404,
        `models/${refusal.model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
      );
    case 'field': {
      const description = `Invalid JSON payload received. Unknown name "${refusal.field}": Cannot find field.`;
      return error(400, description, [
        { '@type': type('BadRequest'), fieldViolations: [{ description }] },
      ]);
    }
    case 'context':
      return error(
        400,
        `The input token count (${refusal.tokens}) exceeds the maximum number of tokens allowed (${refusal.limit}).`,
      );
    case 'quota':
      return error(429, OVER_QUOTA, [quotaFailure('PerDay', refusal.model)]);
    case 'rate-limit':
      return error(429, `${OVER_QUOTA}${waitHint(refusal, 'retry')}`, [
        quotaFailure('PerMinute', refusal.model),
        ...retryInfo(refusal),
      ]);
    default:
      return error(refusal.status, refusal.message);
  }
}

/** An error within a stream of Gemini. */
export function geminiStreamError(message: string, code: string | number = 503): JsonObject {
  const status = typeof code === 'number' ? (STATUS_NAMES[code] ?? 'UNKNOWN') : code;
  return { error: { code: typeof code === 'number' ? code : 500, message, status } };
}

function error(status: number, message: string, details: readonly JsonObject[] = []): RefusalBody {
  const name = STATUS_NAMES[status] ?? 'UNKNOWN';
  const rest = details.length === 0 ? {} : { details };
  return { status, body: { error: { code: status, message, status: name, ...rest } } };
}

function type(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`;
}

function errorInfo(reason: string): JsonObject {
  const metadata = { service: 'generativelanguage.googleapis.com' };
  return { '@type': type('ErrorInfo'), reason, domain: 'googleapis.com', metadata };
}

function quotaFailure(period: string, model: string): JsonObject {
  const violation = {
    quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
    quotaId: `GenerateRequests${period}PerProjectPerModel-FreeTier`,
    quotaDimensions: { location: 'global', model },
  };
  return { '@type': type('QuotaFailure'), violations: [violation] };
}
