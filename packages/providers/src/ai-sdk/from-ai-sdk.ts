import type { ChatModel, ModelCapabilities } from '../models/chat-model.ts';
import type { ChatEvent } from '../models/events.ts';
import type { ChatRequest } from '../models/request.ts';
import { defineModel } from '../adapter-kit/define-model.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { callOptionsV3, callOptionsV4, warningsV3 } from './call-options.ts';
import {
  echoFetch,
  noteAnswer,
  noteFailure,
  readAiSdkFailure,
  translateError,
} from './read-failure.ts';
import { StreamReader } from './read-stream.ts';
import type { AiSdkLanguageModel, AiSdkStreamPart } from './spec.ts';
import { checkOptions, checkArgument } from '../adapter-kit/check-options.ts';
import { OBJECT, optional, type Kinds, having } from '../input/kinds.ts';

/** Options of {@link fromAiSdk}. */
export interface FromAiSdkOptions {
  /** The capabilities of the model; the AI SDK does not report them. Default: nothing is known. */
  readonly capabilities?: ModelCapabilities | undefined;
}

const MODEL = having('a language model of the AI SDK', 'provider', 'modelId', 'doStream');

const KINDS: Kinds<FromAiSdkOptions> = {
  capabilities: optional(OBJECT),
};

/**
 * Makes a {@link ChatModel} of a language model of the AI SDK, of `ai` 6 (specification v3) or 7
 * (v4): one adapter for all of its providers.
 *
 * Signatures and other provider metadata come as the `meta` of parts, and go back with them. The
 * sources of an answer are parts, and in the `meta` of its finish, below `ai-sdk`. A reasoning effort reaches
 * v4 only; v3 gives a warning and takes it in `providerOptions`. The AI SDK's own retries are in its
 * `generateText`, not in the model: none happen here.
 *
 * @throws LLMError while it answers; making it does not fail.
 *
 * @example
 * ```ts
 * import { anthropic } from '@ai-sdk/anthropic';
 *
 * const model = fromAiSdk(anthropic('claude-sonnet-4-5'));
 * const { text } = await model.generate({ messages: [textMessage('user', 'Hello')] });
 * ```
 */
export function fromAiSdk(model: AiSdkLanguageModel, options: FromAiSdkOptions = {}): ChatModel {
  checkArgument('the model of fromAiSdk', model, MODEL);
  checkOptions('fromAiSdk', options, KINDS);
  return defineModel({
    identity: {
      provider: providerOf(model.provider),
      modelId: model.modelId,
      address: '',
      secrets: [],
    },
    capabilities: options.capabilities ?? {},
    fetch: echoFetch,
    readFailure: readAiSdkFailure,
    call: (request, wire) => callAiSdk(model, request, wire),
  });
}

/** Returns the provider of a model. The AI SDK names the API too (`openai.responses`); metadata and options go by the first word. */
export function providerOf(name: string): string {
  return name.split('.', 1)[0] || name;
}

/** Makes one call of a model of the AI SDK, of either generation. */
export async function* callAiSdk(
  model: AiSdkLanguageModel,
  request: ChatRequest,
  wire: Wire,
): AsyncGenerator<readonly ChatEvent[]> {
  const version = model.specificationVersion;
  const reader = new StreamReader(version, version === 'v3' ? warningsV3(request) : []);
  try {
    for await (const part of await open(model, request, wire)) {
      const events = reader.read(part);
      if (events.length > 0) yield events;
    }
  } catch (error) {
    await noteFailure(wire, error);
    throw translateError(error);
  }
}

async function open(
  model: AiSdkLanguageModel,
  request: ChatRequest,
  wire: Wire,
): Promise<ReadableStream<AiSdkStreamPart>> {
  const { stream, response } =
    model.specificationVersion === 'v4'
      ? await model.doStream(callOptionsV4(request, wire.signal))
      : await model.doStream(callOptionsV3(request, wire.signal));
  await noteAnswer(wire, response?.headers);
  return stream;
}
