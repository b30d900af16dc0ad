import type { ChatCollector } from '../models/collect.ts';
import type { LLMErrorDetails } from '../models/llm-error.ts';

/** What an error says of the output that had come before it. */
export function outputOf(collector: ChatCollector): Pick<LLMErrorDetails, 'partial'> {
  return collector.hasOutput ? { partial: collector.result() } : {};
}
