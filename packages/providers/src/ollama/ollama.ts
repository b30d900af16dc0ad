import type { Ollama } from 'ollama';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { defineModel } from '../adapter-kit/define-model.ts';
import { failureOf } from '../adapter-kit/explain.ts';
import { readCapabilities } from '../adapter-kit/model-record.ts';
import { RefusedFields } from '../adapter-kit/refused-fields.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { messageOf } from '../errors.ts';
import { either, type Kinds, NUMBER, OBJECT, optional, POSITIVE, TEXT } from '../input/kinds.ts';
import { type Fields, fieldsOf, jsonOf, listOf, numberOf } from '../json/fields.ts';
import type { ChatModel, ModelCapabilities, ModelInfo } from '../models/chat-model.ts';
import type { ChatEvent } from '../models/events.ts';
import type { ChatRequest } from '../models/request.ts';
import {
  advise,
  clientFor,
  CONNECTION,
  type OllamaConnection,
  readFailure,
  type ResolvedOllama,
  resolveOllama,
} from './options.ts';
import { ChunkReader } from './read-stream.ts';
import { DROPPABLE, type Settings } from './refused-fields.ts';
import { type OllamaSettings, writeRequest } from './write-request.ts';

/** Options of `ollama`. */
export interface OllamaOptions extends OllamaConnection {
  /**
   * Tokens that prompt and answer may have together (`num_ctx`); memory grows with it. Default: 8,192.
   * A longer prompt is refused with the code `context_length`, never cut.
   */
  readonly contextWindow?: number | undefined;
  /** How long the model stays in memory, such as `'10m'`, or seconds. Default: Ollama's 5 minutes. */
  readonly keepAlive?: string | number | undefined;
  /** The capabilities of the model, where you know more than this package. */
  readonly capabilities?: ModelCapabilities | undefined;
}

const OPTIONS: Kinds<OllamaOptions> = {
  ...CONNECTION,
  contextWindow: optional(POSITIVE),
  keepAlive: optional(either(TEXT, NUMBER)),
  capabilities: optional(OBJECT),
};

/**
 * Returns a model of an Ollama server, by its own API: the one that never cuts a prompt silently, and that takes
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
  const { model, contextWindow = 8192, keepAlive } = checkOptions('ollama', options, OPTIONS);
  const connection = resolveOllama(options);
  return defineModel({
    identity: connection.identity,
    capabilities: { tools: true, jsonSchema: true, ...options.capabilities, contextWindow },
    fetch: options.fetch,
    readFailure,
    advise,
    call: (request, wire) => call(connection, { model, contextWindow, keepAlive }, request, wire),
    prepare: (wire) => clientFor(connection, wire, { isStream: true }),
    listModels: (wire) => listModels(connection, wire),
  });
}

async function* call(
  connection: ResolvedOllama,
  settings: OllamaSettings,
  request: ChatRequest,
  wire: Wire,
): AsyncGenerator<readonly ChatEvent[]> {
  const { host, identity } = connection;
  const { headers } = request;
  const streaming = await clientFor(connection, wire, { isStream: true, headers });
  const refused = new RefusedFields(`ollama ${host} ${identity.modelId}`, DROPPABLE);
  const { body: plain, warnings } = writeRequest(settings, request);
  const { stream: _, ...written } = plain;
  const asked: Settings = { body: written };
  for (;;) {
    const adapted = refused.adapt(asked, plain);
    const { body, isWhole = false } = adapted;
    let hasBegun = false;
    try {
      const reader = new ChunkReader(refused.warnings(plain, warnings));
      const client = isWhole
        ? await clientFor(connection, wire, { isStream: false, headers })
        : streaming;
      for await (const chunk of await open(client, adapted)) {
        wire.large.restore(chunk);
        const events = reader.read(chunk);
        hasBegun = true;
        yield events;
      }
      return;
    } catch (error) {
      // A stream without its last line is cut off; that is said for all models in one way.
      if (/Did not receive done/i.test(messageOf(error))) return;
      const failure = hasBegun ? undefined : failureOf(error, { readFailure, advise }, wire);
      const sent = isWhole ? body : { ...body, stream: true };
      const refusal = { body: sent, plain, settings: adapted };
      if (!failure || !refused.add(failure, refusal)) throw error;
    }
  }
}

/** Returns the chunks of an answer; of a server that gives no streams, the whole answer as one. */
async function open(
  client: Ollama,
  { body, isWhole = false }: Settings,
): Promise<AsyncIterable<unknown> | Iterable<unknown>> {
  if (isWhole) return [await client.chat({ ...body, stream: false })];
  return client.chat({ ...body, stream: true });
}

/** Models are described one by one: this many at a time. */
const AT_ONCE = 4;

/** Lists the models that are installed, each as the server describes it. */
async function listModels(connection: ResolvedOllama, wire: Wire): Promise<readonly ModelInfo[]> {
  const client = await clientFor(connection, wire, { isStream: false });
  const { models } = await client.list();
  const records: readonly (typeof models)[number][] = listOf(models).length === 0 ? [] : models;
  const permits = new Semaphore(AT_ONCE);
  return Promise.all(
    records.map(({ name, model }): Promise<ModelInfo> =>
      permits.run(async () => {
        const id = model || name;
        const shown = fieldsOf(await client.show({ model: id }));
        return { id, capabilities: capabilitiesIn(shown), raw: jsonOf(shown) };
      }),
    ),
  );
}

/** The context is named after the architecture: `qwen3.context_length`. */
function capabilitiesIn(shown: Fields): ModelInfo['capabilities'] {
  const entries = Object.entries(fieldsOf(shown['model_info']));
  const [, length] = entries.find(([key]) => key.endsWith('.context_length')) ?? [];
  const contextWindow = numberOf(length);
  return {
    jsonSchema: true,
    ...readCapabilities({ capabilities: shown['capabilities'] }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  };
}
