import { fieldsOf, listOf, numberOf, stringOf } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { FinishReason } from '../../models/events.ts';
import type { Part } from '../../models/message.ts';
import { type FakeReply, type FakeUsage, piecesOf, toolInput } from './fake-answer.ts';
import { type FakeWire, frame, textsIn } from './fake-wire.ts';
import { retryInfo, waitHint, type Refusal, type RefusalBody } from './refusal.ts';

const FINISH: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  error: 'OTHER',
  unknown: 'FINISH_REASON_UNSPECIFIED',
};

/**
 * The Gemini API of Google AI, `v1` and `v1beta`. The signature of a thought is taken from
 * `meta.gemini.thoughtSignature` of a part, and sent with its last piece.
 */
export const geminiWire: FakeWire = {
  framing: 'sse',
  contentType: 'text/event-stream',
  isStream: (_body, { action }) => action === 'streamGenerateContent',
  contextLimit: (_body, tokens) => (tokens === undefined ? undefined : { tokens, isSilent: false }),

  promptTexts(body) {
    const inner = fieldsOf(body['generateContentRequest'] ?? body);
    return [inner['systemInstruction'], ...listOf(inner['contents'])].flatMap(contentTexts);
  },

  frames(reply) {
    const last = lastContent(reply);
    return [
      ...contentParts(reply, reply.chunkSize).map((part) =>
        frame('content', response(reply, { content: { parts: [part], role: 'model' } })),
      ),
      frame('close', response(reply, { content: last, ...finish(reply) })),
    ];
  },

  whole(reply) {
    const parts = contentParts(reply, Infinity);
    const content = { ...(parts.length === 0 ? {} : { parts }), role: 'model' };
    return response(reply, { content, ...finish(reply) });
  },

  models(ids, model, contextLength) {
    const entry = (id: string): JsonObject => ({
      name: `models/${id}`,
      version: '001',
      displayName: id,
      inputTokenLimit: contextLength,
      outputTokenLimit: 8192,
      supportedGenerationMethods: ['generateContent', 'countTokens', 'embedContent'],
    });
    return model === '' ? { models: ids.map(entry) } : entry(model);
  },

  embeddingInput(body) {
    const isSingle = body['requests'] === undefined;
    const requests = (isSingle ? [body] : listOf(body['requests'])).map(fieldsOf);
    return {
      texts: requests.map(({ content }) => contentTexts(content).join('')),
      dimensions: numberOf(requests[0]?.['outputDimensionality']),
      isSingle,
    };
  },

  embeddings({ vectors, isSingle }) {
    const embeddings = vectors.map(({ vector }) => ({ values: Array.from(vector) }));
    return isSingle ? { embedding: embeddings[0] ?? {} } : { embeddings };
  },

  count: (tokens) => ({
    totalTokens: tokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }],
  }),

  refuse: refuseGemini,
  streamError: geminiStreamError,
};

function contentTexts(content: unknown): readonly string[] {
  return textsIn(fieldsOf(content)['parts']);
}

function contentParts(reply: FakeReply, chunkSize: number): readonly JsonObject[] {
  return reply.parts.flatMap((part): readonly JsonObject[] => {
    const signature = stringOf(part.meta?.['gemini']?.['thoughtSignature']);
    const signed = signature === undefined ? {} : { thoughtSignature: signature };
    if (part.type === 'tool-call') {
      if (reply.hasBadToolInput) return [];
      const { name, input } = part;
      return [{ functionCall: { name, args: isArguments(input) ? input : {} }, ...signed }];
    }
    if (part.type !== 'text' && part.type !== 'reasoning') return [];
    const pieces = chunkSize === Infinity ? [part.text] : piecesOf(part.text, chunkSize);
    return pieces.map((text, index) => ({
      text,
      ...(part.type === 'reasoning' ? { thought: true } : {}),
      ...(index === pieces.length - 1 ? signed : {}),
    }));
  });
}

function isArguments(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the content next to the finish reason: an empty text, or no parts at all in an empty answer. */
function lastContent({ parts }: FakeReply): JsonObject {
  return parts.length === 0 ? { role: 'model' } : { parts: [{ text: '' }], role: 'model' };
}

function finish(reply: FakeReply): JsonObject {
  if (!reply.hasBadToolInput) return { finishReason: FINISH[reply.finishReason] };
  const calls = reply.parts.flatMap((part: Part) =>
    part.type === 'tool-call' ? [`${part.name}(${toolInput(part, true)}`] : [],
  );
  const finishMessage = `Malformed function call: ${calls.join('; ')}`;
  return { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage };
}

function response({ number, model, usage }: FakeReply, candidate: JsonObject): JsonObject {
  return {
    candidates: [{ ...candidate, index: 0 }],
    ...(usage ? { usageMetadata: toUsage(usage) } : {}),
    modelVersion: model,
    responseId: `fake-${number}`,
  };
}

function toUsage({ input, output, reasoning, cached }: FakeUsage): JsonObject {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
    ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
  };
}

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

/** Google says this for limits of a minute too: only `quotaId` distinguishes a day from a minute. */
const OVER_QUOTA =
  'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.';

/** Returns a refusal in the words of Google: `{ error: { code, message, status, details } }`. */
function refuseGemini(refusal: Refusal): RefusalBody {
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

/** Returns an error within a stream of Gemini. */
function geminiStreamError(message: string, code: string | number = 503): JsonObject {
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
