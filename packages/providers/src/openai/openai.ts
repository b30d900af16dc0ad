import type OpenAI from 'openai';
import type { ChatModel } from '../models/chat-model.ts';
import type { ChatEvent } from '../models/events.ts';
import type { ChatRequest } from '../models/request.ts';
import { defineModel } from '../adapter-kit/define-model.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { clientFor } from './client.ts';
import { resolveConnection, type OpenAIOptions, type ResolvedConnection } from './options.ts';
import { ChunkReader } from './read-stream.ts';
import { readFailure } from './read-failure.ts';
import { RefusedFields } from './refused-fields.ts';
import { writeRequest } from './write-request.ts';

/**
 * A model of OpenAI, or of any server that speaks OpenAI's Chat Completions: LM Studio, vLLM,
 * llama.cpp, Ollama, OpenRouter, Groq, DeepSeek, Mistral, Gemini and others.
 *
 * The package `openai` (6.49 or newer) is loaded with the first call. A field that the server refuses
 * and that is not needed is left out, once and for all later calls, with a warning in the `start` event.
 *
 * @throws LLMError with the code `invalid_request` for a profile that does not exist, or no address.
 *
 * @example
 * ```ts
 * const model = openai({ model: 'gpt-5-mini' });
 * const local = openai({ model: 'qwen3:8b', profile: 'lmstudio' });
 * const other = openai({ model: 'm', baseURL: 'https://llm.example.com/v1', apiKey: '...' });
 * ```
 */
export function openai(options: OpenAIOptions): ChatModel {
  const connection = resolveConnection(options);
  return defineModel({
    identity: connection.identity,
    capabilities: options.capabilities ?? { tools: true, jsonSchema: true },
    fetch: options.fetch,
    isEventStream: true,
    readFailure,
    call: (request, wire) => call(connection, request, wire),
    prepare: (wire) => clientFor(connection, wire),
  });
}

async function* call(
  connection: ResolvedConnection,
  request: ChatRequest,
  wire: Wire,
): AsyncGenerator<readonly ChatEvent[]> {
  const { baseURL, identity } = connection;
  const client = await clientFor(connection, wire);
  const refused = new RefusedFields(baseURL, identity.modelId);
  const headers = { ...request.headers };
  const asked = { request, profile: connection.profile };
  const plain = writeRequest(identity.modelId, asked);
  for (;;) {
    const adapted = refused.adapt(asked);
    const { body, warnings } = writeRequest(identity.modelId, adapted);
    const stream = await begin(client, body, { signal: wire.signal, headers }, refused);
    if (!stream) continue;
    const all = [...warnings, ...refused.warnings(plain.body)];
    const reader = new ChunkReader(adapted.profile, all);
    for await (const chunk of stream) yield reader.read(chunk);
    yield reader.end();
    return;
  }
}

type Chunks = AsyncIterable<OpenAI.ChatCompletionChunk>;

/** Begins an answer; `undefined` if the server refused a field that can be left out. */
async function begin(
  client: OpenAI,
  body: OpenAI.ChatCompletionCreateParamsStreaming,
  options: OpenAI.RequestOptions,
  refused: RefusedFields,
): Promise<Chunks | undefined> {
  try {
    return await client.chat.completions.create(body, options);
  } catch (error) {
    const failure = readFailure(error);
    const isRefusal = failure?.status === 400 || failure?.status === 422;
    const { field, isForGood } = (isRefusal ? failure.refused : undefined) ?? {};
    if (field !== undefined && refused.add(field, body, isForGood ?? false)) return undefined;
    throw error;
  }
}
