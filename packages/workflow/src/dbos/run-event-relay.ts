import {
  type JsonObject,
  LLMError,
  type LLMErrorCode,
  messageOf,
  type Storage,
  StorageError,
  type StorageErrorCode,
} from '@vizprompt/providers';
import type { ErrorJson } from '@vizprompt/providers/internal';
import { isError } from '@vizprompt/providers/internal';
import { toErrorJson, WorkflowError, type WorkflowErrorCode } from '../errors.ts';
import type { RunEvent } from '../events.ts';
import type { ActiveRun } from '../runtime/active-run.ts';
import type { RunResult } from '../runtime/workflow-run.ts';
import { NOW } from './dispatch.ts';

/** The messages of a worker to the process that started a run. */
export type RunMessage =
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'done'; readonly runId: string; readonly result: RunResult }
  | { readonly type: 'failed'; readonly runId: string; readonly error: SentError };

/** How long ends of runs are gathered, in milliseconds: each message is a transaction of all that listen, too. */
const GATHER_ENDS_MS = 10;

/** How long events are gathered, in milliseconds. */
const GATHER_MS = 30;

/** The same for events about progress, which are not read word by word and need no answer. */
const GATHER_STEPS_MS = 100;
const OF_STEPS: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>([
  'step:started',
  'step:ended',
  'step:skipped',
  'budget:reserved',
  'budget:settled',
]);

/** Messages that go into one row, by the length of their JSON: more only if one alone is longer. */
const MOST_LENGTH = 1_000_000;

/** Messages that no reader has polled for so long are thrown away, in milliseconds. */
const KEEP_MS = 600_000;

/** Returns the channel on which a reader hears that there are messages. */
export function channelOf(namespace: string, reader: string): string {
  return `${namespace}.${reader}`;
}

/** Delivers events of runs to their readers, on a best-effort basis; the journal also has the end of each run. */
export class RunEventRelay {
  readonly #storage: Storage;
  readonly #namespace: string;
  #waiting = new Map<string, RunMessage[]>();
  #timer: NodeJS.Timeout | undefined;
  #sendsAt = Infinity;
  #sending: Promise<void> = Promise.resolve();

  constructor(storage: Storage, namespace: string) {
    this.#storage = storage;
    this.#namespace = namespace;
  }

  /** Returns a function that sends messages to a reader, if there is one. */
  to(reader: string | undefined): (message: RunMessage) => void {
    if (reader === undefined) return () => undefined;
    return (message) => this.publish(reader, message);
  }

  publish(reader: string, delivery: RunMessage): void {
    const messages = this.#waiting.get(reader);
    if (messages) messages.push(delivery);
    else this.#waiting.set(reader, [delivery]);
    if (delivery.type !== 'event') this.#sendWithin(GATHER_ENDS_MS);
    else this.#sendWithin(OF_STEPS.has(delivery.event.type) ? GATHER_STEPS_MS : GATHER_MS);
  }

  /** Resolves when everything is sent, or cannot be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#sendsAt = Infinity;
    this.#sending = this.#sending.then(() => this.#send()).catch(() => undefined);
    return this.#sending;
  }

  /** Throws away what no reader has polled. */
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
    for (const [reader, messages] of waiting) {
      for (const body of bodiesOf(messages)) {
        await this.#storage.cache.query(
          `WITH sent AS (INSERT INTO dispatch_event (reader, body, at) VALUES (?, ?, ${NOW}) RETURNING 1)
            SELECT pg_notify(?, '') FROM sent`,
          [reader, body, channelOf(this.#namespace, reader)],
        );
      }
    }
  }
}

/** Lists of messages as JSON, one for each row. */
function* bodiesOf(messages: readonly RunMessage[]): Generator<string> {
  let body: string[] = [];
  let length = 0;
  for (const delivery of messages) {
    const json = JSON.stringify(delivery);
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

/** Fetches the messages to a reader, in the order in which they were written. */
export async function pollEvents(storage: Storage, reader: string): Promise<RunMessage[]> {
  const rows = await storage.cache.query<{ id: number; body: string }>(
    'DELETE FROM dispatch_event WHERE reader = ? RETURNING id, body',
    [reader],
  );
  return (
    rows
      .toSorted((a, b) => a.id - b.id)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by an RunEventRelay
      .flatMap(({ body }) => JSON.parse(body) as RunMessage[])
  );
}

/** An error with its causes, as it goes from one process to another. */
interface SentError {
  readonly json: ErrorJson;
  /** The details of an `LLMError`. */
  readonly details?: JsonObject;
  readonly cause?: SentError;
}

const DETAILS = [
  'provider',
  'modelId',
  'status',
  'requestId',
  'retryAfterMs',
  'outputStarted',
  'isRetryable',
] as const;

/** Causes that are passed on. */
const DEPTH = 5;

export function sendError(error: unknown, depth: number = DEPTH): SentError {
  const json = toErrorJson(error);
  const cause: unknown = isError(error) ? error.cause : undefined;
  return {
    json,
    ...(LLMError.isInstance(error) ? { details: detailsOf(error) } : {}),
    ...(cause === undefined || depth === 0 ? {} : { cause: sendError(cause, depth - 1) }),
  };
}

/** Returns the error again: of the classes of the SDK those that runs end with, of others their name and message. */
export function receiveError({ json, details, cause }: SentError): Error {
  const { name, code, message, context } = json;
  const more = { context, ...(cause ? { cause: receiveError(cause) } : {}) };
  if (name === 'WorkflowError') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by its name
    return new WorkflowError(code as WorkflowErrorCode, message, more);
  }
  if (name === 'LLMError') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by its name
    return new LLMError(code as LLMErrorCode, message, { ...details, ...more });
  }
  if (name === 'StorageError') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by its name
    return new StorageError(code as StorageErrorCode, message, more);
  }
  const error = new Error(message, more.cause === undefined ? {} : { cause: more.cause });
  error.name = name;
  if (code !== 'unknown') Object.assign(error, { code, context });
  return error;
}

function detailsOf(error: LLMError): JsonObject {
  const found: [string, string | number | boolean][] = [];
  for (const name of DETAILS) {
    const value = error[name];
    if (value !== undefined) found.push([name, value]);
  }
  return Object.fromEntries(found);
}

/** Returns how a run ended, as an error of this package. */
export function endedWith(json: ErrorJson): WorkflowError {
  const error = receiveError({ json });
  if (WorkflowError.isInstance(error)) return error;
  return new WorkflowError('step-failed', messageOf(error), { cause: error });
}

/**
 * Reports to its reader how a run ended. Does not return where another process continues with it.
 *
 * @param isCancelled - Checks whether it was cancelled elsewhere.
 * @throws the error that DBOS writes down for it.
 */
export async function reportEnd(
  { id: runId, run, settled }: ActiveRun,
  tell: (message: RunMessage) => void,
  isCancelled: () => Promise<boolean>,
): Promise<void> {
  try {
    const result = await run.result;
    tell({ type: 'done', runId, result });
  } catch (error) {
    await settled;
    // One that others continue with has not failed; one that was cancelled elsewhere has.
    const isOver = !isDropped(error) || (await isCancelled());
    if (!isOver) return never();
    tell({ type: 'failed', runId, error: sendError(error) });
    throw briefError(error);
  }
}

/** Checks for errors after which a run stays as it is, for another process to continue with. */
function isDropped(error: unknown): boolean {
  return (
    WorkflowError.isInstance(error) &&
    (error.code === 'closed' || error.code === 'conflict' || error.code === 'journal-unwritable')
  );
}

/** DBOS writes down every value that is returned to it; a call that does not return leaves nothing. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Returns the error that DBOS writes down for a run that failed; all of it is in the journal. */
export function briefError(error: unknown): Error {
  return new Error(messageOf(error));
}
