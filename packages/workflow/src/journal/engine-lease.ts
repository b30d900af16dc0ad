import { randomUUID } from 'node:crypto';
import { type HeldLock, type Storage, StorageError } from '@vizprompt/providers';
import { unwritable } from './journal.ts';

/** How often an engine says that it is alive, in milliseconds. */
const ALIVE_MS = 5000;

/** An engine that has said nothing for so long leads nothing any more, in milliseconds. */
const LEASE_MS = 30_000;

/** How long to look whether a lock is free, in milliseconds. */
const LOOK_MS = 250;

/** Engines that work on one storage at the same time at most. */
const MAX_SLOTS = 10_000;

/** The leaders of runs, and whether they are alive. */
export interface Lease {
  readonly id: string;
  hold(): Promise<void>;
  isAlive(id: string): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Reports which engines are alive. Each holds a lock, which is free at once when its process dies, and renews a row:
 * one whose process hangs, or whose machine sleeps, is taken for dead when the row is old.
 */
export class EngineLease implements Lease {
  /** Whom runs belong to that this engine leads. */
  readonly id: string = randomUUID();
  readonly #storage: Storage;
  #held: Promise<{ readonly slot: number; readonly lock: HeldLock }> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Makes sure that others see this engine as alive. */
  async hold(): Promise<void> {
    this.#held ??= this.#take();
    try {
      await this.#held;
    } catch (error) {
      this.#held = undefined;
      throw unwritable(error);
    }
  }

  /** Checks whether an engine may be at work. */
  async isAlive(id: string): Promise<boolean> {
    if (id === this.id) return true;
    const [row] = await this.#storage.database.query<{ slot: number; alive_at: number }>(
      'SELECT slot, alive_at FROM workflow_owner WHERE id = ?',
      [id],
    );
    if (!row || row.alive_at < Date.now() - LEASE_MS) return false;
    const lock = await this.#tryLock(row.slot);
    await lock?.release();
    return lock === undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    const held = await this.#held?.catch(() => undefined);
    this.#held = undefined;
    if (!held) return;
    await this.#storage.database
      .execute('DELETE FROM workflow_owner WHERE id = ?', [this.id])
      .catch(() => undefined);
    await held.lock.release().catch(() => undefined);
  }

  async #take(): Promise<{ readonly slot: number; readonly lock: HeldLock }> {
    const { database } = this.#storage;
    const others = await database.query<{ slot: number; alive_at: number }>(
      'SELECT slot, alive_at FROM workflow_owner',
    );
    const recent = Date.now() - 2 * ALIVE_MS;
    const busy = new Set(others.filter((one) => one.alive_at > recent).map(({ slot }) => slot));
    for (let slot = 0; slot < MAX_SLOTS; slot++) {
      if (busy.has(slot)) continue;
      const lock = await this.#tryLock(slot);
      if (!lock) continue;
      await this.#sayAlive(slot);
      this.#timer ??= setInterval(() => {
        // A failure now is tried again; others wait for as long as the lease.
        this.#renewing = this.#renew().catch(() => undefined);
      }, ALIVE_MS).unref();
      return { slot, lock };
    }
    throw new StorageError('busy', `${MAX_SLOTS} engines are at work on this storage already`);
  }

  async #renew(): Promise<void> {
    const held = await this.#held;
    if (!held) return;
    if (held.lock.lost.aborted) {
      // The connection that held the lock is gone: take another, under the same id.
      const again = this.#take();
      this.#held = again;
      await again;
      return;
    }
    await this.#sayAlive(held.slot);
  }

  async #sayAlive(slot: number): Promise<void> {
    await this.#storage.database.batch([
      { sql: 'DELETE FROM workflow_owner WHERE id = ? AND slot <> ?', params: [this.id, slot] },
      {
        sql: `INSERT INTO workflow_owner (slot, id, alive_at) VALUES (?, ?, ?)
          ON CONFLICT (slot) DO UPDATE SET id = excluded.id, alive_at = excluded.alive_at`,
        params: [slot, this.id, Date.now()],
      },
    ]);
  }

  async #tryLock(slot: number): Promise<HeldLock | undefined> {
    try {
      return await this.#storage.files.lock(`workflow-engine-${slot}`, { timeoutMs: LOOK_MS });
    } catch (error) {
      if (StorageError.isInstance(error) && error.code === 'lock-timeout') return undefined;
      throw error;
    }
  }
}
