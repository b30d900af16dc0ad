import { EventEmitter } from 'eventemitter3';
import { silentLogger, type Logger } from './logging/logger.ts';
import { messageOf } from './errors.ts';
import { checkOptions } from './input/check-input.ts';
import { FUNCTION, type Kinds, LOGGER, optional } from './input/kinds.ts';

/** Takes a listener away again; calling it twice does no harm. */
export type Unsubscribe = () => void;

/** Receives the payload of one kind of event. Its result and its errors change nothing. */
export type Listener<Payload> = (payload: Payload) => unknown;

/** The part of {@link TypedEvents} that a listener needs. */
export interface EventSource<Events extends object> {
  /** Calls `listener` at each event of this name until the returned function is called. */
  on<Name extends keyof Events & string>(name: Name, listener: Listener<Events[Name]>): Unsubscribe;
  /** Like `on`, for the next event only. */
  once<Name extends keyof Events & string>(
    name: Name,
    listener: Listener<Events[Name]>,
  ): Unsubscribe;
}

/** Options of {@link TypedEvents}. */
export interface TypedEventsOptions {
  /** Receives (level `error`) the error of a listener that threw or rejected. Default: none. */
  readonly logger?: Logger | undefined;
  /** Throws for a listener that must not be added: an event of this name does not exist. Default: none. */
  readonly check?: ((name: string, listener: unknown) => void) | undefined;
}

const KINDS: Kinds<TypedEventsOptions> = { logger: optional(LOGGER), check: optional(FUNCTION) };

/**
 * Events with checked names and payloads, for observation: a listener that throws or rejects is
 * reported to the logger and never reaches the emitter or the other listeners.
 *
 * @typeParam Events - An interface from event name (`noun:verbed`) to payload type.
 *
 * @example
 * ```ts
 * const events = new TypedEvents<{ 'node:created': { id: string } }>();
 * const stop = events.on('node:created', ({ id }) => console.log(id));
 * events.emit('node:created', { id: '1' });
 * stop();
 * ```
 */
export class TypedEvents<Events extends object> implements EventSource<Events> {
  readonly #emitter: EventEmitter & { setMaxListeners?(most: number): unknown } =
    new EventEmitter();
  readonly #logger: Logger;
  readonly #check: TypedEventsOptions['check'];

  constructor(options: TypedEventsOptions = {}) {
    checkOptions('TypedEvents', options, KINDS);
    this.#logger = options.logger ?? silentLogger;
    this.#check = options.check;
    // A bundle may have the emitter of Node instead, which warns from eleven listeners on.
    this.#emitter.setMaxListeners?.(0);
  }

  on<Name extends keyof Events & string>(
    name: Name,
    listener: Listener<Events[Name]>,
  ): Unsubscribe {
    this.#check?.(name, listener);
    const guarded = this.#guard(name, listener);
    this.#emitter.on(name, guarded);
    return () => void this.#emitter.off(name, guarded);
  }

  once<Name extends keyof Events & string>(
    name: Name,
    listener: Listener<Events[Name]>,
  ): Unsubscribe {
    this.#check?.(name, listener);
    const stop = this.on(name, (payload) => {
      stop();
      return listener(payload);
    });
    return stop;
  }

  /** Calls the listeners of `name` in the order they came; returns after the last one returned. */
  emit<Name extends keyof Events & string>(name: Name, payload: Events[Name]): void {
    this.#emitter.emit(name, payload);
  }

  /** How many listeners an event has. */
  listenerCount(name: keyof Events & string): number {
    return this.#emitter.listenerCount(name);
  }

  #guard<Payload>(name: string, listener: Listener<Payload>): (payload: Payload) => void {
    const report = (error: unknown): void =>
      this.#logger.error(`a listener of '${name}' failed: ${messageOf(error)}`, { event: name });
    return (payload) => {
      try {
        const result = listener(payload);
        if (result instanceof Promise) result.catch(report);
      } catch (error) {
        report(error);
      }
    };
  }
}
