import { setImmediate } from 'node:timers/promises';
import { Semaphore } from '../concurrency/semaphore.ts';

/** A message of a stream: a text, or the source of a large one. */
export type StreamText = string | LargeText;

/** A message that is not held for a reader that does not read. */
export interface LargeText {
  /** Messages of the same name share one text. */
  readonly name: string;
  /** Makes the text: the same one each time, or `undefined` if it is no longer available. */
  make(): Promise<string | undefined>;
  /** How long its text is held after its last use, in milliseconds. Default: 2,000. */
  readonly heldMs?: number | undefined;
  /** The turn in which it was made, and is read. Default: it is made and read when there is one. */
  readonly turn?: Turn | undefined;
}

/** How long a text is held after its last use, in milliseconds. */
const HELD_MS = 2000;
const MAX_CHARACTERS = 16 << 20;
/** Texts that are made at a time, as each may take many times its size. */
const MAKING = 4;
/** Turns of the event loop between two texts that are made. */
const TURNS = 16;
/** Readers that take pieces at a time, so that they do not displace the texts of each other. */
const READING = 2;

/**
 * Holds the texts of large messages for all streams of a server, up to a limit in total. The text of a reader that does
 * not read is dropped first, and made again if it continues.
 */
export class HeldTexts {
  /** Taken by a stream while its client reads. */
  readonly turns: Semaphore = new Semaphore(READING);
  readonly #maxCharacters: number;
  readonly #held = new Map<string, { readonly text: string; readonly until: number }>();
  readonly #making = new Map<string, Promise<string | undefined>>();
  readonly #permits = new Semaphore(MAKING);
  #rest: Promise<void> = Promise.resolve();
  readonly #admissions: (() => void)[] = [];
  #isAdmitting = false;
  /** How many texts that were made, and answers that were admitted, wait for a turn. */
  #waiting = 0;
  #onRoom: (() => void) | undefined;
  #characters = 0;
  #isSweeping = false;

  /** @param maxCharacters - Default: 16,777,216. */
  constructor(maxCharacters: number = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** Returns the text of a message. */
  async textOf(large: LargeText): Promise<string | undefined> {
    const { name, heldMs = HELD_MS } = large;
    const held = this.#held.get(name);
    if (held) {
      // The text that was used last is dropped last.
      this.#held.delete(name);
      this.#held.set(name, { ...held, until: Date.now() + heldMs });
      return held.text;
    }
    const making = this.#making.get(name) ?? this.#make(large);
    return making;
  }

  /** Waits until a client may have an answer made and read it. A small answer ends its turn. */
  async turn(): Promise<Turn> {
    await this.admit();
    const waiting = this.waiting();
    const turn = new Turn(this.turns);
    await turn.take();
    waiting[Symbol.dispose]();
    return turn;
  }

  /**
   * Waits until another answer may be made, where it is not known before whether answers are large: one after the other,
   * and none while several wait for the turns of their readers.
   */
  admit(): Promise<void> {
    return new Promise((resolve) => {
      this.#admissions.push(resolve);
      if (!this.#isAdmitting) void this.#admitAll();
    });
  }

  async #admitAll(): Promise<void> {
    this.#isAdmitting = true;
    for (let count = 0; this.#admissions.length > 0; count++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await loopTurns(TURNS);
      while (this.#waiting >= MAKING) {
        // oxlint-disable-next-line no-await-in-loop
        await new Promise<void>((resolve) => (this.#onRoom = resolve));
      }
      // The last one that came waits little, however many came before.
      const next = count % 2 === 0 ? this.#admissions.pop() : this.#admissions.shift();
      next?.();
    }
    this.#isAdmitting = false;
  }

  /** Counts what waits for the turn of a reader, until it is disposed of. */
  waiting(): Disposable {
    this.#waiting++;
    let isWaiting = true;
    return {
      [Symbol.dispose]: () => {
        if (isWaiting) this.#waiting--;
        isWaiting = false;
        this.#onRoom?.();
      },
    };
  }

  /** Lets turns of the event loop pass since the answer before. */
  #pass(): Promise<void> {
    return (this.#rest = this.#rest.then(() => loopTurns(TURNS)));
  }

  #make({ name, make, turn, heldMs = HELD_MS }: LargeText): Promise<string | undefined> {
    const made = (turn ? make() : this.#permits.run(() => this.#pass().then(make)))
      .then((text) => {
        if (text !== undefined) this.#hold(name, text, heldMs);
        return text;
      })
      .finally(() => this.#making.delete(name));
    this.#making.set(name, made);
    return made;
  }

  #hold(name: string, text: string, heldMs: number): void {
    this.#held.set(name, { text, until: Date.now() + heldMs });
    this.#characters += text.length;
    for (const [other, { text: old }] of this.#held) {
      if (this.#characters <= this.#maxCharacters || other === name) break;
      this.#drop(other, old);
    }
    if (!this.#isSweeping) this.#sweepLater();
  }

  #sweepLater(): void {
    this.#isSweeping = true;
    setTimeout(() => this.#dropOld(), HELD_MS).unref();
  }

  #dropOld(): void {
    this.#isSweeping = false;
    for (const [name, { text, until }] of this.#held)
      if (until <= Date.now()) this.#drop(name, text);
    if (this.#held.size > 0) this.#sweepLater();
  }

  #drop(name: string, text: string): void {
    this.#held.delete(name);
    this.#characters -= text.length;
  }
}

/** Lets small requests come in between: Node accepts one connection in each turn of its event loop. */
export async function loopTurns(turns: number): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- a turn of the loop each
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}

/** How long a reader may take for its next piece before another one has its turn. */
const PAUSE_MS = 20;

/** Holds a permit while a reader takes one piece after the other, and releases it once the reader pauses. */
export class Turn implements Disposable {
  readonly #permits: Semaphore;
  #release: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(permits: Semaphore) {
    this.#permits = permits;
  }

  /** Waits for the permit, unless it is still held. */
  async take(): Promise<void> {
    clearTimeout(this.#timer);
    this.#release ??= await this.#permits.acquire();
  }

  /** Releases the permit soon, unless it is taken again. */
  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), PAUSE_MS);
  }

  [Symbol.dispose](): void {
    this.end();
  }

  /** Releases the permit. */
  end(): void {
    clearTimeout(this.#timer);
    this.#release?.();
    this.#release = undefined;
  }
}
