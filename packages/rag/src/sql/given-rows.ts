import type { SqlParameter } from '@vizprompt/providers';
import { type ArrayCell, type Dialect, hexOf, sqlArray } from '@vizprompt/providers/internal';

/** A piece of SQL with its parameters. */
export interface SqlPiece {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
}

const TYPES = {
  postgres: { int: 'INT', text: 'TEXT', bytes: 'BYTEA' },
  sqlite: { int: 'INTEGER', text: 'TEXT', bytes: 'BLOB' },
} as const;

/** The types of columns that both dialects have. */
export type ColumnType = keyof (typeof TYPES)[Dialect];

/** The name of a type in a dialect. */
export function typeOf(dialect: Dialect, type: ColumnType): string {
  return TYPES[dialect][type];
}

/**
 * Rows that a statement is given, as a table `given`: however many they are, they take one parameter for each column on
 * PostgreSQL, three for one of bytes, and one in all on SQLite.
 */
export function givenRows(
  dialect: Dialect,
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly (readonly ArrayCell[])[],
): SqlPiece {
  const types = Object.values(columns);
  const names = Object.keys(columns);
  if (dialect === 'postgres') return postgresRows(names, types, rows);
  const values = types.map((type, at) => {
    const value = `json_extract(value, '$[${at}]')`;
    return `${type === 'bytes' ? `unhex(${value})` : value} AS ${names[at]}`;
  });
  return {
    sql: `(SELECT ${values.join(', ')} FROM json_each(?)) AS given`,
    params: [JSON.stringify(rows.map((row) => row.map(jsonOf)))],
  };
}

/**
 * All bytes of a column are one parameter, which `pg` sends as it is, with the place of each row in it: as an array of
 * hexadecimal digits they would be twice as long, and take the server several times as long to read.
 */
function postgresRows(
  names: readonly string[],
  types: readonly ColumnType[],
  rows: readonly (readonly ArrayCell[])[],
): SqlPiece {
  const bytes: Buffer[] = [];
  const lists: { readonly name: string; readonly type: string; readonly param: string }[] = [];
  const columns: string[] = [];
  for (const [at, type] of types.entries()) {
    const name = names[at] ?? '';
    const cells = rows.map((row) => row[at] ?? null);
    if (type !== 'bytes') {
      lists.push({ name, type: TYPES.postgres[type], param: sqlArray(cells) });
      columns.push(`own.${name}`);
      continue;
    }
    const pieces = cells.map((cell) => (cell instanceof Uint8Array ? cell : new Uint8Array()));
    let from = 1;
    const places = pieces.map(({ length }) => (from += length) - length);
    const lengths = pieces.map(({ length }) => length);
    for (const [suffix, numbers] of [
      ['at', places],
      ['length', lengths],
    ] as const) {
      lists.push({ name: `${name}_${suffix}`, type: 'INT', param: sqlArray(numbers) });
    }
    bytes.push(Buffer.concat(pieces));
    columns.push(`substr(CAST(? AS BYTEA), own.${name}_at, own.${name}_length) AS ${name}`);
  }
  const own = `unnest(${lists.map(({ type }) => `CAST(? AS ${type}[])`).join(', ')})
    AS own(${lists.map(({ name }) => name).join(', ')})`;
  return {
    sql: `(SELECT ${columns.join(', ')} FROM ${own}) AS given`,
    params: [...bytes, ...lists.map(({ param }) => param)],
  };
}

/** A condition that a column is one of these whole numbers. */
export function isAmong(dialect: Dialect, column: string, numbers: readonly number[]): SqlPiece {
  return dialect === 'postgres'
    ? { sql: `${column} = ANY(CAST(? AS INT[]))`, params: [sqlArray(numbers)] }
    : {
        sql: `${column} IN (SELECT value FROM json_each(?))`,
        params: [JSON.stringify(numbers)],
      };
}

function jsonOf(cell: ArrayCell): number | string | null {
  return cell instanceof Uint8Array ? hexOf(cell) : cell;
}
