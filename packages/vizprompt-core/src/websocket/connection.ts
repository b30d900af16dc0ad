import type { Logger } from '@vizprompt/providers';
import { silentLogger } from '@vizprompt/providers/internal';
import type { HeldTexts, Turn } from '@vizprompt/providers/serving/internal';
import type { RawData, WebSocket } from 'ws';
import type { VizPrompt } from '../vizprompt.ts';
import type { ActionContext } from './actions/define-action.ts';
import type { Limits } from './options.ts';
import { CLOSE_CODES, Outbox, outgoingMessage, type OutgoingMessage } from './outbox.ts';
import { type MessageId, parseMessage, readRequest, type Request } from './read-message.ts';
import { Subscriptions } from './subscriptions.ts';
import { MessageRefused, toWireError } from './wire/error.ts';

/** The parts that every connection of a server shares. */
interface ConnectionParts {
  readonly vizprompt: VizPrompt;
  readonly limits: Limits;
  readonly closeTimeoutMs: number;
  /** Holds the large messages of all clients. */
  readonly held: HeldTexts;
  readonly logger?: Logger | undefined;
}

/**
 * A client. Its actions are done one after the other, so that answers come in the order of the messages;
 * long ones run next to them.
 */
export class Connection {
  readonly subscriptions: Subscriptions;
  readonly #parts: ConnectionParts;
  readonly #socket: WebSocket;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  readonly #long: LongActions;
  readonly #logger: Logger;
  readonly #closed: Promise<void>;
  #isHeard = true;
  #isLeaving = false;

  constructor(socket: WebSocket, parts: ConnectionParts) {
    const { limits, closeTimeoutMs, logger = silentLogger } = parts;
    this.#parts = parts;
    this.#socket = socket;
    this.#logger = logger;
    this.subscriptions = new Subscriptions(limits.maxSubscriptions);
    this.#outbox = new Outbox(
      socket,
      { limit: limits.maxBufferedBytes, closeTimeoutMs },
      parts.held,
      () => this.#leave(),
    );
    this.#long = new LongActions(limits.maxLongActions);
    this.#inbox = new Inbox(socket, limits, {
      work: (text) => this.#receive(text),
      refuse: (error, text) => this.#refuse(error, text),
    });
    socket.on('message', (data, isBinary) => this.#hear(data, isBinary));
    socket.on('pong', () => (this.#isHeard = true));
    // ws closes the connection itself, with the code that fits.
    socket.on('error', () => {});
    this.#closed = new Promise((resolve) => socket.once('close', () => resolve()));
    void this.#closed.then(() => this.#leave());
  }

  /** Sends what many are sent. */
  send(message: OutgoingMessage): void {
    this.#outbox.send(message);
  }

  /** Pings; a client that said nothing and took nothing since the last time is gone. */
  checkAlive(): void {
    // Whom the server does not read, as it has not done yet what he asked for, cannot be heard.
    const isHeld = this.#socket.isPaused && this.#socket.bufferedAmount === 0;
    if (!this.#outbox.hasMoved() && !this.#isHeard && !isHeld) {
      this.#outbox.drop(CLOSE_CODES.silent, 'no answer to a ping');
      return;
    }
    this.#isHeard = false;
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }

  /** Stops long actions, waits for what is in progress, and says goodbye. */
  async close(): Promise<void> {
    this.#leave();
    await Promise.all([this.#inbox.idle(), this.#long.idle()]);
    this.#outbox.drop(1001, 'the server closes');
    await this.#closed;
  }

  /** Begins nothing more, stops what is long, and waits for nothing to be read. */
  #leave(): void {
    this.#isLeaving = true;
    this.#inbox.close();
    this.#outbox.release();
    this.#long.stop();
  }

  #hear(data: RawData, isBinary: boolean): void {
    this.#isHeard = true;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the binaryType is nodebuffer
    this.#inbox.take(data as Buffer, isBinary);
  }

  async #receive(text: string): Promise<void> {
    let id: MessageId | undefined;
    try {
      const message = parseMessage(text);
      ({ id } = message);
      const request = readRequest(message);
      // Earlier requests are to be read first.
      await this.#outbox.drained();
      if (this.#isLeaving) return;
      if (!request.action.isLong) await this.#answer(request, NEVER);
      else this.#long.start(id, (signal) => this.#answer(request, signal));
    } catch (error) {
      this.#fail(error, id);
    }
  }

  async #answer({ id, action, data }: Request, signal: AbortSignal): Promise<void> {
    // Requests that read may have large answers: few are served at a time.
    const turn = action.isReading ? await this.#parts.held.turn() : undefined;
    try {
      const result = await action.run(this.#contextOf(id, signal), data);
      const node = result.nodeId === undefined ? {} : { node_id: result.nodeId };
      this.#send({ ...named(id), status: 'success', ...node, data: result.data }, turn);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, id);
      else this.#send({ ...named(id), status: 'error', error: CANCELLED });
    } finally {
      turn?.pause();
    }
  }

  #contextOf(id: MessageId | undefined, signal: AbortSignal): ActionContext {
    return {
      vizprompt: this.#parts.vizprompt,
      subscriptions: this.subscriptions,
      signal,
      tell: (event, data) => {
        this.#send({ ...named(id), event, data });
        return this.#outbox.drained();
      },
      cancel: (other) => this.#long.cancel(other),
    };
  }

  #refuse(error: MessageRefused, text: string | undefined): void {
    let id: MessageId | undefined;
    try {
      if (text !== undefined) ({ id } = parseMessage(text));
    } catch {
      // Then it has no id that could be returned.
    }
    this.#fail(error, id);
  }

  #fail(error: unknown, id: MessageId | undefined): void {
    this.#send({ ...named(id), status: 'error', error: toWireError(error, this.#logger) });
  }

  #send(message: object, turn?: Turn): void {
    this.#outbox.send(outgoingMessage(message, this.#parts.limits.maxBufferedBytes, turn));
  }
}

/** Short actions are never stopped. */
const NEVER = new AbortController().signal;

const CANCELLED = {
  code: 'cancelled',
  message: 'it was stopped before its end; what was done until then is kept',
} as const;

function named(id: MessageId | undefined): { readonly id?: MessageId } {
  return id === undefined ? {} : { id };
}

/** The actions of a client that run alongside the others. */
class LongActions {
  readonly #most: number;
  readonly #running: Map<
    AbortController,
    { readonly id?: MessageId; readonly end: Promise<void> }
  > = new Map();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Starts one, and does not wait for it.
   *
   * @param run - Must not reject.
   * @throws MessageRefused `too_many_actions`, or `invalid_input` for an id that is in use.
   */
  start(id: MessageId | undefined, run: (signal: AbortSignal) => Promise<void>): void {
    if (this.#running.size >= this.#most) {
      const message = `${this.#running.size} long actions are in progress, which is the most`;
      throw new MessageRefused('too_many_actions', `${message}: wait for one, or cancel one`);
    }
    if (id !== undefined && this.#find(id)) {
      throw new MessageRefused('invalid_input', 'id: an action of this id is in progress');
    }
    const controller = new AbortController();
    const end = run(controller.signal).finally(() => this.#running.delete(controller));
    this.#running.set(controller, { end, ...(id === undefined ? {} : { id }) });
  }

  /** Ends one; `false` if there is none of this id. */
  cancel(id: MessageId): boolean {
    const found = this.#find(id);
    found?.abort();
    return found !== undefined;
  }

  /** Ends them all. */
  stop(): void {
    for (const controller of this.#running.keys()) controller.abort();
  }

  /** Resolves when all have ended. */
  async idle(): Promise<void> {
    await Promise.all(Array.from(this.#running.values(), ({ end }) => end));
  }

  #find(id: MessageId): AbortController | undefined {
    for (const [controller, one] of this.#running) if (one.id === id) return controller;
    return undefined;
  }
}

/** The handlers of messages. */
interface InboxEnds {
  /** Does what a message says; must not reject. */
  work(text: string): Promise<void>;
  /** @param text - The message, if it is short enough to look for its id. */
  refuse(error: MessageRefused, text: string | undefined): void;
}

/** Messages that wait at most; then the client is not read until some are done. */
const MAX_WAITING = 64;
/** Counts as one message. */
const UNIT_BYTES = 64 * 1024;

/**
 * The messages of a client, one after the other. It is read no faster than its messages are done, and
 * what comes too fast or is too large is refused.
 */
class Inbox {
  readonly #socket: WebSocket;
  readonly #limits: Limits;
  readonly #ends: InboxEnds;
  readonly #rate: RateLimit;
  readonly #waiting: Buffer[] = [];
  #bytes = 0;
  #pause: NodeJS.Timeout | undefined;
  #work: Promise<void> | undefined;
  #isClosed = false;

  constructor(socket: WebSocket, limits: Limits, ends: InboxEnds) {
    this.#socket = socket;
    this.#limits = limits;
    this.#ends = ends;
    this.#rate = new RateLimit(limits.maxMessagesPerSecond);
  }

  take(message: Buffer, isBinary: boolean): void {
    if (this.#isClosed) return;
    const problem = this.#problemOf(message, isBinary);
    if (problem) {
      const isShort = !isBinary && message.length <= UNIT_BYTES;
      this.#ends.refuse(problem, isShort ? message.toString('utf8') : undefined);
      return;
    }
    this.#waiting.push(message);
    this.#bytes += message.length;
    this.#work ??= this.#workOff();
    this.#settle();
  }

  /** Resolves when nothing is in progress. */
  async idle(): Promise<void> {
    await this.#work;
  }

  /** Waiting requests are dropped. */
  close(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
    clearTimeout(this.#pause);
    // The end of the connection is to be read.
    if (this.#socket.isPaused) this.#socket.resume();
  }

  #problemOf({ length }: Buffer, isBinary: boolean): MessageRefused | undefined {
    const waitMs = this.#rate.take(Math.ceil(length / UNIT_BYTES));
    if (waitMs > 0) {
      this.#rest(waitMs);
      const { maxMessagesPerSecond: most } = this.#limits;
      const message = `more than ${most} messages a second: wait ${waitMs} ms, and send it again`;
      return new MessageRefused('too_many_messages', message, { retry_after_ms: waitMs });
    }
    const { maxMessageBytes: most } = this.#limits;
    if (length > most) {
      const message = `the message has ${length} bytes: it may have ${most}`;
      return new MessageRefused('message_too_large', message);
    }
    if (!isBinary) return undefined;
    return new MessageRefused('invalid_message', 'the message is binary: send JSON as text');
  }

  async #workOff(): Promise<void> {
    for (let message = this.#waiting.shift(); message; message = this.#waiting.shift()) {
      await this.#ends.work(message.toString('utf8'));
      this.#bytes -= message.length;
      this.#settle();
    }
    this.#work = undefined;
  }

  /** Reads nothing for a while. */
  #rest(milliseconds: number): void {
    if (this.#pause) return;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#settle();
    }, milliseconds);
    this.#settle();
  }

  #settle(): void {
    const isFull =
      this.#waiting.length >= MAX_WAITING || this.#bytes > this.#limits.maxMessageBytes;
    const isResting = isFull || this.#pause !== undefined;
    if (isResting === this.#socket.isPaused) return;
    if (isResting) this.#socket.pause();
    else this.#socket.resume();
  }
}

/** The rate limit of messages: `perSecond` a second, and twice as many at once. */
class RateLimit {
  readonly #perSecond: number;
  #left: number;
  #time: number = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond * 2;
  }

  /**
   * Takes `count` from the remaining allowance.
   *
   * @returns 0, or the milliseconds until the allowance suffices; then nothing is taken.
   */
  take(count: number): number {
    const now = performance.now();
    const most = this.#perSecond * 2;
    this.#left = Math.min(most, this.#left + ((now - this.#time) / 1000) * this.#perSecond);
    this.#time = now;
    // A cost above the maximum passes when the allowance is full.
    const cost = Math.min(count, most);
    if (this.#left < cost) return Math.ceil(((cost - this.#left) / this.#perSecond) * 1000);
    this.#left -= cost;
    return 0;
  }
}
