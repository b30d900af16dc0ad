import type { Attributes } from '@opentelemetry/api';
import type { ChatModel } from '../models/chat-model.ts';
import type { ChatResult, FinishReason, Usage } from '../models/events.ts';
import type { ChatRequest } from '../models/request.ts';
import { ATTRIBUTE, providerName } from './names.ts';

/** Returns the common attributes of a call's span and metrics. */
export function callAttributes(model: ChatModel): Attributes {
  return {
    [ATTRIBUTE.operation]: 'chat',
    [ATTRIBUTE.provider]: providerName(model.provider),
    [ATTRIBUTE.requestModel]: model.modelId,
  };
}

/** Returns the settings of a request; nothing that the user wrote. */
export function requestAttributes(request: ChatRequest): Attributes {
  const { maxOutputTokens, temperature, topP, topK, stop, seed, output } = request;
  return defined({
    [ATTRIBUTE.maxTokens]: maxOutputTokens,
    [ATTRIBUTE.temperature]: temperature,
    [ATTRIBUTE.topP]: topP,
    [ATTRIBUTE.topK]: topK,
    [ATTRIBUTE.stopSequences]: stop && [...stop],
    [ATTRIBUTE.seed]: seed,
    [ATTRIBUTE.outputType]: output?.type,
    [ATTRIBUTE.stream]: true,
  });
}

/** Returns the known facts of an answer; nothing that the model wrote. */
export function resultAttributes(result: ChatResult, isFinished: boolean): Attributes {
  const { id, model, finishReason } = result;
  return defined({
    [ATTRIBUTE.responseId]: id,
    [ATTRIBUTE.responseModel]: model,
    [ATTRIBUTE.finishReasons]: isFinished ? [reasonName(finishReason)] : undefined,
  });
}

/** Token counts; estimates are not reported. */
export function usageAttributes(usage: Usage): Attributes {
  if (usage.estimated) return {};
  return defined({
    [ATTRIBUTE.inputTokens]: usage.inputTokens,
    [ATTRIBUTE.outputTokens]: usage.outputTokens,
    [ATTRIBUTE.cacheReadTokens]: usage.cachedInputTokens,
    [ATTRIBUTE.cacheCreationTokens]: usage.cacheWriteInputTokens,
    [ATTRIBUTE.reasoningTokens]: usage.reasoningTokens,
  });
}

/** Returns the convention's word for why an answer ended. */
export function reasonName(reason: FinishReason): string {
  if (reason === 'tool-calls') return 'tool_call';
  return reason === 'content-filter' ? 'content_filter' : reason;
}

function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
