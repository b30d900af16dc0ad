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
export function runStatement(
  client: Pg.ClientBase,
  text: string,
  values: readonly SqlValue[],
  settings = '',
): Promise<PgResult> {
  return new Promise((resolve, reject) => {
    client.query(
      new Submitted(settings, text, values, (error, result) => {
        if (result) resolve(result);
        else reject(error ?? new Error('the statement ended without a result'));
      }),
    );
  });
}

/** The statements as `pg` submits them; it calls the methods with the messages of the server. */
class Submitted implements Pg.Submittable {
  /** Called once; `pg` replaces it to stop the clock of its `query_timeout`. */
  callback: (error: Error | null, result?: PgResult) => void;
  readonly #settings: string;
  readonly #text: string;
  readonly #values: readonly SqlValue[];
  /** The fields of the statement; the settings are executed without a description. */
  #columns: readonly Column[] | undefined;
  readonly #rows: object[] = [];
  #tag = '';
  #failure: Error | undefined;

  constructor(
    settings: string,
    text: string,
    values: readonly SqlValue[],
    callback: (error: Error | null, result?: PgResult) => void,
  ) {
    this.#settings = settings;
    this.#text = text;
    this.#values = values;
    this.callback = callback;
  }

  submit(connection: Pg.Connection): void {
    connection.stream.cork();
    try {
      if (this.#settings !== '') {
        send(connection, this.#settings, []);
        connection.execute({}, true);
      }
      send(connection, this.#text, this.#values);
      connection.describe({ type: 'P', name: '' }, true);
      connection.execute({}, true);
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
    this.#tag = text;
  }

  handleEmptyQuery(): void {}

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
    const [command = '', ...rest] = this.#tag.split(' ');
    this.callback(null, { rows: this.#rows, command, count: Number(rest.at(-1)) || 0 });
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
