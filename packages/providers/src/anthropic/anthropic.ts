import type { Anthropic } from '@anthropic-ai/sdk';
import { checkOptions, SERVER_OPTIONS } from '../adapter-kit/check-options.ts';
import { defineModel } from '../adapter-kit/define-model.ts';
import { readApiError } from '../adapter-kit/error-body.ts';
import { failureOf } from '../adapter-kit/explain.ts';
import type { HttpFailure } from '../adapter-kit/http-failure.ts';
import { readCapabilities } from '../adapter-kit/model-record.ts';
import { RefusedFields } from '../adapter-kit/refused-fields.ts';
import { unsentFiles, type Wire } from '../adapter-kit/wire.ts';
import { LruMap } from '../collections/lru-map.ts';
import { type Kinds, OBJECT, oneOf, optional, TEXTS } from '../input/kinds.ts';
import {
  type Fields,
  fieldsOf,
  jsonOf,
  listOf,
  numberOf,
  omitUndefined,
  stringOf,
} from '../json/fields.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { ChatModel, ModelCapabilities, ModelInfo } from '../models/chat-model.ts';
import type { ChatEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { ChatRequest, TokenCount } from '../models/request.ts';
import { traitsOf } from './model-traits.ts';
import {
  type AnthropicConnection,
  clientFor,
  resolveAnthropic,
  type ResolvedAnthropic,
  type Settings,
} from './options.ts';
import { EventReader } from './read-stream.ts';
import { DROPPABLE } from './refused-fields.ts';
import { toolNames } from './write-messages.ts';
import { type RequestDefaults, writeRequest, type WrittenRequest } from './write-request.ts';

/** Options of `anthropic`. */
export interface AnthropicOptions extends AnthropicConnection {
  /**
   * The lifetime of the server's prompt cache, which makes the repeated start of the next request cheaper. To set your
   * own cache breakpoint, use `cacheControl` in the `meta.anthropic` of a part or a message. Default: no cache.
   */
  readonly cache?: '5m' | '1h' | undefined;
  /** The capabilities of the model, if you know more than this package. */
  readonly capabilities?: ModelCapabilities | undefined;
}

const OPTIONS: Kinds<AnthropicOptions> = {
  ...SERVER_OPTIONS,
  betas: optional(TEXTS),
  cache: optional(oneOf('5m', '1h')),
  capabilities: optional(OBJECT),
};

/**
 * Creates a Claude, or another model that uses Anthropic's Messages API. It sends thoughts back with their signatures,
 * and server tools with their results, and continues a turn that the server pauses. Settings that only this API has go
 * into `providerOptions.anthropic`; its `tools` are added to those of the request, and its `betas` to the header.
 *
 * The first call loads the package `@anthropic-ai/sdk` (1.0 or newer). If the server refuses an optional field, this
 * call and all later ones omit it, with a warning in the `start` event.
 *
 * @example
 * ```ts
 * const model = anthropic({ model: 'claude-sonnet-5-5', cache: '5m' });
 * const { text } = await model.generate({ messages: [textMessage('user', '猫は好き？')] });
 * ```
 */
export function anthropic(options: AnthropicOptions): ChatModel {
  const { model, cache } = checkOptions('anthropic', options, OPTIONS);
  const connection = resolveAnthropic(options);
  const traits = traitsOf(model);
  const defaults: RequestDefaults = { model, betas: connection.betas, cache };
  return defineModel({
    identity: connection.identity,
    capabilities: options.capabilities ?? traits.capabilities,
    fetch: options.fetch,
    isEventStream: 'named',
    readFailure: readApiError,
    call: (request, wire) => call(connection, defaults, { request, traits }, wire),
    prepare: (wire) => clientFor(connection, wire),
    listModels: (wire) => listModels(connection, wire),
    countTokens: (request, wire) => countTokens(connection, defaults, { request, traits }, wire),
  });
}

/** Maximum number of times that a turn is continued after the server paused it. */
const MAX_PAUSES = 16;

async function* call(
  connection: ResolvedAnthropic,
  defaults: RequestDefaults,
  asked: Settings,
  wire: Wire,
): AsyncGenerator<readonly ChatEvent[]> {
  const client = await clientFor(connection, wire);
  const key = `anthropic ${connection.baseURL} ${defaults.model}`;
  const refused = new RefusedFields(key, DROPPABLE);
  const { request } = asked;
  let reader: EventReader | undefined;
  let tokenLimit = knownTokenLimit(key);
  let pauses = 0;
  for (;;) {
    const said = reader?.parts ?? [];
    const messages =
      said.length > 0
        ? [...request.messages, { role: 'assistant', parts: said } as const]
        : request.messages;
    const plainSettings = { ...asked, request: { ...request, messages } };
    const { body: plain, warnings } = writeRequest(defaults, { ...plainSettings, tokenLimit });
    const settings = { ...refused.adapt(plainSettings, plain), tokenLimit };
    const written = writeRequest(defaults, settings);
    let hasBegun = reader !== undefined;
    try {
      const unsent = unsentFiles(request.messages, ['system']);
      reader ??= new EventReader({
        warnings: refused.warnings(plain, [...warnings, ...unsent]),
        hasThinkTags: !connection.isOwn,
        nameOf: toolNames(request),
      });
      for await (const event of await open(client, written, wire)) {
        wire.large.restore(event);
        const events = reader.read(event);
        hasBegun = true;
        yield events;
      }
      if (reader.isPaused && pauses++ < MAX_PAUSES) {
        yield reader.pause();
        continue;
      }
      yield reader.end();
      return;
    } catch (error) {
      const failure = hasBegun ? undefined : failureOf(error, { readFailure: readApiError }, wire);
      if (!failure) throw error;
      const limit = limitIn(failure, key, request, written.body);
      if (limit === undefined && !refused.add(failure, { body: written.body, plain, settings }))
        throw error;
      tokenLimit = limit ?? tokenLimit;
      reader = undefined;
    }
  }
}

/** Returns the token limit from a refusal, if the request itself set no limit. */
function limitIn(
  failure: HttpFailure,
  key: string,
  { maxOutputTokens }: ChatRequest,
  body: JsonObject,
): number | undefined {
  if (maxOutputTokens !== undefined || (failure.status ?? 400) >= 500) return undefined;
  return readTokenLimit(key, failure, numberOf(body['max_tokens']) ?? 0);
}

/** Returns the events of an answer; of a server that gives no streams, the whole answer as one. The SDK's own method prints. */
async function open(
  client: Anthropic,
  { body, headers }: WrittenRequest,
  { signal }: Wire,
): Promise<AsyncIterable<unknown> | Iterable<unknown>> {
  const stream = body['stream'] === true;
  const answer: unknown = await client.post('/v1/messages', { body, headers, signal, stream });
  return isStream(answer) ? answer : [answer];
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function countTokens(
  connection: ResolvedAnthropic,
  defaults: RequestDefaults,
  settings: Settings,
  wire: Wire,
): Promise<TokenCount> {
  const client = await clientFor(connection, wire);
  const { body, headers } = writeRequest(defaults, { ...settings, isWhole: true });
  const { max_tokens: _, container: _container, ...counted } = body;
  const { signal } = wire;
  const answer: unknown = await client.post('/v1/messages/count_tokens', {
    body: counted,
    headers,
    signal,
  });
  const tokens = numberOf(fieldsOf(answer)['input_tokens']);
  if (tokens !== undefined) return { tokens, exact: true };
  throw new LLMError('bad_response', 'the server did not report the number of tokens');
}

/** More pages would be a server that gives the same one for ever. */
const MAX_PAGES = 100;

/** Lists the models of the server, page by page, with what the server reports and their names imply. */
async function listModels(
  connection: ResolvedAnthropic,
  wire: Wire,
): Promise<readonly ModelInfo[]> {
  const client = await clientFor(connection, wire);
  const models: ModelInfo[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { limit: 1000, ...(after === undefined ? {} : { after_id: after }) };
    const answer: unknown = await client.get('/v1/models', { query, signal: wire.signal });
    const { data, has_more: hasMore, last_id: last } = fieldsOf(answer);
    models.push(...listOf(data).flatMap((record) => infoOf(fieldsOf(record))));
    if (hasMore !== true || typeof last !== 'string' || last === after) break;
    after = last;
  }
  return models;
}

function infoOf(record: Fields): ModelInfo[] {
  const id = stringOf(record['id']);
  if (id === undefined) return [];
  const name = stringOf(record['display_name']);
  return [
    {
      id,
      ...(name && name !== id ? { name } : {}),
      capabilities: {
        ...traitsOf(id).capabilities,
        ...readCapabilities(record),
        ...omitUndefined({ maxOutputTokens: numberOf(record['max_tokens']) }),
      },
      raw: jsonOf(record),
    },
  ];
}

/** Maximum tokens of an answer, from the errors of servers, by server and model. */
const known = new LruMap<string, number>(1000);

/** Returns the limit that a server reported. */
function knownTokenLimit(key: string): number | undefined {
  return known.get(key);
}

/**
 * Reads the maximum tokens of an answer from a refusal. A limit of the model is cached; a limit that depends on the
 * prompt applies to that prompt only.
 *
 * Sources: `max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for …` and `input length and
 * `max_tokens` exceed context limit: 190000 + 64000 > 200000` (Anthropic), `The maximum tokens you requested exceeds the
 * model limit of 8192` (Bedrock), `'max_tokens' … is too large: 16384. This model's maximum context length is 4096 tokens
 * and your request has 10 input tokens` (vLLM), `max_tokens must be less than or equal to 8192` (DeepSeek, Moonshot),
 * `Invalid max_tokens value, the valid range of max_tokens is [1, 8192]` (DeepSeek).
 */
function readTokenLimit(key: string, { text }: HttpFailure, sent: number): number | undefined {
  const beside = besidePrompt(text);
  const limit = beside ?? ofModel(text);
  if (limit === undefined || limit < 1 || limit >= sent) return undefined;
  if (beside === undefined) known.set(key, limit);
  return limit;
}

function besidePrompt(text: string): number | undefined {
  const [, input, , window] = /(?<!\d)(\d+) \+ (\d+) > (\d+)/.exec(text) ?? [];
  if (input !== undefined && window !== undefined) return Number(window) - Number(input);
  const [, context, prompt] =
    /maximum context length is (\d+) tokens[^.]{0,40}?(?:request has|requested|messages? ha(?:s|ve)) (\d+) (?:input )?tokens/i.exec(
      text,
    ) ?? [];
  return context === undefined || !/max_(?:completion_)?tokens/.test(text)
    ? undefined
    : Number(context) - Number(prompt);
}

function ofModel(text: string): number | undefined {
  if (!/max_tokens|max_completion_tokens|maximum tokens|output tokens/i.test(text))
    return undefined;
  const [, told] =
    /\d > (\d+), which is the maximum/.exec(text) ??
    /(?:limit(?: of| is)?|at most|maximum(?: value)?(?: of| is)?|(?:less than or equal to|<=|lower than|not exceed|up to)|between \d+ and|\[\d+, ?) ?(\d{2,})/i.exec(
      text,
    ) ??
    [];
  return told === undefined ? undefined : Number(told);
}
