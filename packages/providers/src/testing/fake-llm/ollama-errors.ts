import type { JsonObject } from '../../json/json-value.ts';
import { retryInfo, waitHint, type Refusal, type RefusalBody } from './refusal.ts';

/** A refusal in the words of Ollama: `{ error: 'text' }`. */
export function refuseOllama(refusal: Refusal): RefusalBody {
  switch (refusal.type) {
    case 'key':
      return { status: 401, body: ollamaError('unauthorized') };
    case 'model':
      return { status: 404, body: ollamaError(`model '${refusal.model}' not found`) };
    case 'field': {
      const what = refusal.field === 'think' ? 'thinking' : refusal.field;
      return { status: 400, body: ollamaError(`"${refusal.model}" does not support ${what}`) };
    }
    case 'context':
      return { status: 400, body: ollamaError('the input length exceeds the context length') };
    case 'quota': {
      const text =
        'you (fake) have reached your weekly usage limit, upgrade for higher limits: https://ollama.com/upgrade';
      return { status: 429, body: ollamaError(text) };
    }
    case 'rate-limit': {
      const details = retryInfo(refusal);
      const body = ollamaError(`too many requests.${waitHint(refusal, 'try again')}`);
      return { status: 429, body: details.length === 0 ? body : { ...body, details } };
    }
    default:
      return { status: refusal.status, body: ollamaError(refusal.message) };
  }
}

/** What Ollama says of a tool call whose arguments it cannot read. */
export function badToolInput(raw: string): JsonObject {
  return ollamaError(`error parsing tool call: raw='${raw}', err=unexpected end of JSON input`);
}

/** An error of Ollama, as an answer or as a line of a stream. */
export function ollamaError(text: string): JsonObject {
  return { error: text };
}
