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
 * PostgreSQL and one in all on SQLite.
 */
export function givenRows(
  dialect: Dialect,
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly (readonly ArrayCell[])[],
): SqlPiece {
  const types = Object.values(columns);
  const names = Object.keys(columns);
  if (dialect === 'postgres') {
    const lists = types.map((type) => `CAST(? AS ${TYPES.postgres[type]}[])`);
    return {
      sql: `unnest(${lists.join(', ')}) AS given(${names.join(', ')})`,
      params: types.map((_, at) => sqlArray(rows.map((row) => row[at] ?? null))),
    };
  }
  const values = types.map((type, at) => {
    const value = `json_extract(value, '$[${at}]')`;
    return `${type === 'bytes' ? `unhex(${value})` : value} AS ${names[at]}`;
  });
  return {
    sql: `(SELECT ${values.join(', ')} FROM json_each(?)) AS given`,
    params: [JSON.stringify(rows.map((row) => row.map(jsonOf)))],
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
