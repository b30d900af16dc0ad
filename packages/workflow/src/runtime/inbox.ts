import type { JsonValue } from '@vizprompt/providers';

/** The answers that a run waits for. */
export class Inbox {
  readonly #expected = new Map<string, (answer: JsonValue) => void>();

  /** The paths at which somebody is asked. */
  get paths(): readonly string[] {
    return [...this.#expected.keys()];
  }

  /** Waits for the answer of a path. */
  expect(path: string): Promise<JsonValue> {
    return new Promise((resolve) => this.#expected.set(path, resolve));
  }

  /** Waits no longer. */
  forget(path: string): void {
    this.#expected.delete(path);
  }

  /** An answer has come. */
  deliver(path: string, answer: JsonValue): void {
    this.#expected.get(path)?.(answer);
  }
}
