import type { ChatResult, Usage } from '../models/events.ts';
import { detailsOf, LLMError } from '../models/llm-error.ts';
import type { Message, Part } from '../models/message.ts';
import type { ChatRequest } from '../models/request.ts';
import { createTokenEstimator } from '../tokens/estimator.ts';

const estimator = createTokenEstimator();

/** Estimates the usage of a call that did not end: the prompt, and the part of the answer that arrived. */
export function estimateUsage(
  request: ChatRequest,
  answer: Pick<ChatResult, 'parts'>,
  unfinished: string = '',
): Usage {
  return {
    inputTokens: estimateMessages(request.messages),
    outputTokens: estimateParts(answer.parts) + estimator.count(unfinished).tokens,
    estimated: true,
  };
}

/** Tokens of messages by their characters. */
export function estimateMessages(messages: readonly Message[]): number {
  return messages.reduce((sum, { parts }) => sum + estimateParts(parts), 0);
}

function estimateParts(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + estimator.count(textIn(part)).tokens, 0);
}

function textIn(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool-call':
      return `${part.name} ${JSON.stringify(part.input)}`;
    case 'tool-result':
      return JSON.stringify(part.output);
    default:
      return '';
  }
}

/** Runs the end of an answer; its errors carry the usage that the provider reported before. */
export function withUsage<T>(usage: Usage | undefined, end: () => T): T {
  try {
    return end();
  } catch (error) {
    if (!LLMError.isInstance(error) || usage === undefined) throw error;
    const { code, message } = error;
    const nothing = { parts: [], text: '', finishReason: 'unknown', warnings: [] } as const;
    const partial = { ...nothing, ...error.partial, usage };
    throw new LLMError(code, message, { ...detailsOf(error), partial });
  }
}
