import { MemoryError } from '../../errors.ts';
import { sizeOf, type PreparedEvent } from '../../log/prepare-event.ts';
import { writeNewEvents, type SessionEvents, type WrittenEvents } from '../../log/log-events.ts';
import type { NewEvent } from '../../model/memory-event.ts';
import type { MemoryContext } from '../../store/memory-context.ts';
import { resolveSession } from '../../store/session-rows.ts';
import { cutToFit } from '../cut-to-fit.ts';
import type { EventDraft, SessionDraft } from '../draft.ts';
import type { ImportDeduplicator, ChosenDraft } from './import-deduplicator.ts';
import type { TranscriptStore } from './import-options.ts';

/** Approximate limits of a transaction, in events and bytes: nothing else runs while one is written. */
const GROUP_EVENTS = 1000;
const GROUP_BYTES = 4_000_000;

/**
 * Events of several sessions that go into one transaction: that costs as much for a few events as for many,
 * and leaves the full-text index more pieces to merge the fewer they are.
 */
export class EventGroup {
  readonly #events = new Map<string, PreparedEvent[]>();
  readonly #ids = new Set<string>();
  readonly #after: (() => Promise<void> | void)[] = [];
  #bytes = 0;

  /** Adds an event after those of its session. */
  add(session: string, event: PreparedEvent): void {
    const own = this.#events.get(session);
    if (own) own.push(event);
    else this.#events.set(session, [event]);
    this.#ids.add(event.id);
    this.#bytes += sizeOf(event);
  }

  /** Stores work for when all that was added before is written. */
  later(work: () => Promise<void> | void): void {
    this.#after.push(work);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Number of events. */
  get count(): number {
    return this.#ids.size;
  }

  get isFull(): boolean {
    return this.count >= GROUP_EVENTS || this.#bytes >= GROUP_BYTES;
  }

  /** Writes the events, none of which was stored when it was chosen, and returns those that are new. */
  async write(context: MemoryContext): Promise<readonly WrittenEvents[]> {
    const groups: SessionEvents[] = [];
    for (const [session, events] of this.#events) {
      groups.push({ session, place: await resolveSession(context, session), events });
    }
    return writeNewEvents(context, groups, 'any', []);
  }

  /** Does the work that was stored. */
  async finish(): Promise<void> {
    for (const work of this.#after) await work();
  }
}

/** Writes drafts into a store, in their order: each of them once, from whichever source. */
export async function writeDrafts(
  store: TranscriptStore,
  deduplicator: ImportDeduplicator,
  drafts: readonly EventDraft[],
): Promise<void> {
  for (const run of runsOf(drafts)) {
    const { session } = run;
    const { id } = await deduplicator.start(session);
    const chosen = await deduplicator.choose(session, run.drafts);
    const events = chosen.flatMap((each) => {
      const draft = run.drafts[each.index];
      return draft ? [eventOf(draft, each)] : [];
    });
    await log(store, id, events);
  }
}

async function log(
  store: TranscriptStore,
  session: string,
  events: readonly NewEvent[],
  isCut: boolean = false,
): Promise<void> {
  try {
    await store.logMany(session, events, { duplicates: 'skip', intoEnded: true });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [only] = events;
    if (events.length <= 1) {
      const cut = only && !isCut ? cutToFit(only, error) : undefined;
      if (cut) await log(store, session, [cut], true);
      return;
    }
    // One of them is refused: the others go in all the same, in their order.
    const middle = Math.ceil(events.length / 2);
    await log(store, session, events.slice(0, middle));
    await log(store, session, events.slice(middle));
  }
}

/** Returns the event of a draft, with the ids that it has in the store. */
export function eventOf(
  { type, data, meta, timestamp }: EventDraft,
  { id, parent, intention }: Omit<ChosenDraft, 'index'>,
): NewEvent {
  const event = {
    id,
    type,
    data: intention === undefined ? data : { ...data, intention_event_id: intention },
    meta,
    ...(parent === undefined ? {} : { parent }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- type and data are of one draft
  return event as NewEvent;
}

/** Why the store may refuse an event for what is in it. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid-input',
  'invalid-text',
  'path-outside',
  'too-large',
]);

/** Checks whether a store refused an event for what is in it. */
export function isRefusal(error: unknown): error is MemoryError {
  return MemoryError.isInstance(error) && REFUSALS.has(error.code);
}

/** Drafts that follow each other in one session. */
export interface Run {
  readonly session: SessionDraft;
  readonly drafts: readonly EventDraft[];
}

/** Returns the drafts, cut where the session changes. */
export function runsOf(drafts: readonly EventDraft[]): readonly Run[] {
  const runs: { session: SessionDraft; drafts: EventDraft[] }[] = [];
  for (const draft of drafts) {
    const last = runs.at(-1);
    if (last?.session === draft.session) last.drafts.push(draft);
    else runs.push({ session: draft.session, drafts: [draft] });
  }
  return runs;
}
