import { fieldsOf, listOf, numberOf } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { FinishReason } from '../../models/events.ts';
import { textOf, type Part } from '../../models/message.ts';
import { type FakeReply, piecesOf, toolInput } from './fake-answer.ts';
import { type FakeWire, frame, textsIn } from './fake-wire.ts';
import { retryInfo, waitHint, type Refusal, type RefusalBody } from './refusal.ts';

/** The part of a prompt that a server with little memory reads when the request does not say. */
const DEFAULT_NUM_CTX = 4096;

const FINISH: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'stop',
  'content-filter': 'stop',
  error: 'stop',
  unknown: 'unload',
};

/** The native API of Ollama: a JSON text a line, tool calls without ids, a context that is cut. */
export const ollamaWire: FakeWire = {
  framing: 'ndjson',
  contentType: 'application/x-ndjson',
  isStream: (body) => body['stream'] !== false,

  promptTexts: (body) =>
    listOf(body['messages']).flatMap((message) => textsIn(fieldsOf(message)['content'])),

  contextLimit(body, limit = Infinity) {
    const asked = numberOf(fieldsOf(body['options'])['num_ctx']) ?? DEFAULT_NUM_CTX;
    return { tokens: Math.min(asked, limit), isSilent: body['truncate'] !== false };
  },

  frames(reply) {
    const contents = reply.parts.flatMap((part): readonly JsonObject[] => {
      if (part.type === 'text') {
        return piecesOf(part.text, reply.chunkSize).map((content) => ({ content }));
      }
      if (part.type === 'reasoning') {
        return piecesOf(part.text, reply.chunkSize).map((thinking) => ({ content: '', thinking }));
      }
      if (part.type !== 'tool-call' || reply.hasBadToolInput) return [];
      return [{ content: '', tool_calls: [toolCall(part)] }];
    });
    const bad = badInput(reply);
    return [
      ...contents.map((content) =>
        frame('content', { ...head(reply), message: assistant(content), done: false }),
      ),
      frame('close', bad ?? { ...head(reply), message: assistant({ content: '' }), ...end(reply) }),
    ];
  },

  whole(reply) {
    const { parts } = reply;
    const thinking = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
    const calls = parts.flatMap((part: Part) =>
      part.type === 'tool-call' ? [toolCall(part)] : [],
    );
    const content = {
      content: textOf(parts),
      ...(thinking === '' ? {} : { thinking }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    return badInput(reply) ?? { ...head(reply), message: assistant(content), ...end(reply) };
  },

  models: ollamaModels,

  embeddingInput: (body) => ({
    texts: textsIn(body['input']),
    dimensions: numberOf(body['dimensions']),
  }),

  embeddings: ({ model, vectors, tokens }) => ({
    model,
    embeddings: vectors.map(({ vector }) => Array.from(vector)),
    total_duration: 1_000_000,
    load_duration: 500_000,
    prompt_eval_count: tokens,
  }),

  refuse: refuseOllama,
  streamError: (text) => ollamaError(text),
};

function head({ model }: FakeReply): JsonObject {
  return { model, created_at: new Date().toISOString() };
}

function assistant(content: JsonObject): JsonObject {
  return { role: 'assistant', ...content };
}

function toolCall({ name, input }: Part & { readonly type: 'tool-call' }): JsonObject {
  return { function: { name, arguments: input } };
}

/** Ollama reads the arguments itself, and gives up where the model wrote no JSON. */
function badInput({ parts, hasBadToolInput }: FakeReply): JsonObject | undefined {
  const call = parts.find(({ type }) => type === 'tool-call');
  return hasBadToolInput && call?.type === 'tool-call'
    ? badToolInput(toolInput(call, true))
    : undefined;
}

function end({ finishReason, usage }: FakeReply): JsonObject {
  return {
    done: true,
    done_reason: FINISH[finishReason],
    total_duration: 3_000_000,
    load_duration: 1_000_000,
    ...(usage
      ? {
          prompt_eval_count: usage.input,
          prompt_eval_duration: 1_000_000,
          eval_count: usage.output,
          eval_duration: 1_000_000,
        }
      : {}),
  };
}

/** Returns a refusal in the words of Ollama: `{ error: 'text' }`. */
function refuseOllama(refusal: Refusal): RefusalBody {
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

/** Returns the words of Ollama for a tool call whose arguments it cannot read. */
function badToolInput(raw: string): JsonObject {
  return ollamaError(`error parsing tool call: raw='${raw}', err=unexpected end of JSON input`);
}

/** Returns an error of Ollama, as an answer or as a line of a stream. */
function ollamaError(text: string): JsonObject {
  return { error: text };
}

const DETAILS = {
  parent_model: '',
  format: 'gguf',
  family: 'llama',
  families: ['llama'],
  parameter_size: '8.0B',
  quantization_level: 'Q4_K_M',
};

/** Returns the list of `/api/tags`, or the model that `/api/show` is asked for. */
function ollamaModels(ids: readonly string[], model: string, contextLength: number): JsonObject {
  if (model !== '') {
    return {
      modelfile: `FROM ${model}`,
      template: '{{ .Prompt }}',
      details: DETAILS,
      model_info: {
        'general.architecture': 'llama',
        'llama.context_length': contextLength,
        'llama.embedding_length': 8,
      },
      capabilities: ['completion', 'tools', 'thinking'],
      modified_at: '2025-01-01T00:00:00Z',
    };
  }
  const entry = (id: string): JsonObject => ({
    name: id,
    model: id,
    modified_at: '2025-01-01T00:00:00Z',
    size: 4_920_753_328,
    digest: '0'.repeat(64),
    details: DETAILS,
  });
  return { models: ids.map(entry) };
}
