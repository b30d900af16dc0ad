import type { ChatEvent } from '../models/events.ts';
import { redact } from '../redact/redact.ts';

/**
 * Takes secrets out of deltas, where one may be spread over several: such a part comes as a single
 * delta then.
 */
export function redactDeltas(events: readonly ChatEvent[]): readonly ChatEvent[] {
  const texts = new Map<number, string>();
  for (const event of events) {
    const text = deltaIn(event);
    if (text === undefined || !('index' in event)) continue;
    texts.set(event.index, (texts.get(event.index) ?? '') + text);
  }
  const done = new Set<number>();
  return events.flatMap((event): readonly ChatEvent[] => {
    if (event.type === 'start' || event.type === 'finish' || event.type === 'part') return [event];
    const whole = texts.get(event.index) ?? '';
    const { text, redactions } = redact(whole);
    if (redactions.length === 0) return [event];
    if (done.has(event.index)) return [];
    done.add(event.index);
    return [event.type === 'tool-call-delta' ? { ...event, inputDelta: text } : { ...event, text }];
  });
}

function deltaIn(event: ChatEvent): string | undefined {
  if (event.type === 'tool-call-delta') return event.inputDelta;
  return event.type === 'text-delta' || event.type === 'reasoning-delta' ? event.text : undefined;
}
