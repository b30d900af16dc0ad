import { abortedError } from '../adapter-kit/interruptible.ts';
import { messageOf } from '../errors.ts';
import { ChatCollector, outputOf } from '../models/collect.ts';
import type { ChatEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { ChatRequest } from '../models/request.ts';
import { PeerError } from '../peer.ts';

/**
 * Holds any stream to the contract of `ChatModel`: nothing happens before the first
 * event is asked for, it ends with a `finish`, and it throws `LLMError` only.
 *
 * @param who - The beginning of the message if it fails in a way of its own.
 */
export async function* guard(
  who: string,
  request: ChatRequest,
  open: () => AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent> {
  if (request.signal?.aborted) throw abortedError(request.signal);
  const collector = new ChatCollector();
  try {
    for await (const event of open()) {
      collector.add(event);
      yield event;
    }
  } catch (error) {
    if (LLMError.isInstance(error)) throw error;
    const details = { cause: error, ...outputOf(collector) };
    if (PeerError.isInstance(error)) {
      throw new LLMError('unsupported', `${who}: ${error.message}`, details);
    }
    const message = `${who} failed unexpectedly: ${messageOf(error)}`;
    throw new LLMError('bad_response', message, details);
  }
  if (collector.isFinished) return;
  const message = `${who} ended the stream without a finish event`;
  throw new LLMError('truncated', message, outputOf(collector));
}
