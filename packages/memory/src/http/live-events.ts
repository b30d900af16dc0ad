import type { StreamText } from '@vizprompt/providers/serving/internal';
import { MemoryError } from '../errors.ts';
import type { EventPage } from '../log/list-events.ts';
import { WakeUp } from '../log/wake-up.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import type { DamagedEvent } from '../store/event-rows.ts';
import { frame, type LiveTiming } from './live-streams.ts';

/** How to follow a session. */
export interface LiveOptions extends LiveTiming {
  /** The sequence behind which it begins. */
  readonly after: number;
}

const PAGE = 100;
/** What a stream holds while its client does not read, but for a first event that is larger. */
const PAGE_BYTES = 1 << 18;
/** Larger events are held by no stream: they are read again for each piece that is taken. */
const LARGE = 1 << 16;

/**
 * What happens in a session, as server-sent events: those that are stored, then those that come, from
 * this process or any other. An event of the memory is a message with its sequence as the id; `session`
 * is the session whenever it changed, first of all as it is; `deleted` says that it is gone.
 */
export async function* liveEvents(
  store: MemoryStore,
  id: string,
  { after, pollMs, keepAliveMs, signal }: LiveOptions,
): AsyncGenerator<StreamText> {
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
      const { frames, last } = await readFrames(store, id, { after: sequence, signal });
      yield* frames;
      isQuiet = last === sequence;
      sequence = last;
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

/** The messages of the next page. The events themselves are not held while a client takes them. */
async function readFrames(
  store: MemoryStore,
  id: string,
  { after, signal }: Pick<LiveOptions, 'after' | 'signal'>,
): Promise<{ readonly frames: readonly StreamText[]; readonly last: number }> {
  const filter = { limit: PAGE, maxBytes: PAGE_BYTES, contents: 'omit', signal } as const;
  const all = inOrder(await store.events(id, { ...filter, after }).page());
  const frames = all.map((one) =>
    isDamaged(one) ? frame(one, 'event: damaged', `id: ${one.sequence}`) : eventFrame(store, one),
  );
  return { frames, last: all.at(-1)?.sequence ?? after };
}

/** The events of a page, and those that cannot be read, by their sequence. */
function inOrder({ events, damaged = [] }: EventPage): readonly (MemoryEvent | DamagedEvent)[] {
  if (damaged.length === 0) return events;
  return [...events, ...damaged].toSorted((a, b) => a.sequence - b.sequence);
}

function isDamaged(event: MemoryEvent | DamagedEvent): event is DamagedEvent {
  return 'problem' in event;
}

function eventFrame(store: MemoryStore, event: MemoryEvent): StreamText {
  const { session_id: session, sequence } = event;
  const text = frame(event, `id: ${sequence}`);
  if (text.length <= LARGE) return text;
  return {
    name: `${session} ${sequence}`,
    async make() {
      const filter = { after: sequence - 1, limit: 1, contents: 'omit' } as const;
      const { events } = await store.events(session, filter).page();
      const [now] = events;
      return now?.sequence === sequence ? frame(now, `id: ${sequence}`) : undefined;
    },
  };
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
