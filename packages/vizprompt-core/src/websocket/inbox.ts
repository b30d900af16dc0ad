import type { WebSocket } from 'ws';
import type { Limits } from './options.ts';
import { MessageRefused } from './wire/error.ts';

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
export class Inbox {
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
