/** Messages of a platform that are remembered, so that one that comes twice is answered once. */
const REMEMBERED = 10_000;

/** Answers the messages of a room one after the other, and limits the pending messages of each person. */
export class Rooms {
  readonly #lines = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, number>();
  readonly #refused = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #most: number;

  /** @param most - The maximum of pending messages per person. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Checks whether a message has come before: platforms deliver one again if they are in doubt. */
  isRepeated(id: string | undefined): boolean {
    if (id === undefined) return false;
    if (this.#seen.has(id)) return true;
    this.#seen.add(id);
    for (const oldest of this.#seen) {
      if (this.#seen.size <= REMEMBERED) break;
      this.#seen.delete(oldest);
    }
    return false;
  }

  /** Runs work after all earlier work of the room has settled. Returns `false` if the person has too many messages. */
  async run(room: string, from: string, work: () => Promise<void>): Promise<boolean> {
    const waiting = this.#waiting.get(from) ?? 0;
    if (waiting >= this.#most) return false;
    this.#waiting.set(from, waiting + 1);
    const line = (this.#lines.get(room) ?? Promise.resolve()).then(work);
    const ended = line.catch(() => undefined);
    this.#lines.set(room, ended);
    try {
      await line;
    } finally {
      const left = (this.#waiting.get(from) ?? 1) - 1;
      if (left === 0) {
        this.#waiting.delete(from);
        this.#refused.delete(from);
      } else {
        this.#waiting.set(from, left);
      }
      if (this.#lines.get(room) === ended) this.#lines.delete(room);
    }
    return true;
  }

  /** Checks whether to refuse a person with too many messages: once, or a flood would become one of refusals. */
  isFirstRefusal(from: string): boolean {
    const isFirst = this.#waiting.has(from) && !this.#refused.has(from);
    if (isFirst) this.#refused.add(from);
    return isFirst;
  }
}
