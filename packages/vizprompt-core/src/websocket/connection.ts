import type { Logger } from '@vizprompt/providers';
import { silentLogger } from '@vizprompt/providers/internal';
import type { HeldTexts, Turn } from '@vizprompt/providers/serving/internal';
import type { RawData, WebSocket } from 'ws';
import type { VizPrompt } from '../vizprompt.ts';
import type { ActionContext } from './actions/define-action.ts';
import { Inbox } from './inbox.ts';
import type { Limits } from './options.ts';
import { CLOSE_CODES, Outbox, outgoingMessage, type OutgoingMessage } from './outbox.ts';
import { parseMessage, readRequest, type MessageId, type Request } from './read-message.ts';
import { Subscriptions } from './subscriptions.ts';
import { toWireError, MessageRefused } from './wire/error.ts';

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
