import type { SqlParameter, Statement } from '../storage/database.ts';
import type { RowNumber } from './text-index.ts';

/** The number of a row as an SQL expression. */
export function numberOf(id: RowNumber): Required<Statement> {
  if (typeof id === 'number') return { sql: '?', params: [id] };
  const params: readonly SqlParameter[] = id.params ?? [];
  return { sql: `(${id.sql})`, params };
}

/** What stands between the brackets of `IN` for the number of a row, or a query for several. */
export function numbersFor(id: RowNumber): Required<Statement> {
  return typeof id === 'number' ? numberOf(id) : { sql: id.sql, params: id.params ?? [] };
}

/** The numbers of rows that a query joined by commas. They are JSON between brackets, which is read fastest. */
export function numbersOf(joined: string): readonly number[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the database joined integers
  return JSON.parse(`[${joined}]`) as readonly number[];
}
