import { placeholders } from '../storage/sql-statements.ts';
import type { Database, Row, SqlValue, Statement } from '../storage/database.ts';
import {
  ErasureCounts,
  erasureReport,
  type ErasureReport,
  type EraseOptions,
  type RemainingPlace,
} from './erasure.ts';
import { Eraser } from './eraser.ts';

/** Rows that are read and written at once. */
const PAGE = 200;

/** A table, and what is read of it. */
export interface ErasedTable<R extends Row = Row> {
  readonly name: string;
  /** The columns of its primary key. */
  readonly keys: readonly (keyof R & string)[];
  readonly columns: readonly (keyof R & string)[];
}

/** New values of a row. */
export interface RowChange {
  readonly values: Readonly<Record<string, SqlValue>>;
  /** The place that a changed row counts for. Default: it is not counted. */
  readonly place?: string | undefined;
}

/** Erases one speaker from the rows of tables, and counts what it does. */
export class RowEraser {
  readonly eraser: Eraser;
  readonly #database: Database;
  readonly #options: EraseOptions;
  readonly #counts = new ErasureCounts();
  #mentions = 0;

  constructor(database: Database, options: EraseOptions) {
    this.#database = database;
    this.#options = options;
    this.eraser = new Eraser(options.speaker, options);
  }

  /** Counts an item of others whose texts mention the name. */
  countMention(texts: readonly string[]): void {
    if (texts.some((text) => this.eraser.isMentioned(text))) this.#mentions++;
  }

  /**
   * Calls `work` with each row, in the order of the keys, and writes what differs in the values that it returns. With
   * `dryRun` nothing is written, only counted.
   */
  async eachRow<R extends Row>(
    { name, keys, columns }: ErasedTable<R>,
    work: (row: R) => RowChange | undefined | Promise<RowChange | undefined>,
  ): Promise<void> {
    const order = keys.join(', ');
    const all = [...new Set([...keys, ...columns])].join(', ');
    for (let last: R | undefined; ;) {
      this.#options.signal?.throwIfAborted();
      const rows: R[] = await this.#database.query<R>(
        `SELECT ${all} FROM ${name} ${last ? `WHERE (${order}) > (${placeholders(keys.length)})` : ''}
         ORDER BY ${order} LIMIT ${PAGE}`,
        last ? valuesOf(last, keys) : [],
      );
      const statements: Statement[] = [];
      for (const row of rows) {
        const change = await work(row);
        const statement = change && updateOf(name, row, change.values, keys);
        if (!statement) continue;
        statements.push(statement);
        if (change.place !== undefined) this.#counts.add(change.place);
      }
      if (!this.#options.dryRun && statements.length > 0) await this.#database.batch(statements);
      last = rows.at(-1);
      if (!last) return;
    }
  }

  /** @param others - Further places that may still hold something. */
  report(others: readonly RemainingPlace[]): ErasureReport {
    const { dialect } = this.#database;
    return erasureReport(this.#options, this.#counts, {
      mentions: this.#mentions,
      dialect,
      others,
    });
  }
}

/** Returns the statement that changes what differs in a row; `undefined` if nothing does. */
function updateOf(
  table: string,
  row: Row,
  values: RowChange['values'],
  keys: readonly string[],
): Statement | undefined {
  const names = Object.keys(values).filter((name) => values[name] !== (row[name] ?? null));
  if (names.length === 0) return undefined;
  return {
    sql: `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')}
      WHERE ${keys.map((key) => `${key} = ?`).join(' AND ')}`,
    params: [...valuesOf(values, names), ...valuesOf(row, keys)],
  };
}

function valuesOf(row: Readonly<Record<string, SqlValue>>, names: readonly string[]): SqlValue[] {
  return names.map((name) => row[name] ?? null);
}
