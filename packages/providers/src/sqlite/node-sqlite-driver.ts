import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isError } from '../errors.ts';
import type { SqlValue } from '../storage/database.ts';
import { startOfStatement } from '../storage/sql-statements.ts';
import { claimFile } from './own-files.ts';
import {
  type DriverConnection,
  type DriverStatement,
  MEMORY,
  type OpenConnectionOptions,
  type SqliteDriver,
} from './sqlite-driver.ts';

/** The part of `node:sqlite` that is used. The types of the oldest Node that is supported lack it. */
export interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: NodeSqliteOptions) => NodeDatabase;
}

interface NodeSqliteOptions {
  readonly readOnly: boolean;
  readonly allowExtension: boolean;
}

interface NodeDatabase {
  readonly isTransaction: boolean;
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  loadExtension(file: string): void;
  close(): void;
}

interface NodeStatement {
  readonly sourceSQL: string;
  columns(): readonly unknown[];
  setReadBigInts(enabled: boolean): void;
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
  all(...values: readonly SqlValue[]): Record<string, unknown>[];
  get(...values: readonly SqlValue[]): unknown;
}

const NAME = 'node:sqlite';

/** Creates the driver on `node:sqlite`, which Node has since 22.5, and with all that is needed since 22.16. */
export function nodeSqliteDriver({ DatabaseSync }: NodeSqlite): SqliteDriver {
  const allowExtension = canAllowExtensions(DatabaseSync);
  const connect = (
    location: string,
    readOnly: boolean,
    release: () => void = () => {},
  ): DriverConnection =>
    // Nothing is run here: it would read the file, which another process may hold.
    guard(
      () => new NodeConnection(new DatabaseSync(location, { readOnly, allowExtension }), release),
    );
  return {
    name: NAME,
    open: (path: string, { readonly = false }: OpenConnectionOptions = {}) =>
      path === MEMORY
        ? connect(path, readonly)
        : // A relative path that begins with "file:" would be taken for a URI.
          claimFile(path, NAME, (release) => connect(resolve(path), readonly, release)),
    openImmutable(path) {
      const location = pathToFileURL(resolve(path));
      location.searchParams.set('immutable', '1');
      return connect(location.href, true);
    },
  };
}

/** Checks whether native code may be loaded: the permission models of Node and Deno refuse it. */
function canAllowExtensions(DatabaseSync: NodeSqlite['DatabaseSync']): boolean {
  try {
    new DatabaseSync(MEMORY, { readOnly: false, allowExtension: true }).close();
    return true;
  } catch {
    return false;
  }
}

class NodeConnection implements DriverConnection {
  readonly #database: NodeDatabase;
  readonly #release: () => void;
  isOpen = true;

  constructor(database: NodeDatabase, release: () => void) {
    this.#database = database;
    this.#release = release;
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  prepare(sql: string): DriverStatement {
    if (isBlank(sql)) throw new RangeError('The supplied SQL string contains no statements');
    const statement = guard(() => this.#database.prepare(sql));
    if (!isBlank(sql.slice(statement.sourceSQL.length))) {
      throw new RangeError('The supplied SQL string contains more than one statement');
    }
    return new PreparedStatement(statement, () => this.#explain(statement.sourceSQL));
  }

  exec(sql: string): void {
    guard(() => this.#database.exec(sql));
  }

  loadExtension(file: string): void {
    guard(() => this.#database.loadExtension(file));
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#database.close();
    this.#release();
  }

  /** Prepares what lists the program of a statement, and takes the same parameters. */
  #explain(sql: string): NodeStatement {
    const bare = sql.slice(startOfStatement(sql));
    return guard(() => this.#database.prepare(/^explain\b/i.test(bare) ? sql : `EXPLAIN ${bare}`));
  }
}

/** Instructions after which a statement does not only read; see `resolveP2Values` in SQLite's `vdbeaux.c`. */
const WRITING = new Set(['Checkpoint', 'JournalMode', 'Vacuum']);

class PreparedStatement implements DriverStatement {
  readonly returnsRows: boolean;
  readonly #statement: NodeStatement;
  readonly #explain: () => NodeStatement;
  #isReadonly: boolean | undefined;
  #parameters: number | undefined;

  constructor(statement: NodeStatement, explain: () => NodeStatement) {
    this.#statement = statement;
    this.#explain = explain;
    this.returnsRows = statement.columns().length > 0;
    // Node 26 refuses to run a statement when the last row written has a number that only a bigint can hold.
    statement.setReadBigInts(true);
  }

  get isReadonly(): boolean {
    this.#isReadonly ??= !guard(() => this.#explain().all()).some(isWriting);
    return this.#isReadonly;
  }

  run(values: readonly SqlValue[]): number {
    this.#assertParameters(values.length);
    return Number(guard(() => this.#statement.run(...values)).changes);
  }

  all(values: readonly SqlValue[]): Record<string, unknown>[] {
    this.#assertParameters(values.length);
    return guard(() => this.#statement.all(...values));
  }

  /** `node:sqlite` takes NULL for a parameter that is missing, and does not say how many there are. */
  #assertParameters(count: number): void {
    if (this.#parameters === undefined) this.#parameters = countParameters(this.#explain(), count);
    if (count < this.#parameters) throw new RangeError('Too few parameter values were provided');
    if (count > this.#parameters) throw new RangeError('Too many parameter values were provided');
  }
}

/** Counts the parameters of a statement that may be run, which `guess` most often is. */
function countParameters(statement: NodeStatement, guess: number): number {
  let count = guess;
  while (count > 0 && !takes(statement, count)) count--;
  while (takes(statement, count + 1)) count++;
  return count;
}

function takes(statement: NodeStatement, count: number): boolean {
  try {
    statement.get(...Array.from({ length: count }, () => null));
    return true;
  } catch (error) {
    if (errorNumber(error) === OUT_OF_RANGE) return false;
    throw toSqliteError(error);
  }
}

function isWriting({ opcode, p2 }: Record<string, unknown>): boolean {
  return WRITING.has(String(opcode)) || (opcode === 'Transaction' && p2 !== 0);
}

function isBlank(sql: string): boolean {
  return startOfStatement(sql) === sql.length;
}

const OUT_OF_RANGE = 25;

/** An error of SQLite with its code by name, as better-sqlite3 has it. */
class SqliteError extends Error {
  override readonly name = 'SqliteError';
  readonly code: string;

  constructor(code: string, cause: Error) {
    super(cause.message, { cause });
    this.code = code;
  }
}

function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toSqliteError(error);
  }
}

function toSqliteError(error: unknown): unknown {
  if (!isError(error) || !('code' in error)) return error;
  if (error.code !== 'ERR_SQLITE_ERROR') return error;
  // Deno gives no number where a file cannot be opened.
  return new SqliteError(sqliteCodeName(errorNumber(error) ?? CANNOT_OPEN), error);
}

const CANNOT_OPEN = 14;

function errorNumber(error: unknown): number | undefined {
  const hasNumber = isError(error) && 'errcode' in error;
  return hasNumber && typeof error.errcode === 'number' ? error.errcode : undefined;
}

/**
 * The result codes of SQLite by their numbers. The extended ones follow each in the order of theirs: the third of
 * code 19 is 19 + 3 * 256.
 *
 * Source: https://www.sqlite.org/rescode.html.
 */
const CODES: Readonly<Record<number, string>> = {
  1: 'ERROR MISSING_COLLSEQ RETRY SNAPSHOT RESERVESIZE KEY UNABLE',
  2: 'INTERNAL',
  3: 'PERM',
  4: 'ABORT - ROLLBACK',
  5: 'BUSY RECOVERY SNAPSHOT TIMEOUT',
  6: 'LOCKED SHAREDCACHE VTAB',
  7: 'NOMEM',
  8: 'READONLY RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY',
  9: 'INTERRUPT',
  10:
    'IOERR READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS ' +
    'CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH ' +
    'CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE',
  11: 'CORRUPT VTAB SEQUENCE INDEX',
  12: 'NOTFOUND',
  13: 'FULL',
  14: 'CANTOPEN NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK',
  15: 'PROTOCOL',
  16: 'EMPTY',
  17: 'SCHEMA',
  18: 'TOOBIG',
  19: 'CONSTRAINT CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE',
  20: 'MISMATCH',
  21: 'MISUSE',
  22: 'NOLFS',
  23: 'AUTH USER',
  24: 'FORMAT',
  25: 'RANGE',
  26: 'NOTADB',
  27: 'NOTICE RECOVER_WAL RECOVER_ROLLBACK RBU',
  28: 'WARNING AUTOINDEX',
};

/** Returns the name of a result code, such as `SQLITE_CONSTRAINT_UNIQUE` for 2067. */
export function sqliteCodeName(number: number): string {
  const [name, ...extended] = (CODES[number & 0xff] ?? 'ERROR').split(' ');
  const more = number > 0xff ? extended[(number >> 8) - 1] : undefined;
  return more === undefined || more === '-' ? `SQLITE_${name}` : `SQLITE_${name}_${more}`;
}
