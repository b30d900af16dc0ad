import { ChatCollector } from '../models/collect.ts';
import type { ChatEvent } from '../models/events.ts';
import type { ChatRequest } from '../models/request.ts';
import { abortedError } from '../adapter-kit/interruptible.ts';
import { outputOf } from './output-of.ts';

/** Streams events that came earlier; the request's signal stops it as it stops a model. */
export async function* replayEvents(
  events: readonly ChatEvent[],
  { signal }: ChatRequest,
): AsyncGenerator<ChatEvent> {
  const collector = new ChatCollector();
  for (const event of events) {
    if (signal?.aborted) throw abortedError(signal, outputOf(collector));
    collector.add(event);
    yield event;
  }
}
