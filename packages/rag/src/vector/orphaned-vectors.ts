import type { Database, VectorStore } from '@vizprompt/providers';
import type { CatalogTables } from './catalog-tables.ts';
import { inParts, marks } from './stored-chunks.ts';

/** Vectors that are asked for at once. */
const PAGE = 1000;

/** What is needed to find them. */
interface OrphanParts {
  readonly database: Database;
  readonly tables: CatalogTables;
  readonly store: VectorStore;
  readonly owner: string | undefined;
}

/**
 * Vectors of an index whose database was deleted: nobody knows their keys any more, and they would lie
 * in the store for ever. Taken out by the index that is made in its place, before it brings its own.
 */
export class OrphanedVectors {
  readonly #parts: OrphanParts;
  #isClean: boolean;

  constructor(parts: OrphanParts) {
    this.#parts = parts;
    this.#isClean = parts.owner === undefined;
  }

  /** Does nothing from the second time on, in this process or another. */
  async remove(signal: AbortSignal | undefined): Promise<void> {
    if (this.#isClean) return;
    const { database, tables } = this.#parts;
    const [state] = await database.query<{ is_clean: number }>(
      `SELECT is_clean FROM ${tables.state}`,
    );
    if (state?.is_clean === 0) {
      await this.#removeAll(signal);
      await database.execute(`UPDATE ${tables.state} SET is_clean = 1`);
    }
    this.#isClean = true;
  }

  async #removeAll(signal: AbortSignal | undefined): Promise<void> {
    const { store, owner = '' } = this.#parts;
    const options = signal ? { signal } : {};
    // Which is near does not matter; stores have no other way to list what they hold.
    const anywhere = new Float32Array(store.dimensions).fill(1);
    for (;;) {
      signal?.throwIfAborted();
      const matches = await store.query(anywhere, { k: PAGE, filter: { owner }, ...options });
      const known = await this.#known(matches.map(({ id }) => id));
      const orphans = matches.flatMap(({ id }) => (known.has(id) ? [] : [id]));
      // Another process, which was faster, may have brought vectors already.
      if (orphans.length === 0) return;
      await store.delete(orphans, options);
    }
  }

  /** Keys that the index has, or that somebody is about to bring. */
  async #known(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const { database, tables } = this.#parts;
    const known = new Set<string>();
    for (const some of inParts(keys)) {
      for (const table of [tables.chunks, tables.gone]) {
        const rows = await database.query<{ key: string }>(
          `SELECT key FROM ${table} WHERE key IN (${marks(some.length)})`,
          some,
        );
        for (const { key } of rows) known.add(key);
      }
    }
    return known;
  }
}
