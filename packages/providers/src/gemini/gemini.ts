import type { ChatModel, ModelCapabilities } from '../models/chat-model.ts';
import type { ChatEvent } from '../models/events.ts';
import type { ChatRequest, TokenCount, TokenCountRequest } from '../models/request.ts';
import { defineModel } from '../adapter-kit/define-model.ts';
import { unsentFiles } from '../adapter-kit/unsent-files.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { clientFor, resolveGemini, type GeminiConnection, type ResolvedGemini } from './options.ts';
import { readFailure } from './read-failure.ts';
import { ChunkReader } from './read-stream.ts';
import { writeConfig } from './write-config.ts';
import { writeContents } from './write-contents.ts';

/** Options of `gemini`. */
export interface GeminiOptions extends GeminiConnection {
  /** What the model can do, where you know more than this package. */
  readonly capabilities?: ModelCapabilities | undefined;
}

/**
 * A model of Google's Gemini API. Thoughts are signed by Gemini; the signatures are kept in `meta` and
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
  const connection = resolveGemini(options);
  return defineModel({
    identity: connection.identity,
    capabilities: options.capabilities ?? { tools: true, jsonSchema: true },
    fetch: options.fetch,
    isEventStream: true,
    readFailure,
    call: (request, wire) => call(connection, request, wire),
    prepare: (wire) => clientFor(connection, wire),
    countTokens: (request, wire) => countTokens(connection, request, wire),
  });
}

async function* call(
  connection: ResolvedGemini,
  request: ChatRequest,
  wire: Wire,
): AsyncGenerator<readonly ChatEvent[]> {
  const client = await clientFor(connection, wire);
  const model = connection.identity.modelId;
  const { contents, system } = writeContents(request.messages);
  const stream = await client.models.generateContentStream({
    model,
    contents,
    config: {
      ...(system === '' ? {} : { systemInstruction: system }),
      ...(request.headers ? { httpOptions: { headers: { ...request.headers } } } : {}),
      ...writeConfig(model, request),
      abortSignal: wire.signal,
    },
  });
  const reader = new ChunkReader(unsentFiles(request.messages, ['system']));
  for await (const chunk of stream) yield reader.read(chunk);
  yield reader.end();
}

/** The API counts contents only: what the system says and the tools are counted as if they were said. */
async function countTokens(
  connection: ResolvedGemini,
  { messages, tools = [] }: TokenCountRequest,
  wire: Wire,
): Promise<TokenCount> {
  const client = await clientFor(connection, wire);
  const { contents, system } = writeContents(messages);
  const more = [system, ...tools.map((tool) => JSON.stringify(tool))].filter(Boolean);
  const { totalTokens = 0 } = await client.models.countTokens({
    model: connection.identity.modelId,
    contents: [...more.map((text) => ({ role: 'user', parts: [{ text }] })), ...contents],
    config: { abortSignal: wire.signal },
  });
  return { tokens: totalTokens, exact: more.length === 0 };
}
