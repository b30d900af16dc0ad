import type { SqlParameter } from '@vizprompt/providers';
import type { Dialect } from '@vizprompt/providers/internal';

/** A piece of SQL with its parameters. */
export interface SqlPiece {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
}

type Cell = number | string | Uint8Array | null;

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
  rows: readonly (readonly Cell[])[],
): SqlPiece {
  const types = Object.values(columns);
  const names = Object.keys(columns);
  if (dialect === 'postgres') {
    const lists = types.map((type) => `CAST(? AS ${TYPES.postgres[type]}[])`);
    return {
      sql: `unnest(${lists.join(', ')}) AS given(${names.join(', ')})`,
      params: types.map((_, at) => arrayOf(rows.map((row) => row[at] ?? null))),
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
    ? { sql: `${column} = ANY(CAST(? AS INT[]))`, params: [arrayOf(numbers)] }
    : {
        sql: `${column} IN (SELECT value FROM json_each(?))`,
        params: [JSON.stringify(numbers)],
      };
}

/** An array of PostgreSQL as text. */
function arrayOf(cells: readonly Cell[]): string {
  const texts = cells.map((cell) => {
    if (cell === null) return 'NULL';
    if (typeof cell === 'number') return String(cell);
    if (typeof cell === 'string') return `"${cell.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    return String.raw`"\\x${hexOf(cell)}"`;
  });
  return `{${texts.join(',')}}`;
}

function jsonOf(cell: Cell): number | string | null {
  return cell instanceof Uint8Array ? hexOf(cell) : cell;
}

function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}
