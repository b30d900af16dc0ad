import type { ChatCollector } from '../chat/collect.ts';
import type { LLMErrorDetails } from '../chat/llm-error.ts';

/** What an error says of the output that had come before it. */
export function outputOf(collector: ChatCollector): Pick<LLMErrorDetails, 'partial'> {
  return collector.hasOutput ? { partial: collector.result() } : {};
}
