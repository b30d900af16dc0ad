import { messageOf, type SqlExecutor } from '@vizprompt/providers';
import { plainTables } from '@vizprompt/providers/internal';
import type { SourceEntry } from './gather-records.ts';
import { unreadable } from './zip-archive.ts';

/** The number of rows that are read at a time. */
const PAGE = 500;

/** Tables that say how the database is built, or repeat what others hold. */
const OWN = /^(?:sqlite_|_llm_migrations|.*_fts(?:_|$))/;

/**
 * Reads the logs of simonw/llm: each row of the table `responses` is a question with its answer; the contents of
 * the other tables are next to them.
 *
 * @throws VizPromptError with the code `import-unreadable` if it is no such database.
 */
export async function* readLlmLogs(path: string, name: string): AsyncGenerator<SourceEntry> {
  const { sqliteDatabase } = await import('@vizprompt/providers/node');
  const database = sqliteDatabase({ path, readOnly: true });
  try {
    yield* readTables(database, name);
  } finally {
    await database.close();
  }
}

async function* readTables(database: SqlExecutor, name: string): AsyncGenerator<SourceEntry> {
  const told = (cause: unknown): Error => unreadable(`${name}: ${messageOf(cause)}`, cause);
  const read = async (sql: string, values: readonly number[] = []): Promise<readonly Row[]> => {
    try {
      return await database.query<Row>(sql, values);
    } catch (cause) {
      throw told(cause);
    }
  };
  const names = await plainTables(database).catch((cause: unknown) => {
    throw told(cause);
  });
  if (!names.includes('responses')) {
    throw unreadable(`${name} is no database of llm: it has no table 'responses'`);
  }
  const listed = names.includes('conversations') ? await read('SELECT * FROM conversations') : [];
  const titles = new Map(listed.map((row) => [row['id'], row['name']]));
  for (let last = 0; ;) {
    const rows = await read(
      `SELECT rowid AS row_no, * FROM responses WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
      [last],
    );
    for (const { row_no: at, ...row } of rows) {
      last = Number(at);
      const title = titles.get(row['conversation_id']);
      const value = plain({ ...row, ...(title === undefined ? {} : { thread_title: title }) });
      yield { name: `${name}, row ${String(at)}`, value, characters: JSON.stringify(value).length };
    }
    if (rows.length < PAGE) break;
  }
  for (const table of names) {
    if (table === 'responses' || table === 'conversations' || OWN.test(table)) continue;
    const rows = await read(`SELECT * FROM "${table.replaceAll('"', '""')}" LIMIT 100000`);
    if (rows.length > 0) yield { name, value: { [table]: rows.map(plain) }, isRest: true };
  }
}

type Row = Record<string, unknown>;

/** Returns a row as JSON. */
function plain(row: Row): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => {
      if (typeof value === 'bigint') return [key, Number(value)];
      const isPlain = typeof value === 'string' || typeof value === 'number';
      return [key, isPlain ? value : null];
    }),
  );
}
