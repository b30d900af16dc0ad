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
  #waiting: (() => void)[] = [];
  #isDropped = false;

  constructor(socket: WebSocket, limit: number, closeTimeoutMs: number) {
    this.#socket = socket;
    this.#limit = limit;
    this.#closeTimeoutMs = closeTimeoutMs;
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

  /** Resolves when little enough waits to be sent, or when the client is gone. */
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
    this.release();
  }

  /** Nobody waits any longer. */
  release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  #sent(): void {
    if (this.#waiting.length > 0 && this.#isFree()) this.release();
  }

  #isFree(): boolean {
    const isOpen = !this.#isDropped && this.#socket.readyState === this.#socket.OPEN;
    return !isOpen || this.#socket.bufferedAmount <= this.#limit / 4;
  }
}
