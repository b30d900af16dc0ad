import { setTimeout as sleep } from 'node:timers/promises';
import type { Storage } from '@vizprompt/providers';
import type { DbosNames } from './options.ts';

/** The message on the channel of workers when a run is in the queue. */
export const QUEUED = 'queued';

/**
 * The shortest time between two notifications, in milliseconds: workers look no more often, and for PostgreSQL each
 * notification is a transaction of each connection that listens.
 */
const PAUSE_MS = 50;

/** Notifies the workers of queued runs: of those that are queued at the same time once. */
export class QueueNotifier {
  readonly #storage: Storage;
  readonly #channel: string;
  #hasMore = false;
  #sending: Promise<void> | undefined;

  constructor(storage: Storage, { channel }: Pick<DbosNames, 'channel'>) {
    this.#storage = storage;
    this.#channel = channel;
  }

  /** Notifies workers after a run was put into the queue; one that misses it finds the run a little later. */
  notify(): void {
    this.#hasMore = true;
    this.#sending ??= this.#send();
  }

  /** Resolves when nothing is to be sent any more. */
  async flush(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#hasMore) {
      this.#hasMore = false;
      await this.#storage.cache
        .query('SELECT pg_notify(?, ?)', [this.#channel, QUEUED])
        .catch(() => undefined);
      await sleep(PAUSE_MS);
    }
    this.#sending = undefined;
  }
}
