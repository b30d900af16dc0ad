import { Transform, type Readable, type TransformCallback, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { checkArgument, checkOptions } from '../input/check-input.ts';
import { AMOUNT, having, optional, type Kinds } from '../input/kinds.ts';

/** The transport of the messages of a server, such as those of the MCP SDK. */
export interface RpcTransport<Message extends object> {
  onmessage?: ((message: Message) => void) | undefined;
  send(message: Message): Promise<void>;
}

/** Requests that last as long as the connection, and are answered at its end at the earliest. */
const LASTING: ReadonlySet<unknown> = new Set(['subscriptions/listen']);

const NEWLINE = 10;

/** Options of {@link HeldInput}. */
export interface HeldInputOptions {
  /** Maximum time to wait for answers after the input has ended, in milliseconds. Default: 30,000. */
  readonly patienceMs?: number | undefined;
  /** The stream of answers. Requests wait while it has more than 1 MiB of unread data. Default: none. */
  readonly output?: Writable | undefined;
}

/** Maximum number of open requests: an answer may take many times its size while it is built. */
const MAX_OPEN = 16;
/** As many are open at first, and after a large answer that waits for its reader. Each small answer allows one more. */
const FEW_OPEN = 4;
/** Maximum number of unread bytes before requests must wait. */
const MAX_UNREAD = 1 << 20;
/** An answer with more unread bytes is large. */
const LARGE_UNREAD = 1 << 16;

const READABLE = having('a readable stream', 'pipe', 'once');
const KINDS: Kinds<HeldInputOptions> = {
  patienceMs: optional(AMOUNT),
  output: optional(having('a writable stream', 'write', 'once')),
};

/**
 * The input of a server that speaks JSON-RPC, such as MCP, in lines. A server drops its open requests when its
 * input ends, and that of `echo REQUEST | server` ends right after the request: this one ends when all requests
 * are answered, or have timed out because the client may be gone. The last line needs no newline at its end.
 * A client that sends many requests and reads no answers waits: few requests are processed at a time. Notifications, such as
 * cancellations, and answers of the client pass meanwhile.
 *
 * @example
 * ```ts
 * const held = new HeldInput(process.stdin, { output: process.stdout });
 * const transport = new StdioServerTransport(held, process.stdout);
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
  #mostOpen = FEW_OPEN;
  #isLineOpen = false;
  #onSettled: (() => void) | undefined;
  #isImpatient = false;
  #onRoom: (() => void) | undefined;

  constructor(input: Readable, options: HeldInputOptions = {}) {
    super();
    checkArgument('the input of HeldInput', input, READABLE);
    checkOptions('HeldInput', options, KINDS);
    const { patienceMs = 30_000, output } = options;
    this.#input = input;
    this.#output = output;
    this.#patienceMs = patienceMs;
    // Each answer that waits for its reader listens once.
    output?.setMaxListeners(Math.max(output.getMaxListeners(), MAX_OPEN * 2));
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
      const sent = send(message);
      const unread = this.#output?.writableLength ?? 0;
      this.#mostOpen = unread > LARGE_UNREAD ? FEW_OPEN : Math.min(this.#mostOpen + 1, MAX_OPEN);
      try {
        await sent;
      } finally {
        if (!('method' in message) && 'id' in message) this.#settle(message.id);
      }
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
    const isWithinLine = this.#isLineOpen;
    if (chunk.length > 0) this.#isLineOpen = chunk.at(-1) !== NEWLINE;
    void this.#pass(chunk, isWithinLine, done);
  }

  /** Gives the lines of a chunk on, each when there is room for what it may ask for. */
  async #pass(chunk: Buffer, isWithinLine: boolean, done: TransformCallback): Promise<void> {
    let isWhole = !isWithinLine;
    for (let start = 0; start < chunk.length;) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline < 0 ? chunk.length : newline + 1;
      const line = chunk.subarray(start, end);
      if (this.#isFull && !(isWhole && isNoRequest(line))) {
        while (this.#isFull && !this.#isOver) await this.#room();
      }
      if (this.#isOver) break;
      this.push(line);
      start = end;
      isWhole = true;
      // Its request is noted before the next line is looked at.
      if (newline >= 0) await setImmediate();
    }
    done();
  }

  get #isOver(): boolean {
    return this.destroyed || this.#isImpatient;
  }

  get #isFull(): boolean {
    return this.#open.size >= this.#mostOpen || (this.#output?.writableLength ?? 0) > MAX_UNREAD;
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
    if (!('method' in message)) return;
    const { method } = message;
    if (method === 'notifications/cancelled') this.#settle(cancelledBy(message));
    else if ('id' in message && !LASTING.has(method)) this.#open.add(message.id);
  }

  #settle(id: unknown): void {
    this.#open.delete(id);
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
    do await setImmediate();
    while (!this.destroyed && this.readableLength > 0);
    while (!this.destroyed && this.#open.size > 0) {
      await new Promise<void>((resolve) => (this.#onSettled = resolve));
    }
    clearTimeout(timer);
    if (!this.destroyed) this.end();
  }
}

/** Checks for a message that asks for no answer. One whose end is in the next chunk is not known to be one. */
function isNoRequest(line: Buffer): boolean {
  try {
    const message: unknown = JSON.parse(line.toString('utf8'));
    const isObject = typeof message === 'object' && message !== null && !Array.isArray(message);
    return isObject && !('method' in message && 'id' in message);
  } catch {
    return false;
  }
}

function cancelledBy(message: object): unknown {
  const params: unknown = 'params' in message ? message.params : undefined;
  const isObject = typeof params === 'object' && params !== null;
  return isObject && 'requestId' in params ? params.requestId : undefined;
}
