import type { Database, Migration } from '@vizprompt/providers';
import { RagError } from '../errors.ts';

/** The tables of an index of vectors: its chunks, what is still to be done, and what was paid for. */
export interface CatalogTables {
  /** The settings of the index, and how often it was written. One row. */
  readonly state: string;
  readonly chunks: string;
  /** Keys of vectors that are not needed, any more or yet, and since when in milliseconds; 0: for good. */
  readonly gone: string;
  /** Vectors by what was embedded. */
  readonly embeddings: string;
  /** Lines of context by what they were written for. */
  readonly lines: string;
}

const NAME = /^[a-z][a-z0-9_]{0,35}$/;

/** @throws RagError with the code `invalid-input`. */
function catalogTables(name: string): CatalogTables {
  if (!NAME.test(name)) {
    throw new RagError(
      'invalid-input',
      `an index cannot be named '${name}': use small letters, digits and '_', a letter first`,
      { context: { name } },
    );
  }
  return {
    state: `${name}_state`,
    chunks: `${name}_chunk`,
    gone: `${name}_gone`,
    embeddings: `${name}_embedding`,
    lines: `${name}_line`,
  };
}

/** All texts that come from outside are stored as JSON, which escapes what databases refuse. */
function catalogMigrations(tables: CatalogTables): readonly Migration[] {
  return [
    {
      version: 1,
      name: 'chunks',
      async up(tx, dialect) {
        const bytes = dialect === 'sqlite' ? 'BLOB' : 'BYTEA';
        await tx.execute(
          `CREATE TABLE ${tables.state} (model TEXT NOT NULL, dimensions BIGINT NOT NULL, revision BIGINT NOT NULL)`,
        );
        await tx.execute(
          `CREATE TABLE ${tables.chunks} (
            key TEXT PRIMARY KEY, document TEXT NOT NULL, place BIGINT NOT NULL,
            chunk TEXT NOT NULL, ordinal BIGINT NOT NULL, is_queued BIGINT NOT NULL)`,
        );
        await tx.execute(
          `CREATE INDEX ${tables.chunks}_document ON ${tables.chunks} (document, place)`,
        );
        await tx.execute(
          `CREATE INDEX ${tables.chunks}_queue ON ${tables.chunks} (key) WHERE is_queued = 1`,
        );
        await tx.execute(
          `CREATE TABLE ${tables.gone} (key TEXT PRIMARY KEY, since BIGINT NOT NULL)`,
        );
        await tx.execute(
          `CREATE TABLE ${tables.embeddings} (hash TEXT PRIMARY KEY, bytes ${bytes} NOT NULL)`,
        );
        await tx.execute(
          `CREATE TABLE ${tables.lines} (hash TEXT PRIMARY KEY, line TEXT NOT NULL)`,
        );
      },
    },
    {
      version: 2,
      name: 'owner',
      async up(tx) {
        await tx.execute(`ALTER TABLE ${tables.state} ADD COLUMN owner TEXT`);
        // Makes sure that the store has no vectors of this owner that the index does not know.
        await tx.execute(
          `ALTER TABLE ${tables.state} ADD COLUMN is_clean BIGINT NOT NULL DEFAULT 1`,
        );
      },
    },
  ];
}

/** The settings of an index. */
export interface CatalogState {
  readonly model: string;
  readonly dimensions: number;
  /** The owner of the vectors, in a store that others use too. */
  readonly owner: string | null;
}

/** The tables of an index, and whose vectors it has. */
export interface Catalog {
  readonly tables: CatalogTables;
  readonly owner: string | undefined;
}

/**
 * Makes the tables where they are missing.
 *
 * @throws RagError with the code `model-mismatch` if the index was made with another model.
 */
export async function openCatalog(
  database: Database,
  name: string,
  wanted: CatalogState,
): Promise<Catalog> {
  const tables = catalogTables(name);
  await database.migrate(name, catalogMigrations(tables));
  const made = await database.transaction(async (tx) => {
    const columns = 'model, dimensions, owner';
    const [state] = await tx.query<CatalogState>(`SELECT ${columns} FROM ${tables.state}`);
    if (state) return state;
    const { model, dimensions, owner } = wanted;
    await tx.execute(
      `INSERT INTO ${tables.state} (${columns}, revision, is_clean) VALUES (?, ?, ?, 0, ?)`,
      [model, dimensions, owner, owner === null],
    );
    return wanted;
  });
  if (made.model === wanted.model && made.dimensions === wanted.dimensions) {
    // It stays that of the first time: the vectors in the store have it.
    return { tables, owner: made.owner ?? undefined };
  }
  throw new RagError(
    'model-mismatch',
    `the index '${name}' was made with ${called(made)}, and is opened with ${called(wanted)}: open it ` +
      "as it was made, or under another 'name' with a vector store of its own, and index the documents " +
      'into that',
    { context: { name, made, wanted } },
  );
}

function called({ model, dimensions }: CatalogState): string {
  return `the model ${model} (${dimensions} dimensions)`;
}
