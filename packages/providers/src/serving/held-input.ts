import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** What carries the messages of a server; the transports of the MCP SDK are such. */
export interface RpcTransport<Message extends object> {
  onmessage?: ((message: Message) => void) | undefined;
  send(message: Message): Promise<void>;
}

/** Requests that last as long as the connection, and are answered at its end at the earliest. */
const LASTING: ReadonlySet<unknown> = new Set(['subscriptions/listen']);

const NEWLINE = 10;

/** Options of {@link HeldInput}. */
export interface HeldInputOptions {
  /** How long to wait for answers once the input has ended, in milliseconds. Default: 30,000. */
  readonly patienceMs?: number | undefined;
}

/**
 * The input of a server that speaks JSON-RPC, such as MCP, in lines. A server drops what it works at when its
 * input ends, and that of `echo REQUEST | server` ends right behind the request: this one ends when all that
 * was asked is answered, or has taken too long for a client that may be gone. The last line need not be ended.
 *
 * @example
 * ```ts
 * const held = new HeldInput(process.stdin);
 * const transport = new StdioServerTransport(held, process.stdout);
 * const handle = serveStdio(createServer, { transport });
 * held.follow(transport);
 * ```
 */
export class HeldInput extends Transform {
  readonly #input: Readable;
  readonly #patienceMs: number;
  /** The ids of the requests that were not answered yet. */
  readonly #open: Set<unknown> = new Set();
  #isLineOpen = false;
  #onSettled: (() => void) | undefined;

  constructor(input: Readable, { patienceMs = 30_000 }: HeldInputOptions = {}) {
    super();
    this.#input = input;
    this.#patienceMs = patienceMs;
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
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no EventTarget
    transport.onmessage = (message) => {
      this.#noteRequest(message);
      onmessage?.call(transport, message);
    };
    transport.send = async (message) => {
      try {
        await send(message);
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
    this.#isLineOpen = chunk.at(-1) !== NEWLINE;
    done(null, chunk);
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
  }

  async #finish(): Promise<void> {
    if (this.#isLineOpen) this.write('\n');
    // All that came is to be read before it is known what is open.
    do await setImmediate();
    while (!this.destroyed && this.readableLength > 0);
    const timer = setTimeout(() => {
      this.#open.clear();
      this.#onSettled?.();
    }, this.#patienceMs);
    while (!this.destroyed && this.#open.size > 0) {
      await new Promise<void>((resolve) => (this.#onSettled = resolve));
    }
    clearTimeout(timer);
    if (!this.destroyed) this.end();
  }
}

function cancelledBy(message: object): unknown {
  const params: unknown = 'params' in message ? message.params : undefined;
  const isObject = typeof params === 'object' && params !== null;
  return isObject && 'requestId' in params ? params.requestId : undefined;
}
