import { WakeUp } from '../log/wake-up.ts';
import type { MemoryStore } from '../memory-store.ts';
import { frame, type LiveTiming } from './live-streams.ts';

/** What to send, and when. */
export interface LiveAnswers extends LiveTiming {
  readonly first: object;
  readonly read: () => Promise<object>;
}

/**
 * An answer of which the sessions are the matter, as server-sent events: as it is, and as a whole again whenever it is
 * another one. A session that begins, ends or changes is told at once, new events of a session with the next look.
 */
export async function* liveAnswers(
  store: MemoryStore,
  { first, read, pollMs, keepAliveMs, signal }: LiveAnswers,
): AsyncGenerator<string> {
  using bell = new WakeUp(store, signal);
  yield 'retry: 1000\n\n';
  let [answer, shown, spoken] = [first, '', 0];
  while (!signal.aborted) {
    const message = frame(answer);
    if (message !== shown) {
      yield message;
      [shown, spoken] = [message, performance.now()];
    } else if (performance.now() - spoken >= keepAliveMs) {
      yield ':\n\n';
      spoken = performance.now();
    }
    await bell.wait(pollMs);
    if (!signal.aborted) answer = await read();
  }
}
