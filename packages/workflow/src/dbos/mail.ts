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
/** The same for those that say how far a run is, and that nobody reads word by word or answers. */
const GATHER_STEPS_MS = 100;
const OF_STEPS: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'step:started',
  'step:ended',
  'step:skipped',
  'budget:reserved',
  'budget:settled',
]);
/** Letters that go into one row, by the length of their JSON: more only if one alone is longer. */
const MOST_LENGTH = 1_000_000;
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
  #waiting = new Map<string, Letter[]>();
  #timer: NodeJS.Timeout | undefined;
  #sendsAt = Infinity;
  #sending: Promise<void> = Promise.resolve();

  constructor(storage: Storage, namespace: string) {
    this.#storage = storage;
    this.#namespace = namespace;
  }

  post(reader: string, letter: Letter): void {
    const letters = this.#waiting.get(reader);
    if (letters) letters.push(letter);
    else this.#waiting.set(reader, [letter]);
    if (letter.type !== 'event') void this.flush();
    else this.#sendWithin(OF_STEPS.has(letter.event.type) ? GATHER_STEPS_MS : GATHER_MS);
  }

  /** Resolves when everything is sent, or cannot be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#sendsAt = Infinity;
    this.#sending = this.#sending.then(() => this.#send()).catch(() => undefined);
    return this.#sending;
  }

  /** Throws away what nobody has fetched. */
  async clean(): Promise<void> {
    await this.#storage.cache.execute(`DELETE FROM dispatch_event WHERE at < ${NOW} - ?`, [
      KEEP_MS,
    ]);
  }

  #sendWithin(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#sendsAt) return;
    clearTimeout(this.#timer);
    this.#sendsAt = at;
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const [reader, letters] of waiting) {
      for (const body of bodiesOf(letters)) {
        await this.#storage.cache.query(
          `WITH sent AS (INSERT INTO dispatch_event (reader, body, at) VALUES (?, ?, ${NOW}) RETURNING 1)
            SELECT pg_notify(?, '') FROM sent`,
          [reader, body, channelOf(this.#namespace, reader)],
        );
      }
    }
  }
}

/** Lists of letters as JSON, one for each row. */
function* bodiesOf(letters: readonly Letter[]): Generator<string> {
  let body: string[] = [];
  let length = 0;
  for (const letter of letters) {
    const json = JSON.stringify(letter);
    if (body.length > 0 && length + json.length > MOST_LENGTH) {
      yield `[${body.join(',')}]`;
      body = [];
      length = 0;
    }
    body.push(json);
    length += json.length;
  }
  if (body.length > 0) yield `[${body.join(',')}]`;
}

/** Fetches the letters to a reader, in the order in which they were written. */
export async function fetchMail(storage: Storage, reader: string): Promise<Letter[]> {
  const rows = await storage.cache.query<{ id: number; body: string }>(
    'DELETE FROM dispatch_event WHERE reader = ? RETURNING id, body',
    [reader],
  );
  return (
    rows
      .toSorted((a, b) => a.id - b.id)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by an Outbox
      .flatMap(({ body }) => JSON.parse(body) as Letter[])
  );
}
