import { AsyncLocalStorage } from 'node:async_hooks';
import type { Row, SqlExecutor, SqlParameter, Statement } from './database.ts';
import { StorageError } from './storage-error.ts';

/** The result of a statement. */
export interface StatementResult {
  readonly rows: object[];
  readonly changes: number;
}

/** Runs one statement on the connection of a transaction. */
export type RunStatement = (
  sql: string,
  params?: readonly SqlParameter[],
) => StatementResult | Promise<StatementResult>;

interface ScopeState {
  isActive: boolean;
  /** The first statement that failed; PostgreSQL commits nothing after it, so no dialect does. */
  failure?: { readonly error: unknown };
}

/** A transaction that the present task runs in, and the one around it, of another database. */
interface Running {
  readonly scope: TransactionScope;
  readonly state: ScopeState;
  readonly outer: Running | undefined;
}

/** One for all databases: while it is in use, every promise of the process costs some time. */
const running = new AsyncLocalStorage<Running>();
let transactions = 0;

/** The rules of `Database.transaction` that hold on every dialect. */
export class TransactionScope {
  /** @throws StorageError with the code `misuse` within the callback of a transaction. */
  assertOutside(): void {
    let inner = running.getStore();
    while (inner && !(inner.scope === this && inner.state.isActive)) inner = inner.outer;
    if (!inner) return;
    throw new StorageError(
      'misuse',
      'the database was used within a transaction: use the executor that transaction() passes to ' +
        'its callback, the database itself would wait for the transaction to end',
    );
  }

  /** Calls `work` with an executor that ends with it, and rejects if any statement failed. */
  async run<T>(run: RunStatement, work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
    const state: ScopeState = { isActive: true };
    transactions++;
    try {
      return await this.#runIn(state, run, work);
    } finally {
      transactions--;
      if (transactions === 0) running.disable();
    }
  }

  #runIn<T>(
    state: ScopeState,
    run: RunStatement,
    work: (tx: SqlExecutor) => Promise<T>,
  ): Promise<T> {
    return running.run({ scope: this, state, outer: running.getStore() }, async () => {
      try {
        const guarded = guard(run, state);
        const tx = executorOf(guarded);
        runners.set(tx, guarded);
        const result = await work(tx);
        if (state.failure) throw state.failure.error;
        return result;
      } finally {
        state.isActive = false;
      }
    });
  }
}

/** The functions that run the statements of transactions, by their executors. */
const runners = new WeakMap<SqlExecutor, RunStatement>();

/**
 * Runs statements in a transaction, one after the other, whose results do not matter. Those that are answered at once
 * take no promise: with many, that is a good part of the time.
 */
export async function executeAll(tx: SqlExecutor, statements: Iterable<Statement>): Promise<void> {
  const run = runners.get(tx) ?? ((sql, params) => tx.execute(sql, params));
  for (const { sql, params } of statements) {
    const result = run(sql, params);
    if ('then' in result) await result;
  }
}

/** Returns the rows of a result, as drivers give them. */
export function rowsOf({ rows }: StatementResult): readonly Row[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values of SQL by their columns
  return rows as readonly Row[];
}

/** Returns the two methods of an executor over one function. A statement that is answered at once costs one promise. */
export function executorOf(run: RunStatement): SqlExecutor {
  return {
    query: <R extends object>(sql: string, params?: readonly SqlParameter[]) =>
      promised(
        () => run(sql, params),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller vouches for it
        ({ rows }) => rows as R[],
      ),
    execute: (sql, params) =>
      promised(
        () => run(sql, params),
        ({ changes }) => ({ changes }),
      ),
  };
}

function promised<T>(
  run: () => StatementResult | Promise<StatementResult>,
  read: (result: StatementResult) => T,
): Promise<T> {
  try {
    const result = run();
    return 'then' in result ? result.then(read) : Promise.resolve(read(result));
  } catch (error) {
    return Promise.reject(error);
  }
}

function guard(run: RunStatement, state: ScopeState): RunStatement {
  const fail = (error: unknown): never => {
    state.failure ??= { error };
    throw error;
  };
  return (sql, params) => {
    if (!state.isActive || state.failure) {
      const why = state.isActive ? 'a statement of it has failed' : 'it has ended';
      throw new StorageError('misuse', `the transaction cannot run "${sql}": ${why}`);
    }
    try {
      const result = run(sql, params);
      return 'then' in result ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  };
}

const COMMENT_MARKS = /\/\*|\*\//g;
const LINE_OR_SPACE = /(?:[\s;]|--[^\n]*(?:\n|$))*/y;
const CONTROL =
  /(?:BEGIN|COMMIT|ROLLBACK|ABORT|SAVEPOINT|RELEASE|END|START\s+TRANSACTION|PREPARE\s+TRANSACTION)\b/iy;

/**
 * Refuses statements that begin or end a transaction: they would end one that the SDK has begun, or
 * leave one open on a connection that others use next.
 *
 * @throws StorageError with the code `misuse`.
 */
export function refuseTransactionControl(sql: string): void {
  const statement =
    controlAt(sql, startOfStatement(sql)) ?? controlAt(sql, startOfStatement(sql, true));
  if (statement === undefined) return;
  throw new StorageError(
    'misuse',
    `the statement ${statement.toUpperCase()} is refused: use database.transaction(work), which ` +
      'commits when work resolves and rolls back when it rejects, or database.batch(statements)',
    { context: { sql } },
  );
}

function controlAt(sql: string, at: number): string | undefined {
  CONTROL.lastIndex = at;
  return CONTROL.exec(sql)?.[0];
}

/**
 * Returns where a statement begins, after spaces, semicolons and comments.
 *
 * @param isNested - A comment may hold comments, as on PostgreSQL; on SQLite its first end mark ends it.
 */
export function startOfStatement(sql: string, isNested = false): number {
  let at = 0;
  for (;;) {
    LINE_OR_SPACE.lastIndex = at;
    LINE_OR_SPACE.test(sql);
    at = LINE_OR_SPACE.lastIndex;
    if (!sql.startsWith('/*', at)) return at;
    at = endOfComment(sql, at, isNested);
  }
}

function endOfComment(sql: string, start: number, isNested: boolean): number {
  let depth = 0;
  for (const { 0: mark, index } of sql.slice(start).matchAll(COMMENT_MARKS)) {
    if (mark === '/*') depth = isNested ? depth + 1 : 1;
    else depth--;
    if (depth === 0) return start + index + mark.length;
  }
  return sql.length;
}
