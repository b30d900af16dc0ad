import type Pg from 'pg';
import { isError } from '../errors.ts';
import type { SqlValue } from '../storage/database.ts';
import { fromBigInt } from '../storage/sql-statements.ts';

/** The result of one statement. */
export interface PgResult {
  readonly rows: object[];
  /** The first word of the command tag, such as `INSERT`. */
  readonly command: string;
  /** The count of the command tag; 0 if it has none. */
  readonly count: number;
}

/** A statement in the form of the server. */
export interface PgStatement {
  /** With placeholders `$1`, `$2` and so on. */
  readonly text: string;
  readonly values: readonly SqlValue[];
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
export async function runStatement(
  client: Pg.ClientBase,
  text: string,
  values: readonly SqlValue[],
  settings = '',
): Promise<PgResult> {
  const results: PgResult[] = [];
  await submit(client, [{ text, values }], results, settings);
  const [result] = results;
  if (result) return result;
  throw new Error('the statement ended without a result');
}

/**
 * Runs statements one after the other in one round trip. After one that fails the server passes over the rest.
 *
 * @param into - Gets the result of each statement that has ended, so that a caller sees which one failed.
 */
export function runStatements(
  client: Pg.ClientBase,
  statements: readonly PgStatement[],
  into: PgResult[],
): Promise<void> {
  return statements.length === 0 ? Promise.resolve() : submit(client, statements, into, '');
}

function submit(
  client: Pg.ClientBase,
  statements: readonly PgStatement[],
  into: PgResult[],
  settings: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new Submitted(settings, statements, into, (error) => {
        if (error) reject(error);
        else resolve();
      }),
    );
  });
}

/** The statements as `pg` submits them; it calls the methods with the messages of the server. */
class Submitted implements Pg.Submittable {
  /** Called once; `pg` replaces it to stop the clock of its `query_timeout`. */
  callback: (error: Error | null) => void;
  readonly #settings: string;
  readonly #statements: readonly PgStatement[];
  readonly #results: PgResult[];
  /** The result of the settings comes first, and is passed over. */
  #isSet: boolean;
  /** The fields of the statement in progress; the settings are executed without a description. */
  #columns: readonly Column[] | undefined;
  #rows: object[] = [];
  #failure: Error | undefined;

  constructor(
    settings: string,
    statements: readonly PgStatement[],
    results: PgResult[],
    callback: (error: Error | null) => void,
  ) {
    this.#settings = settings;
    this.#isSet = settings === '';
    this.#statements = statements;
    this.#results = results;
    this.callback = callback;
  }

  submit(connection: Pg.Connection): void {
    connection.stream.cork();
    try {
      if (this.#settings !== '') {
        connection.parse({ name: '', text: this.#settings, types: [] }, true);
        connection.bind({ values: [] }, true);
        connection.execute({}, true);
      }
      let parsed: string | undefined;
      for (const { text, values } of this.#statements) {
        // The unnamed statement stays until the next one is parsed: those with the same text are parsed and planned once.
        if (text !== parsed) connection.parse({ name: '', text, types: [] }, true);
        parsed = text;
        connection.bind({ values: values.map(toWire) }, true);
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
      this.#failure = isError(error) ? error : new Error(String(error));
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#complete(text);
  }

  handleEmptyQuery(): void {
    this.#complete('');
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
    this.callback(this.#failure ?? null);
  }

  #complete(tag: string): void {
    if (!this.#isSet) {
      this.#isSet = true;
      return;
    }
    if (this.#failure) return;
    const [command = '', ...rest] = tag.split(' ');
    this.#results.push({ rows: this.#rows, command, count: Number(rest.at(-1)) || 0 });
    this.#columns = undefined;
    this.#rows = [];
  }
}

function toWire(value: SqlValue): Buffer | string | null {
  if (value === null) return null;
  if (typeof value !== 'object') return String(value);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** Object ids of PostgreSQL's types, as in its catalogue `pg_type`. */
const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const OID = 26;
const FLOAT4 = 700;
const FLOAT8 = 701;
const NUMERIC = 1700;

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [BOOL]: (text) => (text === 't' ? 1 : 0),
  [BYTEA]: (text) => Buffer.from(text.slice(2), 'hex'),
  [INT8]: (text) => fromBigInt(BigInt(text)),
  [INT2]: Number,
  [INT4]: Number,
  [OID]: Number,
  [FLOAT4]: Number,
  [FLOAT8]: Number,
  [NUMERIC]: (text) => (/^-?\d+$/.test(text) ? fromBigInt(BigInt(text)) : Number(text)),
};

/** Reads values as the contract wants them; what it does not know stays text. */
export const pgTypes = {
  getTypeParser(oid: number): (text: string) => unknown {
    return PARSERS[oid] ?? ((text) => text);
  },
};

/** Text, names, dollar-quoted text and comments, in which a `?` is not a placeholder; and the `?`. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$|--[^\n]*|\/\*[^]*?\*\/|\?/g;

/** Turns `?` into `$1`, `$2` and so on. */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replace(TOKENS, (token) => {
    if (token !== '?') return token;
    count++;
    return `$${count}`;
  });
}
