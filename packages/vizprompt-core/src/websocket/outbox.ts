import type { WebSocket } from 'ws';
import {
  onceHeld,
  streamTexts,
  type HeldTexts,
  type LargeText,
  type Turn,
} from '@vizprompt/providers/serving/internal';

/** Why the server ends a connection. Numbers from 4000 on are for applications: RFC 6455, section 7.4.2. */
export const CLOSE_CODES = {
  /** It was so slow, or did not read at all, that too much gathered. */
  tooSlow: 4001,
  /** It did not answer a ping. */
  silent: 4002,
} as const;

/** A message as JSON: its bytes, or the source of one that is larger than what may wait for a client. */
export type OutgoingMessage = Uint8Array | LargeMessage;

interface LargeMessage {
  readonly characters: number;
  readonly text: LargeText;
}

/**
 * Returns a message that many clients may share.
 *
 * @param limit - Bytes that may wait for a client.
 * @param turn - The turn in which it was made.
 */
export function outgoingMessage(message: object, limit: number, turn?: Turn): OutgoingMessage {
  const json = JSON.stringify(message);
  const text = json.length > limit ? onceHeld(json, turn) : json;
  if (typeof text !== 'string') return { characters: json.length, text };
  turn?.end();
  return Buffer.from(text);
}

/**
 * The messages to one client. It holds no more than its limit: a client that lets more gather is dropped. A large
 * message is sent in fragments, no faster than it is read, and held for all clients together.
 */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #limit: number;
  readonly #closeTimeoutMs: number;
  readonly #onDrop: () => void;
  readonly #held: HeldTexts;
  #waiting: (() => void)[] = [];
  /** The messages after a large one, which nothing may interrupt. */
  readonly #queue: OutgoingMessage[] = [];
  #queued = 0;
  #isInFragments = false;
  #isDropped = false;
  #isReleased = false;
  #hasMoved = false;

  /**
   * @param limits - `limit`: bytes that may wait; `closeTimeoutMs`: how long a dropped client has to receive the reason.
   * @param held - Holds the large messages of all clients.
   */
  constructor(
    socket: WebSocket,
    { limit, closeTimeoutMs }: { readonly limit: number; readonly closeTimeoutMs: number },
    held: HeldTexts,
    onDrop: () => void,
  ) {
    this.#socket = socket;
    this.#held = held;
    this.#limit = limit;
    this.#closeTimeoutMs = closeTimeoutMs;
    this.#onDrop = onDrop;
  }

  /** Checks whether anything went out since this was asked last. */
  hasMoved(): boolean {
    const hasMoved = this.#hasMoved;
    this.#hasMoved = false;
    return hasMoved;
  }

  /** Sends a message; bytes are not copied, so that many clients may share them. */
  send(message: OutgoingMessage): void {
    if (this.#isDropped || this.#socket.readyState !== this.#socket.OPEN) return;
    const size = sizeOf(message);
    const gathered = this.#socket.bufferedAmount + this.#queued;
    if (gathered > 0 && gathered + size > this.#limit) {
      this.drop(CLOSE_CODES.tooSlow, `too slow: ${gathered} bytes were not read`);
    } else if (this.#isInFragments) {
      this.#queue.push(message);
      this.#queued += size;
    } else if (message instanceof Uint8Array) {
      this.#socket.send(message, { binary: false }, () => this.#sent());
    } else {
      void this.#sendLarge(message);
    }
  }

  async #sendLarge({ text }: LargeMessage): Promise<void> {
    this.#isInFragments = true;
    try {
      for await (const piece of streamTexts([text], { held: this.#held })) {
        if (this.#isDropped || this.#socket.readyState !== this.#socket.OPEN) return;
        await this.#sendFragment(piece);
      }
    } catch {
      this.drop(CLOSE_CODES.tooSlow, 'too slow: other clients needed the room of its answer');
      return;
    }
    this.#socket.send('', { fin: true }, () => this.#sent());
    this.#isInFragments = false;
    this.#queued = 0;
    for (const next of this.#queue.splice(0)) this.send(next);
    this.#wakeIfFree();
  }

  async #sendFragment(piece: Uint8Array): Promise<void> {
    await new Promise((resolve) =>
      this.#socket.send(piece, { binary: false, fin: false }, resolve),
    );
    this.#hasMoved = true;
  }

  /** Resolves when little enough waits to be sent, or when the client is not to be waited for any longer. */
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

  /** Stops waiting for the client. */
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
    this.#wakeIfFree();
  }

  #wakeIfFree(): void {
    if (this.#waiting.length > 0 && this.#isFree()) this.#wake();
  }

  #isFree(): boolean {
    if (this.#isReleased) return true;
    return !this.#isInFragments && this.#socket.bufferedAmount <= this.#limit / 4;
  }
}

function sizeOf(message: OutgoingMessage): number {
  return message instanceof Uint8Array ? message.byteLength : message.characters;
}
