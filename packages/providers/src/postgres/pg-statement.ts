import type Pg from 'pg';
import type { SqlValue } from '../storage/database.ts';
import { pgTypes } from './pg-types.ts';

/** The result of one statement. */
export interface PgResult {
  readonly rows: object[];
  /** The first word of the command tag, such as `INSERT`. */
  readonly command: string;
  /** The count of the command tag; 0 if it has none. */
  readonly count: number;
}

type Column = readonly [name: string, parse: (text: string) => unknown];

/** A statement as PostgreSQL takes it, with numbered placeholders. */
export interface PgStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/**
 * Runs one statement, after its settings if there are any: both in one implicit transaction and one round trip.
 *
 * The settings hold for that transaction only, so the statement finds its schema whichever connection a pooler
 * gives it. Statements have no names, which a pooler could know from another client.
 *
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING.
 *
 * @param settings - A statement such as `SELECT set_config(…)`. Default: none, as within a transaction that has
 * them.
 */
export async function runStatement(
  client: Pg.ClientBase,
  text: string,
  values: readonly SqlValue[],
  settings = '',
): Promise<PgResult> {
  const [result] = await submit(client, [{ text, values }], settings);
  if (!result) throw new Error('the statement ended without a result');
  return result;
}

/**
 * Runs statements one after the other in one round trip. After one that fails the others are not run.
 *
 * @param failed - Receives the position of the statement that failed.
 */
export function runPipeline(
  client: Pg.ClientBase,
  statements: readonly PgStatement[],
  failed: (at: number) => void,
): Promise<readonly PgResult[]> {
  return submit(client, statements, '', failed);
}

function submit(
  client: Pg.ClientBase,
  statements: readonly PgStatement[],
  settings: string,
  failed: (at: number) => void = () => undefined,
): Promise<readonly PgResult[]> {
  return new Promise((resolve, reject) => {
    const submitted: Submitted = new Submitted(settings, statements, (error, results) => {
      if (results) return resolve(results);
      failed(submitted.done);
      reject(error ?? new Error('the statements ended without a result'));
    });
    client.query(submitted);
  });
}

/** The statements as `pg` submits them; it calls the methods with the messages of the server. */
class Submitted implements Pg.Submittable {
  /** Called once; `pg` replaces it to stop the clock of its `query_timeout`. */
  callback: (error: Error | null, results?: readonly PgResult[]) => void;
  readonly #settings: string;
  readonly #statements: readonly PgStatement[];
  readonly #results: PgResult[] = [];
  #areSettingsDone: boolean;
  /** The fields of the statement; the settings are executed without a description. */
  #columns: readonly Column[] | undefined;
  #rows: object[] = [];
  #failure: Error | undefined;

  constructor(
    settings: string,
    statements: readonly PgStatement[],
    callback: (error: Error | null, results?: readonly PgResult[]) => void,
  ) {
    this.#settings = settings;
    this.#areSettingsDone = settings === '';
    this.#statements = statements;
    this.callback = callback;
  }

  /** The number of statements that have a result. */
  get done(): number {
    return this.#results.length;
  }

  submit(connection: Pg.Connection): void {
    connection.stream.cork();
    try {
      if (this.#settings !== '') {
        send(connection, this.#settings, []);
        connection.execute({}, true);
      }
      for (const { text, values } of this.#statements) {
        send(connection, text, values);
        connection.describe({ type: 'P', name: '' }, true);
        connection.execute({}, true);
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly Pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => [name, pgTypes.getTypeParser(dataTypeID)]);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (!this.#columns || this.#failure) return;
    try {
      const row: Record<string, unknown> = {};
      for (const [index, [name, parse]] of this.#columns.entries()) {
        const field = fields[index];
        row[name] = field === null || field === undefined ? null : parse(field);
      }
      this.#rows.push(row);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // The result of the settings comes first.
    if (this.#areSettingsDone) this.#completed(text);
    else this.#areSettingsDone = true;
  }

  handleEmptyQuery(): void {
    this.#completed('');
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY is not supported');
  }

  handleCopyData(): void {}

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) return this.callback(this.#failure);
    this.callback(null, this.#results);
  }

  #completed(tag: string): void {
    const [command = '', ...rest] = tag.split(' ');
    this.#results.push({ rows: this.#rows, command, count: Number(rest.at(-1)) || 0 });
    this.#rows = [];
    this.#columns = undefined;
  }
}

function send(connection: Pg.Connection, text: string, values: readonly SqlValue[]): void {
  connection.parse({ name: '', text, types: [] }, true);
  connection.bind({ values: values.map(toWire) }, true);
}

function toWire(value: SqlValue): Buffer | string | null {
  if (value === null) return null;
  if (typeof value !== 'object') return String(value);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
