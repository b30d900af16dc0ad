import { createHash } from 'node:crypto';
import {
  PIECE_CHARACTERS,
  type LargeText,
  type StreamText,
} from '@vizprompt/providers/serving/internal';
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
): AsyncGenerator<StreamText> {
  using bell = new WakeUp(store, signal);
  yield 'retry: 1000\n\n';
  let [message, shown, spoken] = [frame(first), '', 0];
  while (!signal.aborted) {
    const digest = digestOf(message);
    if (digest !== shown) {
      const sent = message.length <= PIECE_CHARACTERS ? message : largeFrame(read, digest);
      // A large one is not held for a client that does not read.
      message = '';
      yield sent;
      [shown, spoken] = [digest, performance.now()];
    } else if (performance.now() - spoken >= keepAliveMs) {
      yield ':\n\n';
      spoken = performance.now();
    }
    await bell.wait(pollMs);
    if (!signal.aborted) message = frame(await read());
  }
}

/** The message as it was, or none if it has changed: the next look sends the new one. */
function largeFrame(read: LiveAnswers['read'], digest: string): LargeText {
  const make = async (): Promise<string | undefined> => {
    const text = frame(await read());
    return digestOf(text) === digest ? text : undefined;
  };
  return { name: digest, make };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
