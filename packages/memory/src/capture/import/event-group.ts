import { sizeOf, type PreparedEvent } from '../../log/prepare-event.ts';
import { writeNewEvents, type SessionEvents, type WrittenEvents } from '../../log/write-events.ts';
import type { MemoryContext } from '../../store/memory-context.ts';
import { resolveSession } from '../../store/session-rows.ts';

/** A transaction has at most about so many events or bytes: while it is written, nothing else is done. */
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

  /** How many events there are. */
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
