import { StorageError } from './storage-error.ts';

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
