import type { SqlExecutor, SqlParameter } from './database.ts';

/** Rows that one statement writes or asks for. */
const ROWS = 200;

/** Returns the placeholders of that many parameters: `?, ?, ?`. */
export function placeholders(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}

/** Cuts a list into parts, as a statement takes a limited number of parameters. */
export function inParts<T>(list: readonly T[], size: number = ROWS): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size));
  return parts;
}

/**
 * Inserts rows, many with one statement.
 *
 * @param rows - The values of all columns, in the order of the table.
 * @param onConflict - A clause such as `ON CONFLICT DO NOTHING`.
 */
export async function insertRows(
  executor: SqlExecutor,
  table: string,
  rows: readonly (readonly SqlParameter[])[],
  onConflict = '',
): Promise<void> {
  for (const some of inParts(rows)) {
    const values = some.map((row) => `(${placeholders(row.length)})`).join(', ');
    await executor.execute(`INSERT INTO ${table} VALUES ${values} ${onConflict}`, some.flat());
  }
}
