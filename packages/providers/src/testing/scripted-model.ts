import { setTimeout as sleep } from 'node:timers/promises';
import { checkArgument } from '../adapter-kit/check-options.ts';
import { readMessages, streamInput } from '../adapter-kit/chat-input.ts';
import { ARRAY, either, FUNCTION } from '../input/kinds.ts';
import type { ChatModel, ModelCapabilities } from '../models/chat-model.ts';
import { collectChat } from '../models/collect.ts';
import type { ChatEvent, FinishReason, Usage } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { textOf, type Part } from '../models/message.ts';
import type { ChatRequest } from '../models/request.ts';
import { createTokenEstimator } from '../tokens/estimator.ts';
import { isError } from '../errors.ts';

/** An answer of a scripted model: a text, its parts, more of it, or the error to fail with. */
export type ScriptedAnswer =
  | string
  | readonly Part[]
  | {
      readonly parts: readonly Part[];
      readonly finishReason?: FinishReason | undefined;
      readonly usage?: Usage | undefined;
    }
  | Error;

/** The answers of a scripted model: one answer a call in this order, or a function. */
export type Script =
  | readonly ScriptedAnswer[]
  | ((request: ChatRequest, call: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** Options of {@link scriptedModel}. */
export interface ScriptedModelOptions {
  /** Its name as a provider. Default: `'scripted'`. */
  readonly provider?: string | undefined;
  /** Its name as a model. Default: `'script'`. */
  readonly modelId?: string | undefined;
  /** Its declared capabilities. */
  readonly capabilities?: ModelCapabilities | undefined;
  /** Characters (code points) of a text delta. Default: 8. */
  readonly chunkSize?: number | undefined;
  /** A pause before each delta, in milliseconds. Default: 0. */
  readonly chunkDelayMs?: number | undefined;
}

/** A {@link ChatModel} that gives the answers of its script. */
export interface ScriptedModel extends ChatModel {
  /** The requests so far, the oldest first. */
  readonly calls: readonly ChatRequest[];
}

const SCRIPT = either(ARRAY, FUNCTION);

/**
 * Makes a model for tests: it streams in chunks, reports token counts, can be aborted and records
 * what it was asked. A call for which the script has no answer fails.
 *
 * @example
 * ```ts
 * const model = scriptedModel(['はい。', new LLMError('rate_limit', 'slow down')]);
 * await model.generate({ messages: [textMessage('user', '猫ですか')] }); // text: 'はい。'
 * model.calls.length; // 1
 * ```
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  checkArgument('the script of scriptedModel', script, SCRIPT);
  const { provider = 'scripted', modelId = 'script', chunkSize = 8, chunkDelayMs = 0 } = options;
  const calls: ChatRequest[] = [];
  const estimator = createTokenEstimator();

  async function answer(request: ChatRequest, call: number): Promise<ScriptedAnswer> {
    const scripted = typeof script === 'function' ? await script(request, call) : script[call];
    if (scripted !== undefined) return scripted;
    throw new LLMError('invalid_request', `the script has no answer for call ${call + 1}`, {
      provider,
      modelId,
    });
  }

  async function pause(request: ChatRequest, hasOutput: boolean): Promise<void> {
    const { signal } = request;
    if (chunkDelayMs > 0) {
      await sleep(chunkDelayMs, undefined, signal ? { signal } : {}).catch(() => undefined);
    }
    if (!signal?.aborted) return;
    throw new LLMError('aborted', 'the call was aborted', {
      provider,
      modelId,
      cause: signal.reason,
      outputStarted: hasOutput,
    });
  }

  async function* stream(request: ChatRequest): AsyncGenerator<ChatEvent> {
    const call = calls.push(request) - 1;
    await pause(request, false);
    const scripted = await answer(request, call);
    if (isError(scripted)) throw scripted;
    const { parts, finishReason, usage } = toAnswer(scripted);
    yield { type: 'start', model: modelId, warnings: [] };
    for (const [index, part] of parts.entries()) {
      if (part.type === 'text' || part.type === 'reasoning') {
        for (const text of chunksOf(part.text, chunkSize)) {
          await pause(request, true);
          yield { type: `${part.type}-delta`, index, text };
        }
      }
      yield { type: 'part', index, part };
    }
    const sent = request.messages.map((message) => textOf(message)).join('\n');
    yield {
      type: 'finish',
      reason: finishReason ?? (hasToolCall(parts) ? 'tool-calls' : 'stop'),
      usage: usage ?? {
        inputTokens: estimator.count(sent).tokens,
        outputTokens: estimator.count(textOf(parts)).tokens,
      },
    };
  }

  return {
    specVersion: 1,
    provider,
    modelId,
    capabilities: options.capabilities ?? {},
    calls,
    stream: (input) => streamInput(input, stream),
    generate: (input) => collectChat(streamInput(input, stream)),
    countTokens: async ({ messages }) =>
      estimator.count(
        readMessages(messages)
          .map((message) => textOf(message))
          .join('\n'),
      ),
  };
}

interface Answer {
  readonly parts: readonly Part[];
  readonly finishReason?: FinishReason | undefined;
  readonly usage?: Usage | undefined;
}

function toAnswer(scripted: Exclude<ScriptedAnswer, Error>): Answer {
  if (typeof scripted === 'string') return { parts: [{ type: 'text', text: scripted }] };
  return 'parts' in scripted ? scripted : { parts: scripted };
}

function hasToolCall(parts: readonly Part[]): boolean {
  return parts.some((part) => part.type === 'tool-call');
}

function* chunksOf(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length;) {
    const start = at;
    for (let count = 0; count < size && at < text.length; count++) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    }
    yield text.slice(start, at);
  }
}
