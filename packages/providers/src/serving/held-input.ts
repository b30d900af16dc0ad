import { once } from 'node:events';
import { type Readable, Transform, type TransformCallback, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { isError } from '../errors.ts';
import { checkArgument, checkOptions } from '../input/check-input.ts';
import { AMOUNT, having, type Kinds, optional } from '../input/kinds.ts';
import { HeldOutput } from './held-output.ts';
import { cancelledBy, isCancellation, messageOf, writtenOnce } from './rpc-message.ts';

/** The transport of the messages of a server, such as those of the MCP SDK. */
export interface RpcTransport<Message extends object> {
  onmessage?: ((message: Message) => void) | undefined;
  /** Receives the error of an answer that its caller no longer waits for. */
  onerror?: ((error: Error) => void) | undefined;
  send(message: Message): Promise<void>;
}

/** Requests that last as long as the connection, and are answered at its end at the earliest. */
const LASTING: ReadonlySet<unknown> = new Set(['subscriptions/listen']);

const NEWLINE = 10;

/** Options of {@link HeldInput}. */
export interface HeldInputOptions {
  /** Maximum time to wait for answers after the input has ended, and for their reader, in milliseconds. Default: 30,000. */
  readonly patienceMs?: number | undefined;
  /**
   * The stream that the transport writes answers to, each as JSON, once; a {@link HeldOutput} holds little in memory.
   * Requests wait while it has more than 1 MiB of unread data. Default: none.
   */
  readonly output?: Writable | undefined;
}

/** Maximum number of open requests: an answer may take many times its size while it is built. */
const MAX_OPEN = 16;
/** As many are open at first, and after a large answer. Each small answer allows one more. */
const FEW_OPEN = 4;
/** As many may be open with those that the server needs to answer its client. */
const MOST_OPEN = MAX_OPEN * 2;
/** Maximum number of unread bytes before requests must wait. */
const MAX_UNREAD = 1 << 20;
/** An answer with more unread bytes is large. */
const LARGE_UNREAD = 1 << 16;
/** Lines that wait, and their bytes: more are not read before one of them is passed on. */
const MAX_WAITING = 64;
const MAX_WAITING_BYTES = 1 << 20;

const READABLE = having('a readable stream', 'pipe', 'once');
const KINDS: Kinds<HeldInputOptions> = {
  patienceMs: optional(AMOUNT),
  output: optional(having('a writable stream', 'write', 'once')),
};

/** A line that waits, and the id of what it asks for. */
interface WaitingLine {
  readonly bytes: Buffer;
  readonly id: unknown;
}

/**
 * The input of a server that speaks JSON-RPC, such as MCP, in lines. A server drops its open requests when its
 * input ends, and that of `echo REQUEST | server` ends right after the request: this one ends when all requests
 * are answered, or have timed out because the client may be gone. The last line needs no newline at its end.
 * A client that sends many requests and reads no answers waits: 4 requests are processed at a time at first and after an
 * answer with more than 64 KiB of unread data, one more after each smaller answer, up to 16, and only one while `output`
 * has more unread data than it buffers (its `highWaterMark`). For each request of the server that the client has not
 * answered, one more is processed, up to 32 in all: the client may need it for its answer. Notifications, such as
 * cancellations, answers of the client, and `ping` pass up to 64 requests, or 1 MiB of them, that wait; `ping` only while
 * answers are read. A longer line than 1 MiB passes none of them, and lines after it wait until it is passed on. A
 * request that is cancelled while it waits is dropped.
 *
 * @example
 * ```ts
 * const output = new HeldOutput(process.stdout);
 * const held = new HeldInput(process.stdin, { output });
 * const transport = new StdioServerTransport(held, output);
 * const handle = serveStdio(createServer, { transport });
 * held.follow(transport);
 * ```
 */
export class HeldInput extends Transform {
  readonly #input: Readable;
  readonly #output: Writable | undefined;
  readonly #patienceMs: number;
  /** The ids of the requests that were not answered yet. */
  readonly #open: Set<unknown> = new Set();
  /** The ids of the requests of the server that the client has not answered. */
  readonly #asked: Set<unknown> = new Set();
  #mostOpen = FEW_OPEN;
  #isLineOpen = false;
  #onSettled: (() => void) | undefined;
  #isImpatient = false;
  #onRoom: (() => void) | undefined;
  /** True while a line is passed on whose end has not come yet. */
  #isWithinLine = false;
  /** The beginning of a line that is passed on, or waits, once it is whole. */
  #part: Buffer[] = [];
  #partBytes = 0;
  #waiting: WaitingLine[] = [];
  #waitingBytes = 0;
  #isPassing = false;
  #onPassed: (() => void) | undefined;

  constructor(input: Readable, options: HeldInputOptions = {}) {
    super();
    checkArgument('the input of HeldInput', input, READABLE);
    checkOptions('HeldInput', options, KINDS);
    const { patienceMs = 30_000, output } = options;
    this.#input = input;
    this.#output = output;
    this.#patienceMs = patienceMs;
    // Each answer that waits for its reader listens once.
    if (output && !(output instanceof HeldOutput)) {
      output.setMaxListeners(Math.max(output.getMaxListeners(), MAX_OPEN * 2));
    }
    input.pipe(this, { end: false });
    input.once('end', () => void this.#finish());
    input.once('error', (error) => this.destroy(error));
    // A client that dies may not say goodbye.
    input.once('close', () => input.readableEnded || this.destroy());
  }

  /** Notes what is asked and answered by way of a transport. Its `onmessage` must be set already. */
  follow<Message extends object>(transport: RpcTransport<Message>): void {
    const { onmessage } = transport;
    const send = transport.send.bind(transport);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is not an EventTarget
    transport.onmessage = (message) => {
      this.#noteRequest(message);
      onmessage?.call(transport, message);
    };
    transport.send = async (message) => {
      if ('method' in message || !('id' in message)) {
        this.#noteAsked(message);
        return await send(message);
      }
      const { id } = message;
      const sent = send(this.#output ? writtenOnce(message) : message);
      const unread = this.#unreadBytes;
      this.#mostOpen = unread > LARGE_UNREAD ? FEW_OPEN : Math.min(this.#mostOpen + 1, MAX_OPEN);
      const settled = sent.then(() => this.#whenRead()).finally(() => this.#settle(id));
      if (unread === 0) return await settled;
      // The caller would hold the answer until the last byte is read. A result that is no JSON fails at once.
      let isAwaited = true;
      settled.catch((error: unknown) => {
        if (!isAwaited) transport.onerror?.(isError(error) ? error : new Error(String(error)));
      });
      const turn = setImmediate().then(() => (isAwaited = false));
      await Promise.race([settled, turn]);
    };
  }

  /** Lets go of the input, which stays open and would keep the process alive. */
  release(): void {
    this.#input.unpipe(this);
    this.#input.pause();
    this.destroy();
    this.#onSettled?.();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (chunk.length > 0) this.#isLineOpen = chunk.at(-1) !== NEWLINE;
    void this.#takeAll(chunk, done);
  }

  async #takeAll(chunk: Buffer, done: TransformCallback): Promise<void> {
    for (let start = 0; start < chunk.length && !this.#isOver;) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline < 0 ? chunk.length : newline + 1;
      await this.#take(chunk.subarray(start, end), newline >= 0);
      start = end;
    }
    done();
  }

  /** Passes a line, or a part of one, on, or lets it wait until there is room for what it may ask for. */
  async #take(piece: Buffer, isEnd: boolean): Promise<void> {
    const isFree = this.#part.length === 0 && !this.#isPassing && !this.#isFull;
    if (this.#isWithinLine || isFree) {
      this.#isWithinLine = !isEnd;
      await this.#give(piece, isEnd);
      return;
    }
    this.#part.push(piece);
    this.#partBytes += piece.length;
    if (!isEnd && this.#partBytes <= MAX_WAITING_BYTES) return;
    const bytes = Buffer.concat(this.#part);
    this.#part = [];
    this.#partBytes = 0;
    const message = isEnd ? messageOf(bytes) : undefined;
    if (message && this.#mayPass(message)) {
      const cancelled = isCancellation(message) ? cancelledBy(message) : undefined;
      if (cancelled !== undefined) this.#drop(cancelled);
      await this.#give(bytes, true);
      return;
    }
    await this.#wait({ bytes, id: message && 'id' in message ? message.id : undefined });
    if (isEnd) return;
    // Its rest follows it.
    while (this.#isPassing) await this.#passed();
    this.#isWithinLine = true;
  }

  /** Passes a line, or a part of one, on; its request is noted before the next line is looked at. */
  async #give(bytes: Buffer, isEnd: boolean): Promise<void> {
    this.push(bytes);
    if (isEnd) await setImmediate();
  }

  /** Checks for a message that passes those that wait. */
  #mayPass(message: object): boolean {
    if (!('method' in message && 'id' in message)) return true;
    return message.method === 'ping' && this.#open.size < MOST_OPEN && !this.#isUnread;
  }

  /** Lets a line wait. Waits itself while too many do. */
  async #wait(line: WaitingLine): Promise<void> {
    while (
      this.#waiting.length >= MAX_WAITING ||
      (this.#waiting.length > 0 && this.#waitingBytes + line.bytes.length > MAX_WAITING_BYTES)
    ) {
      await this.#passed();
    }
    if (this.#isOver) return;
    this.#waiting.push(line);
    this.#waitingBytes += line.bytes.length;
    if (!this.#isPassing) void this.#passWaiting();
  }

  async #passWaiting(): Promise<void> {
    this.#isPassing = true;
    while (this.#waiting.length > 0 && !this.#isOver) {
      if (this.#isFull) {
        await this.#room();
        continue;
      }
      const line = this.#waiting.shift();
      if (!line) break;
      this.#waitingBytes -= line.bytes.length;
      await this.#give(line.bytes, true);
      this.#onPassed?.();
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#isPassing = false;
    this.#onPassed?.();
  }

  /** Resolves when a line that waits was passed on, or all were. */
  #passed(): Promise<void> {
    return new Promise((resolve) => (this.#onPassed = resolve));
  }

  /** Drops a request that waits: its answer is no longer wanted. */
  #drop(id: unknown): void {
    this.#waiting = this.#waiting.filter((line) => line.id !== id);
    this.#waitingBytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  get #isOver(): boolean {
    return this.destroyed || this.#isImpatient;
  }

  get #isFull(): boolean {
    const output = this.#output;
    // Emits 'drain' when all is read. Less than it buffers may be read without an event.
    const isUnread = output instanceof HeldOutput ? output.isUnread : output?.writableNeedDrain;
    const most = isUnread ? 1 : this.#mostOpen;
    return this.#open.size >= Math.min(most + this.#asked.size, MOST_OPEN) || this.#isUnread;
  }

  get #isUnread(): boolean {
    return this.#unreadBytes > MAX_UNREAD;
  }

  get #unreadBytes(): number {
    const output = this.#output;
    return output instanceof HeldOutput ? output.unreadBytes : (output?.writableLength ?? 0);
  }

  async #whenRead(): Promise<void> {
    if (this.#output instanceof HeldOutput) await this.#output.whenRead();
  }

  /** Resolves when an answer was given, or was read. */
  #room(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#output?.off('drain', done).off('close', done);
        this.off('close', done);
        this.#onRoom = undefined;
        resolve();
      };
      this.#onRoom = done;
      this.#output?.once('drain', done).once('close', done);
      this.once('close', done);
    });
  }

  #noteRequest(message: object): void {
    if (!('method' in message)) {
      if ('id' in message) this.#asked.delete(message.id);
    } else if (isCancellation(message)) this.#settle(cancelledBy(message));
    else if ('id' in message && !LASTING.has(message.method)) this.#open.add(message.id);
  }

  /** Notes a request of the server to its client, or its cancellation. */
  #noteAsked(message: object): void {
    if (!('method' in message)) return;
    if (isCancellation(message)) this.#asked.delete(cancelledBy(message));
    else if ('id' in message) this.#asked.add(message.id);
    this.#onRoom?.();
  }

  #settle(id: unknown): void {
    this.#open.delete(id);
    // A request of the server that serves none may be abandoned.
    if (this.#open.size === 0) this.#asked.clear();
    this.#onSettled?.();
    this.#onRoom?.();
  }

  #written(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.write(text, () => resolve());
    });
  }

  async #finish(): Promise<void> {
    const timer = setTimeout(() => {
      this.#isImpatient = true;
      this.#open.clear();
      this.#onSettled?.();
      this.#onRoom?.();
    }, this.#patienceMs);
    // All that came is to be read before it is known what is open.
    await this.#written('');
    if (this.#isLineOpen) await this.#written('\n');
    while (this.#isPassing) await this.#passed();
    do await setImmediate();
    while (!this.destroyed && this.readableLength > 0);
    while (!this.destroyed && this.#open.size > 0) {
      await new Promise<void>((resolve) => (this.#onSettled = resolve));
    }
    // So may notifications be unread, and answers to requests that were cancelled.
    if (!this.#isOver && this.#output instanceof HeldOutput) {
      const over = new Promise<void>((resolve) => {
        this.#onRoom = resolve;
        this.once('close', resolve);
      });
      await Promise.race([this.#output.whenPassed(), over]);
    }
    clearTimeout(timer);
    if (!this.destroyed) this.end();
  }
}

/** A server on standard input and output. */
export interface StdioServer extends AsyncDisposable {
  /**
   * Resolves when the client has hung up, and all that it asked before is answered and read, or its patience has ended.
   * Unread answers are still passed on after that, while the process lives.
   */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Returns a server that lives as long as its client.
 *
 * @param handle - Answers; it is closed when the client has hung up, or before.
 */
export function serveHeld(
  held: HeldInput,
  output: HeldOutput,
  handle: { close(): Promise<void> },
): StdioServer {
  // A client that is gone may leave either end open.
  const ended = Promise.race([once(held, 'end'), once(held, 'close'), once(output, 'close')]);
  const close = async (): Promise<void> => {
    await handle.close();
    held.release();
    // A client may read the rest later.
    output.end();
  };
  return { closed: ended.then(close, close), close, [Symbol.asyncDispose]: close };
}
