import type { Storage } from '@vizprompt/providers';
import type { RunEvent } from '../events.ts';
import type { RunResult } from '../engine/workflow-run.ts';
import type { SentError } from './sent-error.ts';
import { NOW } from './tables.ts';

/** What a worker tells whoever started a run. */
export type Letter =
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'done'; readonly runId: string; readonly result: RunResult }
  | { readonly type: 'failed'; readonly runId: string; readonly error: SentError };

/** How long events are gathered, in milliseconds. */
const GATHER_MS = 30;
/** Letters that are written at a time at most. */
const AT_ONCE = 200;
/** Letters that nobody has fetched for so long are thrown away, in milliseconds. */
const KEEP_MS = 600_000;

/** The channel on which a reader hears that there is mail. */
export function channelOf(namespace: string, reader: string): string {
  return `${namespace}.${reader}`;
}

/** Sends what happens in runs to who reads it. What does not arrive is lost; how runs end is in the journal, too. */
export class Outbox {
  readonly #storage: Storage;
  readonly #namespace: string;
  #waiting: { readonly reader: string; readonly letter: Letter }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(storage: Storage, namespace: string) {
    this.#storage = storage;
    this.#namespace = namespace;
  }

  post(reader: string, letter: Letter): void {
    this.#waiting.push({ reader, letter });
    if (letter.type !== 'event') void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS);
  }

  /** Resolves when everything is sent, or cannot be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#sending.then(() => this.#send()).catch(() => undefined);
    return this.#sending;
  }

  /** Throws away what nobody has fetched. */
  async clean(): Promise<void> {
    await this.#storage.cache.execute(`DELETE FROM dispatch_event WHERE at < ${NOW} - ?`, [
      KEEP_MS,
    ]);
  }

  async #send(): Promise<void> {
    const all = this.#waiting.splice(0);
    const readers = [...new Set(all.map(({ reader }) => reader))];
    while (all.length > 0) {
      const some = all.splice(0, AT_ONCE);
      await this.#storage.cache.execute(
        `INSERT INTO dispatch_event (reader, body, at)
          VALUES ${some.map(() => `(?, ?, ${NOW})`).join(', ')}`,
        some.flatMap(({ reader, letter }) => [reader, JSON.stringify(letter)]),
      );
    }
    for (const reader of readers) {
      await this.#storage.cache.query('SELECT pg_notify(?, ?)', [
        channelOf(this.#namespace, reader),
        '',
      ]);
    }
  }
}

/** Fetches the letters to a reader, in the order in which they were written. */
export async function fetchMail(storage: Storage, reader: string): Promise<Letter[]> {
  const rows = await storage.cache.query<{ id: number; body: string }>(
    'DELETE FROM dispatch_event WHERE reader = ? RETURNING id, body',
    [reader],
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by an Outbox
  return rows.toSorted((a, b) => a.id - b.id).map(({ body }) => JSON.parse(body) as Letter);
}
