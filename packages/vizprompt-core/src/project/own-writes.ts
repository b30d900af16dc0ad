import type { FileChange } from '@vizprompt/providers';

/** Files that this process wrote, by their names: the version, or `null` if the file is gone. */
export type Ledger = Map<string, string | null>;

/** What this process itself writes, so that nobody takes it for the work of others. */
export class OwnWrites {
  readonly #ledgers = new Set<Ledger>();
  #begun = 0;
  #ended = 0;

  /** How many writes have begun so far. */
  get begun(): number {
    return this.#begun;
  }

  get isUnderWay(): boolean {
    return this.#begun > this.#ended;
  }

  /** A write begins; what it gives back ends it. */
  begin(): () => void {
    this.#begun++;
    return () => void this.#ended++;
  }

  /** Notes what was written in every ledger that is kept. */
  note(changes: readonly Pick<FileChange, 'key'>[], versions: readonly (string | null)[]): void {
    for (const ledger of this.#ledgers) {
      for (const [at, { key }] of changes.entries()) ledger.set(key, versions[at] ?? null);
    }
  }

  /** Keeps a ledger from now on. */
  keep(): Ledger {
    const ledger: Ledger = new Map();
    this.#ledgers.add(ledger);
    return ledger;
  }

  drop(ledger: Ledger): void {
    this.#ledgers.delete(ledger);
  }
}
