import type { GenerateContentParameters, GoogleGenAI } from '@google/genai';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { type CountedRequest, defineModel } from '../adapter-kit/define-model.ts';
import { failureOf } from '../adapter-kit/explain.ts';
import { readCapabilities } from '../adapter-kit/model-record.ts';
import { RefusedFields } from '../adapter-kit/refused-fields.ts';
import { unsentFiles, type Wire } from '../adapter-kit/wire.ts';
import { type Kinds, OBJECT, optional } from '../input/kinds.ts';
import { fieldsOf, jsonOf, stringOf } from '../json/fields.ts';
import type { ChatModel, ModelCapabilities, ModelInfo } from '../models/chat-model.ts';
import type { ChatEvent } from '../models/events.ts';
import type { ChatRequest, TokenCount } from '../models/request.ts';
import {
  clientFor,
  CONNECTION,
  type GeminiConnection,
  readFailure,
  type ResolvedGemini,
  resolveGemini,
} from './options.ts';
import { ChunkReader } from './read-stream.ts';
import { DROPPABLE, type Settings } from './refused-fields.ts';
import { withSystem, writeConfig, writeContents } from './write-request.ts';

/** Options of `gemini`. */
export interface GeminiOptions extends GeminiConnection {
  /** The capabilities of the model, where you know more than this package. */
  readonly capabilities?: ModelCapabilities | undefined;
}

const OPTIONS: Kinds<GeminiOptions> = { ...CONNECTION, capabilities: optional(OBJECT) };

/**
 * Returns a model of Google's Gemini API. Thoughts are signed by Gemini; the signatures are kept in `meta` and
 * go back with the history. Settings that only Gemini has go into `providerOptions.gemini`.
 *
 * The package `@google/genai` (2.23 or newer) is loaded with the first call.
 *
 * @example
 * ```ts
 * const model = gemini({ model: 'gemini-3-flash' });
 * const { text } = await model.generate({ messages: [textMessage('user', '猫は好き？')] });
 * ```
 */
export function gemini(options: GeminiOptions): ChatModel {
  const connection = resolveGemini(checkOptions('gemini', options, OPTIONS));
  return defineModel({
    identity: connection.identity,
    capabilities: options.capabilities ?? { tools: true, jsonSchema: true },
    fetch: options.fetch,
    isEventStream: true,
    readFailure,
    call: (request, wire) => call(connection, request, wire),
    prepare: (wire) => clientFor(connection, wire),
    countTokens: (request, wire) => countTokens(connection, request, wire),
    listModels: (wire) => listModels(connection, wire),
  });
}

async function* call(
  connection: ResolvedGemini,
  request: ChatRequest,
  wire: Wire,
): AsyncGenerator<readonly ChatEvent[]> {
  const client = await clientFor(connection, wire);
  const { modelId: model } = connection.identity;
  const refused = new RefusedFields(`gemini ${connection.baseURL} ${model}`, DROPPABLE);
  const asked: Settings = { request };
  const plain = bodyOf(model, asked);
  for (;;) {
    const settings = refused.adapt(asked, plain);
    let hasBegun = false;
    try {
      const unsent = unsentFiles(request.messages, ['system']);
      const reader = new ChunkReader(refused.warnings(plain, unsent));
      for await (const chunk of await open(client, writeCall(model, settings, wire), settings)) {
        wire.large.restore(chunk);
        const events = reader.read(chunk);
        hasBegun = true;
        yield events;
      }
      yield reader.end();
      return;
    } catch (error) {
      const failure = hasBegun ? undefined : failureOf(error, { readFailure }, wire);
      const body = failure && bodyOf(model, settings);
      if (!failure || !body || !refused.add(failure, { body, plain, settings })) throw error;
    }
  }
}

/** Returns the part of a request that may be refused. */
function bodyOf(model: string, settings: Settings): object {
  const { config } = writeConfig(model, settings);
  const { system } = writeContents(settings.request.messages, model);
  return {
    ...config,
    ...(system === '' || settings.isSystemSaid ? {} : { systemInstruction: system }),
    ...(settings.isWhole ? {} : { stream: true }),
  };
}

function writeCall(model: string, settings: Settings, wire: Wire): GenerateContentParameters {
  const { request, isSystemSaid = false } = settings;
  const { contents, system } = writeContents(request.messages, model);
  const { config, instruction } = writeConfig(model, settings);
  const said = [system, instruction].filter((text) => text !== '').join('\n\n');
  return {
    model,
    contents: isSystemSaid ? withSystem(contents, said) : contents,
    config: {
      ...(said === '' || isSystemSaid ? {} : { systemInstruction: said }),
      ...(request.headers ? { httpOptions: { headers: { ...request.headers } } } : {}),
      ...config,
      abortSignal: wire.signal,
    },
  };
}

/** Returns the chunks of an answer; of a server that gives no streams, the whole answer as one. */
async function open(
  client: GoogleGenAI,
  parameters: GenerateContentParameters,
  { isWhole = false }: Settings,
): Promise<AsyncIterable<unknown> | Iterable<unknown>> {
  if (isWhole) return [await client.models.generateContent(parameters)];
  return client.models.generateContentStream(parameters);
}

/** The API counts contents only: what the system says and the tools are counted as if they were said. */
async function countTokens(
  connection: ResolvedGemini,
  { messages, tools = [] }: CountedRequest,
  wire: Wire,
): Promise<TokenCount> {
  const client = await clientFor(connection, wire);
  const { contents, system } = writeContents(messages, connection.identity.modelId);
  const more = [system, ...tools.map((tool) => JSON.stringify(tool))].filter(Boolean);
  const { totalTokens = 0 } = await client.models.countTokens({
    model: connection.identity.modelId,
    contents: [...more.map((text) => ({ role: 'user', parts: [{ text }] })), ...contents],
    config: { abortSignal: wire.signal },
  });
  return { tokens: totalTokens, exact: more.length === 0 };
}

/** Lists the models of Gemini that generate content. */
async function listModels(connection: ResolvedGemini, wire: Wire): Promise<readonly ModelInfo[]> {
  const client = await clientFor(connection, wire);
  const pager = await client.models.list({ config: { pageSize: 1000, abortSignal: wire.signal } });
  const models: ModelInfo[] = [];
  for await (const model of pager) {
    const id = (model.name ?? '').replace(/^models\//, '');
    const actions = model.supportedActions ?? [];
    if (id === '' || (actions.length > 0 && !actions.includes('generateContent'))) continue;
    const name = stringOf(model.displayName);
    models.push({
      id,
      ...(name && name !== id ? { name } : {}),
      capabilities: { tools: true, jsonSchema: true, ...readCapabilities(fieldsOf(model)) },
      raw: jsonOf(model),
    });
  }
  return models;
}
