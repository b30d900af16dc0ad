import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from '../concurrency/semaphore.ts';
import { Turn } from './turn.ts';

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
  /** True if it cannot be made again: it is not dropped for others while its only reader reads. Default: `false`. */
  readonly isOnce?: boolean | undefined;
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
/** A reader reads if it asks for its next piece within some ticks, of which a busy event loop makes fewer. */
const BUSY_TICKS = 10;
const TICK_MS = 10;
/** How long an answer waits for the room of readers that read. */
const ROOM_MS = 10_000;
/** Readers that take pieces at a time, so that they do not displace the texts of each other. */
const READING = 2;

interface HeldText {
  readonly text: string;
  readonly isOnce: boolean;
  /** The tick of its last use. */
  readonly used: number;
  readonly until: number;
}

/**
 * Holds the texts of large messages for all streams of a server, up to a limit in total. The text of a reader that does
 * not read is dropped first, and made again if it continues.
 */
export class HeldTexts {
  /** Taken by a stream while its client reads. */
  readonly turns: Semaphore = new Semaphore(READING);
  readonly #maxCharacters: number;
  readonly #held = new Map<string, HeldText>();
  /** The texts whose readers wait for their next pieces. */
  readonly #asked = new Set<string>();
  #lastRoom: Promise<void> = Promise.resolve();
  /** Counts up while an answer waits for room. */
  #ticks = 0;
  /** Room for texts that are not held yet. */
  #promised = 0;
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
      this.#held.set(name, { ...held, used: this.#ticks, until: Date.now() + heldMs });
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

  /** Counts the reader of a text as one that reads while it waits for its turn and takes a piece. */
  async reading<T>(name: string, take: () => Promise<T>): Promise<T> {
    this.#asked.add(name);
    try {
      return await take();
    } finally {
      this.#asked.delete(name);
    }
  }

  /**
   * Waits until a text that cannot be made again has room next to those that are read, for some seconds at most: then it
   * displaces them. The room is reserved until it is disposed of.
   */
  async room(characters: number): Promise<Disposable> {
    const last = this.#lastRoom;
    await (this.#lastRoom = this.#reserve(characters, last));
    let isPromised = true;
    return {
      [Symbol.dispose]: () => {
        if (isPromised) this.#promised -= characters;
        isPromised = false;
      },
    };
  }

  async #reserve(characters: number, last: Promise<void>): Promise<void> {
    const end = Date.now() + ROOM_MS;
    await last;
    while (!this.#hasRoom(characters) && Date.now() < end) {
      // oxlint-disable-next-line no-await-in-loop
      await sleep(TICK_MS);
      this.#ticks++;
    }
    this.#promised += characters;
  }

  #hasRoom(characters: number): boolean {
    let taken = this.#promised;
    for (const [name, held] of this.#held) if (this.#isBusy(name, held)) taken += held.text.length;
    return taken === 0 || taken + characters <= this.#maxCharacters;
  }

  #isBusy(name: string, { isOnce, used }: HeldText): boolean {
    return isOnce && (this.#asked.has(name) || this.#ticks - used < BUSY_TICKS);
  }

  /** Lets turns of the event loop pass since the answer before. */
  #pass(): Promise<void> {
    return (this.#rest = this.#rest.then(() => loopTurns(TURNS)));
  }

  #make(large: LargeText): Promise<string | undefined> {
    const { name, make, turn } = large;
    const made = (turn ? make() : this.#permits.run(() => this.#pass().then(make)))
      .then((text) => {
        if (text !== undefined) this.#hold(large, text);
        return text;
      })
      .finally(() => this.#making.delete(name));
    this.#making.set(name, made);
    return made;
  }

  #hold({ name, isOnce = false, heldMs = HELD_MS }: LargeText, text: string): void {
    this.#held.set(name, { text, isOnce, used: this.#ticks, until: Date.now() + heldMs });
    this.#characters += text.length;
    this.#makeRoom((other, held) => other !== name && !this.#isBusy(other, held));
    this.#makeRoom((other) => other !== name);
    if (!this.#isSweeping) this.#sweepLater();
  }

  #makeRoom(mayDrop: (name: string, held: HeldText) => boolean): void {
    for (const [name, held] of this.#held) {
      if (this.#characters <= this.#maxCharacters) break;
      if (mayDrop(name, held)) this.#drop(name, held.text);
    }
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
