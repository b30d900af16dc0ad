import { MemoryError } from '../errors.ts';
import { WakeUp } from '../log/wake-up.ts';
import type { MemoryStore } from '../memory-store.ts';
import { frame, type LiveTiming } from './live-streams.ts';

/** How to follow a session. */
export interface LiveOptions extends LiveTiming {
  /** The sequence behind which it begins. */
  readonly after: number;
}

const PAGE = 100;

/**
 * What happens in a session, as server-sent events: those that are stored, then those that come, from
 * this process or any other. An event of the memory is a message with its sequence as the id; `session`
 * is the session whenever it changed, first of all as it is; `deleted` says that it is gone.
 */
export async function* liveEvents(
  store: MemoryStore,
  id: string,
  { after, pollMs, keepAliveMs, signal }: LiveOptions,
): AsyncGenerator<string> {
  using bell = new WakeUp(store, signal, id);
  let sequence = after;
  let shown = '';
  let spoken = performance.now();
  yield 'retry: 1000\n\n';
  while (!signal.aborted) {
    const state = await stateOf(store, id);
    if (!state) {
      yield frame({ id }, 'event: deleted');
      return;
    }
    // These two change with each event, and say nothing that it does not say.
    const { event_count: count, updated_at: _updated, ...lasting } = state;
    const now = JSON.stringify(lasting);
    let isQuiet = true;
    if (now !== shown) {
      yield frame(state, 'event: session');
      [shown, isQuiet] = [now, false];
    }
    if (count > sequence) {
      const list = store.events(id, { after: sequence, limit: PAGE, contents: 'omit', signal });
      const { events } = await list.page();
      for (const event of events) {
        yield frame(event, `id: ${event.sequence}`);
        sequence = event.sequence;
      }
      isQuiet = events.length === 0;
    }
    if (!isQuiet) {
      spoken = performance.now();
      continue;
    }
    if (performance.now() - spoken >= keepAliveMs) {
      yield ':\n\n';
      spoken = performance.now();
    }
    await bell.wait(pollMs);
  }
}

async function stateOf(
  store: MemoryStore,
  id: string,
): Promise<Awaited<ReturnType<MemoryStore['getSession']>> | undefined> {
  try {
    return await store.getSession(id);
  } catch (error) {
    if (MemoryError.isInstance(error) && error.code === 'session-not-found') return undefined;
    throw error;
  }
}
