import type { WebSocket } from 'ws';

/** Why the server ends a connection. Numbers from 4000 on are for applications: RFC 6455, section 7.4.2. */
export const CLOSE_CODES = {
  /** It was so slow, or did not read at all, that too much gathered. */
  tooSlow: 4001,
  /** It did not answer a ping. */
  silent: 4002,
} as const;

/**
 * What is sent to one client. It holds no more than its limit, beside one message that is larger than
 * that itself: a client that lets more gather is dropped.
 */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #limit: number;
  readonly #closeTimeoutMs: number;
  readonly #onDrop: () => void;
  #waiting: (() => void)[] = [];
  #isDropped = false;
  #isReleased = false;
  #hasMoved = false;

  /**
   * @param limit - Bytes that may wait.
   * @param closeTimeoutMs - How long a dropped client has to hear why.
   */
  constructor(socket: WebSocket, limit: number, closeTimeoutMs: number, onDrop: () => void) {
    this.#socket = socket;
    this.#limit = limit;
    this.#closeTimeoutMs = closeTimeoutMs;
    this.#onDrop = onDrop;
  }

  /** Whether anything went out since this was asked last. */
  hasMoved(): boolean {
    const hasMoved = this.#hasMoved;
    this.#hasMoved = false;
    return hasMoved;
  }

  /** Sends a message, JSON in UTF-8; the bytes are not copied, so that many clients may share them. */
  send(message: Uint8Array): void {
    if (this.#isDropped || this.#socket.readyState !== this.#socket.OPEN) return;
    const gathered = this.#socket.bufferedAmount;
    if (gathered > 0 && gathered + message.byteLength > this.#limit) {
      this.drop(CLOSE_CODES.tooSlow, `too slow: ${gathered} bytes were not read`);
      return;
    }
    this.#socket.send(message, { binary: false }, () => this.#sent());
  }

  /** Resolves when little enough waits to be sent, or when nobody is to wait for the client any longer. */
  async drained(): Promise<void> {
    if (this.#isFree()) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the connection: it has a moment to hear why. */
  drop(code: number, reason: string): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#socket.close(code, reason);
    const timer = setTimeout(() => this.#socket.terminate(), this.#closeTimeoutMs);
    this.#socket.once('close', () => clearTimeout(timer));
    this.#onDrop();
  }

  /** Nobody waits for the client any longer. */
  release(): void {
    this.#isReleased = true;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  #sent(): void {
    this.#hasMoved = true;
    if (this.#waiting.length > 0 && this.#isFree()) this.#wake();
  }

  #isFree(): boolean {
    return this.#isReleased || this.#socket.bufferedAmount <= this.#limit / 4;
  }
}
