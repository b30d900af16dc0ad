import type { ChatEvent, ChatResult, FinishEvent, StartEvent } from './events.ts';
import { LLMError } from './llm-error.ts';
import { textOf, type Part } from './message.ts';

/**
 * Collects a stream into the whole answer: the `generate` of every adapter.
 *
 * @throws LLMError with the code `truncated` if the stream ends without a `finish` event, and
 * whatever the stream throws.
 *
 * @example
 * ```ts
 * const result = await collectChat(model.stream(request));
 * ```
 */
export async function collectChat(stream: AsyncIterable<ChatEvent>): Promise<ChatResult> {
  let start: StartEvent | undefined;
  let finish: FinishEvent | undefined;
  const parts: Part[] = [];

  for await (const event of stream) {
    if (event.type === 'start') start = event;
    else if (event.type === 'part') parts[event.index] = event.part;
    else if (event.type === 'finish') finish = event;
  }

  const present = parts.filter((part) => part !== undefined);
  const result = {
    ...(start?.id === undefined ? {} : { id: start.id }),
    ...(start?.model === undefined ? {} : { model: start.model }),
    parts: present,
    text: textOf(present),
    warnings: start?.warnings ?? [],
  };
  if (!finish) {
    const partial = { ...result, finishReason: 'unknown', usage: {} } as const;
    throw new LLMError('truncated', 'the stream ended without a finish event', { partial });
  }
  return {
    ...result,
    finishReason: finish.reason,
    ...(finish.rawReason === undefined ? {} : { rawFinishReason: finish.rawReason }),
    usage: finish.usage,
    ...(finish.meta === undefined ? {} : { meta: finish.meta }),
  };
}
