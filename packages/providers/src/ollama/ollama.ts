import type { ChatModel, ModelCapabilities } from '../models/chat-model.ts';
import type { ChatResponse, Ollama } from 'ollama';
import type { ChatEvent, ChatWarning } from '../models/events.ts';
import type { ChatRequest } from '../models/request.ts';
import { messageOf } from '../errors.ts';
import { defineModel } from '../adapter-kit/define-model.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { clientFor, resolveOllama, type OllamaConnection, type ResolvedOllama } from './options.ts';
import { readFailure } from './read-failure.ts';
import { ChunkReader } from './read-stream.ts';
import { writeRequest, type OllamaSettings, type WrittenRequest } from './write-request.ts';

/** Options of `ollama`. */
export interface OllamaOptions extends OllamaConnection {
  /**
   * Tokens that prompt and answer may have together (`num_ctx`); memory grows with it. Default: 8,192.
   * A longer prompt is refused with the code `context_length`, never cut.
   */
  readonly contextWindow?: number | undefined;
  /** How long the model stays in memory, such as `'10m'`, or seconds. Default: Ollama's 5 minutes. */
  readonly keepAlive?: string | number | undefined;
  /** What the model can do, where you know more than this package. */
  readonly capabilities?: ModelCapabilities | undefined;
}

/**
 * A model of an Ollama server, by its own API: the one that never cuts a prompt silently, and that takes
 * the size of the context. Settings that only Ollama has go into `providerOptions.ollama`.
 *
 * The package `ollama` (0.6.4 or newer) is loaded with the first call.
 *
 * @example
 * ```ts
 * const model = ollama({ model: 'qwen3:8b', contextWindow: 16_384 });
 * for await (const event of model.stream({ messages: [textMessage('user', '猫は好き？')] })) {
 *   if (event.type === 'text-delta') process.stdout.write(event.text);
 * }
 * ```
 */
export function ollama(options: OllamaOptions): ChatModel {
  const connection = resolveOllama(options);
  const { model, contextWindow = 8192, keepAlive } = options;
  return defineModel({
    identity: connection.identity,
    capabilities: { tools: true, jsonSchema: true, ...options.capabilities, contextWindow },
    fetch: options.fetch,
    readFailure,
    call: (request, wire) => call(connection, { model, contextWindow, keepAlive }, request, wire),
    prepare: (wire) => clientFor(connection, wire, { isStream: true }),
  });
}

async function* call(
  connection: ResolvedOllama,
  settings: OllamaSettings,
  request: ChatRequest,
  wire: Wire,
): AsyncGenerator<readonly ChatEvent[]> {
  const client = await clientFor(connection, wire, {
    isStream: true,
    headers: request.headers,
  });
  const { body, warnings } = writeRequest(settings, request);
  const { stream, warning } = await begin(client, body);
  const reader = new ChunkReader(warning ? [...warnings, warning] : warnings);
  try {
    for await (const chunk of stream) yield reader.read(chunk);
  } catch (error) {
    // A stream without its last line is cut off; that is said for all models in one way.
    if (!/Did not receive done/i.test(messageOf(error))) throw error;
  }
}

interface Begun {
  readonly stream: AsyncIterable<ChatResponse>;
  readonly warning?: ChatWarning;
}

/** Most models think or not; only some know levels, and some do not think at all. */
async function begin(client: Ollama, body: WrittenRequest['body']): Promise<Begun> {
  try {
    return { stream: await client.chat(body) };
  } catch (error) {
    const { think, ...rest } = body;
    const isRefused = think !== undefined && /think/i.test(messageOf(error));
    if (!isRefused || think === false) throw error;
    const warn = (message: string): ChatWarning => ({ field: 'reasoning', message });
    if (typeof think === 'string') {
      const begun = await begin(client, { ...body, think: true });
      return { warning: warn('the model knows no levels of thinking; it just thinks'), ...begun };
    }
    return { stream: await client.chat(rest), warning: warn('the model does not think') };
  }
}
