/** The values of a column, and those that can be passed for a `?`. Booleans are stored as 0 and 1. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** The values that can be passed for a `?`. */
export type SqlParameter = SqlValue | boolean;

/** A row by column names. Integers are numbers while they are safe, else bigints. */
export type Row = Readonly<Record<string, SqlValue>>;

/** SQL with its parameters. */
export interface Statement {
  /** With `?` for each parameter, on every dialect. */
  readonly sql: string;
  readonly params?: readonly SqlParameter[];
}

/**
 * Runs single statements. Those that begin or end a transaction (`BEGIN`, `COMMIT`, `ROLLBACK`,
 * `SAVEPOINT` and the like) are refused with `misuse`: use {@link Database.transaction}.
 */
export interface SqlExecutor {
  /**
   * Runs a statement that gives rows: `SELECT`, or a change with `RETURNING`.
   *
   * @typeParam R - The shape of the rows, which the caller vouches for.
   */
  query<R extends object = Row>(sql: string, params?: readonly SqlParameter[]): Promise<R[]>;

  /** Runs a statement and returns how many rows it inserted, updated or deleted; 0 for a query. */
  execute(sql: string, params?: readonly SqlParameter[]): Promise<{ readonly changes: number }>;
}

/** The SQL that a database speaks. */
export type Dialect = 'sqlite' | 'postgres';

/** One step of a component's schema. */
export interface Migration {
  /** 1 for the first; each step is one more than the one before. */
  readonly version: number;
  /** A description of the step, for people. */
  readonly name: string;
  /** Runs in a transaction, once for each database. */
  up(tx: SqlExecutor, dialect: Dialect): Promise<void>;
}

/** Options of {@link Database.transaction}. */
export interface TransactionOptions {
  /**
   * How a transaction is isolated from others. `'serializable'`: its reads stay true until the commit.
   * `'read-committed'`: each statement sees what others committed before it began, and no transaction is lost to a
   * conflict; for work that first takes a lock, such as by the `UPDATE` of one row that all writers share. SQLite has
   * one writer at a time, and is serializable with both. Default: `'serializable'`.
   */
  readonly isolation?: 'serializable' | 'read-committed' | undefined;
  /** Stops the waiting for the transaction to begin. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A relational database: SQLite in a file, or a schema of a PostgreSQL server.
 *
 * The common features are portable: `?` placeholders, `INSERT ... ON CONFLICT`, `RETURNING`, text,
 * integers, doubles and bytes. JSON is kept verbatim as text. Strings must be well-formed Unicode
 * without NUL (`invalid-text` otherwise): SQLite would alter the first and PostgreSQL refuses the
 * second. JSON text escapes both.
 *
 * Every change is atomic, and durable when its promise resolves. All errors are `StorageError`.
 */
export interface Database extends SqlExecutor {
  readonly specVersion: 1;
  readonly dialect: Dialect;

  /**
   * Runs statements in one transaction and one call: the fastest way to write.
   *
   * @returns The number of changed rows of each statement.
   */
  batch(statements: readonly Statement[]): Promise<readonly number[]>;

  /**
   * Returns the same, for statements that give rows, such as a change with `RETURNING`.
   *
   * @returns The rows of each statement; none of one that gives none.
   *
   * @example
   * ```ts
   * const [[counted]] = await database.batchRows([
   *   { sql: 'UPDATE counter SET n = n + 1 RETURNING n' },
   *   { sql: 'INSERT INTO note (text) VALUES (?)', params: ['猫'] },
   * ]);
   * ```
   */
  batchRows(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;

  /**
   * Runs a function in a transaction, a serializable one unless `isolation` says otherwise: it commits when the function
   * resolves and rolls back when it rejects.
   *
   * Within the function use only the executor that it is given; the database itself would wait for
   * the transaction to end, so using it there is an error (`misuse`). A server may ask for the
   * function to be run again after a conflict, so it should do nothing but database work.
   *
   * @example
   * ```ts
   * const next = await database.transaction(async (tx) => {
   *   const [row] = await tx.query<{ n: number }>('SELECT n FROM counter');
   *   const n = (row?.n ?? 0) + 1;
   *   await tx.execute('UPDATE counter SET n = ?', [n]);
   *   return n;
   * });
   * ```
   */
  transaction<T>(work: (tx: SqlExecutor) => Promise<T>, options?: TransactionOptions): Promise<T>;

  /**
   * Brings the tables of a component to the newest schema. Call it once when opening. An embedded
   * database with data in it is copied to a backup file next to it before a schema changes.
   *
   * @param component - A name such as `memory`; it begins the component's table names.
   * @param migrations - All steps from version 1 on, those already applied included.
   * @throws StorageError with the code `newer-schema` if a newer package has been here.
   */
  migrate(component: string, migrations: readonly Migration[]): Promise<void>;

  /**
   * Writes a consistent copy, also while others write.
   *
   * @param path - A file that does not exist yet. On SQLite a database file; on PostgreSQL a
   * `pg_dump` archive, which needs that program.
   * @throws StorageError with the code `conflict` if there is such a file.
   */
  backup(path: string): Promise<void>;

  /**
   * Rewrites the database without what was deleted or replaced: nothing of it remains in its files, its free
   * pages, its text indexes, its write-ahead log or the backups that {@link Database.migrate} made. Takes time and
   * space in proportion to the database. On PostgreSQL, the write-ahead log and backups of the server are not
   * reached. Absent: the database cannot do it.
   *
   * @throws StorageError with the code `busy` if another process reads or locks for too long. Deleted data
   * stays deleted; call it again.
   */
  purge?(): Promise<void>;
}
