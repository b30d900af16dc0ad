import type { Database, Statement } from '@vizprompt/providers';
import { unwritable } from './journal.ts';

interface Waiting {
  readonly statements: readonly Statement[];
  resolve(changes: readonly number[]): void;
  reject(error: unknown): void;
}

/** Statements that go into one commit at most. */
const MOST = 2000;

/**
 * Commits the writes of many runs at the same time together: a commit costs the same for one row and for hundreds. A write that
 * comes while a commit is in progress makes the next one, in the order in which it came.
 */
export class CommitQueue {
  readonly #database: Database;
  #waiting: Waiting[] = [];
  #working: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Writes statements, all or none of them.
   *
   * @returns The number of changed rows of each.
   * @throws WorkflowError with the code `journal-unwritable`.
   */
  write(statements: readonly Statement[]): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statements, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    // All that is written in this turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#take();
      try {
        const changes = await this.#commit(batch.flatMap(({ statements }) => statements));
        let at = 0;
        for (const { statements, resolve } of batch) {
          resolve(changes.slice(at, (at += statements.length)));
        }
      } catch (error) {
        await this.#oneByOne(batch, error);
      }
    }
    this.#working = undefined;
  }

  /** One statement is a transaction of its own, and needs no words around it. */
  async #commit(statements: readonly Statement[]): Promise<readonly number[]> {
    const [first] = statements;
    if (!first || statements.length > 1) return this.#database.batch(statements);
    return [(await this.#database.execute(first.sql, first.params)).changes];
  }

  #take(): Waiting[] {
    let count = 0;
    let taken = 0;
    for (const { statements } of this.#waiting) {
      count += statements.length;
      if (taken > 0 && count > MOST) break;
      taken++;
    }
    return this.#waiting.splice(0, taken);
  }

  /** A mistake in one of them must not fail the others. */
  async #oneByOne(batch: readonly Waiting[], error: unknown): Promise<void> {
    for (const { statements, resolve, reject } of batch) {
      if (batch.length === 1) reject(unwritable(error));
      else {
        await this.#commit(statements).then(resolve, (own: unknown) => reject(unwritable(own)));
      }
    }
  }
}
