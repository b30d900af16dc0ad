import { defineModel } from '../adapter-kit/define-model.ts';
import { readCapabilities } from '../adapter-kit/model-record.ts';
import { readApiError } from '../adapter-kit/error-body.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { fieldsOf, jsonOf, listOf, stringOf, textAt } from '../json/fields.ts';
import type { ChatModel, ModelCapabilities, ModelInfo } from '../models/chat-model.ts';
import type { ChatRequest } from '../models/request.ts';
import { chatCompletions } from './chat/protocol.ts';
import { chooseProtocol } from './choose-protocol.ts';
import { clientFor } from './client.ts';
import { exchange, type ProtocolChoice } from './exchange.ts';
import { mayReason, readsImages } from './model-families.ts';
import {
  checkChatOptions,
  checkResponsesOptions,
  type OpenAIOptions,
  type OpenAIResponsesOptions,
  resolveConnection,
  type ResolvedConnection,
} from './options.ts';
import type { OpenAIProfile } from './profiles.ts';
import { responsesApi } from './responses/protocol.ts';

/**
 * Creates a model of OpenAI, or of any server that speaks OpenAI's Chat Completions: LM Studio, vLLM,
 * llama.cpp, Ollama, OpenRouter, Groq, DeepSeek, Mistral, Gemini and others.
 *
 * The package `openai` (6.49 or newer) is loaded with the first call. A field that the server refuses
 * and that is not needed is left out, once and for all later calls, with a warning in the `start` event.
 *
 * OpenAI's own reasoning models are asked by the Responses API when they have tools, and so are models that have no other;
 * see `api`.
 *
 * @throws LLMError with the code `invalid_request` for an option or a profile that does not exist, or no address.
 *
 * @example
 * ```ts
 * const model = openai({ model: 'gpt-5-mini' });
 * const local = openai({ model: 'qwen3:8b', profile: 'lmstudio' });
 * const other = openai({ model: 'm', baseURL: 'https://llm.example.com/v1', apiKey: '...' });
 * ```
 */
export function openai(options: OpenAIOptions): ChatModel {
  const { api } = checkChatOptions(options);
  const protocols = {
    chat: chatCompletions,
    responses: responsesApi({ store: false, serverTools: [] }),
  };
  return define(options, (connection, request) =>
    api === undefined ? chooseProtocol(connection, request, protocols) : { first: protocols[api] },
  );
}

/**
 * Creates a model of OpenAI's Responses API, or of a server that speaks it: OpenRouter, xAI, vLLM, LM Studio, Ollama and others.
 * Reasoning is encrypted and goes back with tool calls, nothing is stored by default, and tools of the server (search in
 * the web and in files, Python, pictures, MCP servers, computers) are passed through.
 *
 * The package `openai` (6.49 or newer) is loaded with the first call.
 *
 * @throws LLMError with the code `invalid_request` for an option or a profile that does not exist, or no address.
 *
 * @example
 * ```ts
 * const model = openaiResponses({ model: 'gpt-5', serverTools: [{ type: 'web_search' }] });
 * const { parts } = await model.generate({ messages, reasoning: 'high' });
 * ```
 */
export function openaiResponses(options: OpenAIResponsesOptions): ChatModel {
  const { store = false, serverTools = [] } = checkResponsesOptions(options);
  const first = responsesApi({ store, serverTools });
  return define(options, () => ({ first }));
}

function define(
  options: OpenAIOptions,
  choose: (connection: ResolvedConnection, request: ChatRequest) => ProtocolChoice,
): ChatModel {
  const connection = resolveConnection(options);
  return defineModel({
    identity: connection.identity,
    capabilities: options.capabilities ?? capabilitiesOf(connection.profile, options.model),
    fetch: options.fetch,
    isEventStream: true,
    readFailure: readApiError,
    call: (request, wire) => exchange(connection, choose(connection, request), request, wire),
    prepare: (wire) => clientFor(connection, wire),
    listModels: (wire) => listModels(connection, wire),
  });
}

/** Lists the models of a server: in `data`, in `models`, or as a list alone (Together). */
async function listModels(
  connection: ResolvedConnection,
  wire: Wire,
): Promise<readonly ModelInfo[]> {
  const client = await clientFor(connection, wire);
  const answer: unknown = await client.get('/models', { signal: wire.signal });
  const { data, models } = fieldsOf(answer);
  return listOf(Array.isArray(answer) ? answer : (data ?? models)).flatMap((value) => {
    const record = fieldsOf(value);
    const id = stringOf(value) ?? textAt(record, 'id', 'model', 'name');
    if (!id) return [];
    const name = textAt(record, 'display_name', 'displayName') ?? stringOf(record['name']);
    const known = capabilitiesOf(connection.profile, id);
    return {
      id,
      ...(name && name !== id ? { name } : {}),
      capabilities: { ...known, ...readCapabilities(record) },
      raw: jsonOf(value),
    };
  });
}

/** Returns the known capabilities of a model, by its server and its name. */
function capabilitiesOf({ name, jsonMode }: OpenAIProfile, model: string): ModelCapabilities {
  const jsonSchema = jsonMode !== 'object' && jsonMode !== 'none';
  const ofServer = { tools: true, jsonSchema };
  if (name !== 'openai') return ofServer;
  return {
    ...ofServer,
    reasoning: mayReason(model),
    ...(readsImages(model) ? { inputMediaTypes: ['image/*', 'application/pdf'] } : {}),
  };
}
