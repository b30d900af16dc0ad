import type OpenAI from 'openai';
import type { ChatModel } from '../models/chat-model.ts';
import type { ChatEvent } from '../models/events.ts';
import type { ChatRequest } from '../models/request.ts';
import { defineModel } from '../adapter-kit/define-model.ts';
import { failureOf } from '../adapter-kit/explain.ts';
import { RefusedFields } from '../adapter-kit/refused-fields.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { clientFor } from './client.ts';
import { resolveConnection, type OpenAIOptions, type ResolvedConnection } from './options.ts';
import { ChunkReader } from './read-stream.ts';
import { readFailure } from './read-failure.ts';
import { DROPPABLE, type Settings } from './refused-fields.ts';
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
  const { baseURL, identity, profile } = connection;
  const { modelId } = identity;
  const client = await clientFor(connection, wire);
  const refused = new RefusedFields(`openai ${baseURL} ${modelId}`, DROPPABLE);
  const options = { signal: wire.signal, headers: { ...request.headers } };
  const asked: Settings = { request, profile };
  const { body: plain } = writeRequest(modelId, asked);
  for (;;) {
    const settings = refused.adapt(asked, plain);
    const { body, warnings } = writeRequest(modelId, settings);
    let hasBegun = false;
    try {
      const reader = new ChunkReader(settings.profile, refused.warnings(plain, warnings));
      for await (const chunk of await open(client, body, options)) {
        const events = reader.read(chunk);
        hasBegun = true;
        yield events;
      }
      yield reader.end();
      return;
    } catch (error) {
      const failure = hasBegun ? undefined : failureOf(error, { readFailure }, wire);
      if (!failure || !refused.add(failure, { body, plain, settings })) throw error;
    }
  }
}

/** The chunks of an answer; of a server that gives no streams, the whole answer as one. */
async function open(
  client: OpenAI,
  body: OpenAI.ChatCompletionCreateParams,
  options: OpenAI.RequestOptions,
): Promise<AsyncIterable<unknown> | Iterable<unknown>> {
  const answer = await client.chat.completions.create(body, options);
  return Symbol.asyncIterator in answer ? answer : [answer];
}
