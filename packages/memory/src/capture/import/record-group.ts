import type { EventRecord, SessionRecords, WrittenRecords } from '../../log/event-record.ts';
import { sizeOf, writeNewRecords } from '../../log/log-events.ts';
import type { MemoryContext } from '../../store/memory-context.ts';
import { placeOf } from '../../store/session-rows.ts';

/** As soon as nothing else is to be done, a transaction has at least so many events. */
const FEW_EVENTS = 200;
/** Else at least so many, or about so many bytes: while it is written, nothing else is done. */
export const GROUP_EVENTS = 1000;
export const GROUP_BYTES = 4_000_000;

/**
 * Events of several sessions that go into one transaction: that costs as much for a few events as for many,
 * and leaves the full-text index more pieces to merge the fewer they are.
 */
export class RecordGroup {
  readonly #records = new Map<string, EventRecord[]>();
  readonly #after: (() => Promise<void> | void)[] = [];
  #count = 0;
  #bytes = 0;

  /** Adds events behind those of their session. */
  add(session: string, records: readonly EventRecord[]): void {
    const own = this.#records.get(session) ?? [];
    this.#records.set(session, own);
    for (const record of records) {
      own.push(record);
      this.#count += 1;
      this.#bytes += sizeOf(record);
    }
  }

  /** Keeps work for when all that was added before is written. */
  later(work: () => Promise<void> | void): void {
    this.#after.push(work);
  }

  /** How many events there are. */
  get count(): number {
    return this.#count;
  }

  get isWorthIt(): boolean {
    return this.#count >= FEW_EVENTS;
  }

  get isFull(): boolean {
    return this.#count >= GROUP_EVENTS || this.#bytes >= GROUP_BYTES;
  }

  /** Writes the events, none of which was stored when it was chosen, and tells which are new. */
  async write(context: MemoryContext): Promise<readonly WrittenRecords<EventRecord>[]> {
    const groups: SessionRecords[] = [];
    for (const [session, records] of this.#records) {
      groups.push({ session, place: await placeOf(context, session), records });
    }
    return writeNewRecords(context, groups, 'any', []);
  }

  /** Does the work that was kept. */
  async finish(): Promise<void> {
    for (const work of this.#after) await work();
  }
}
