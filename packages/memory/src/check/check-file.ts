import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, type Database } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { checkArgument, STORABLE } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { openContext } from '../open-context.ts';
import { checkStore, type CheckProblem, type CheckReport } from './check-store.ts';

/**
 * Checks a file that may be damaged, on a copy: the original is not touched. For one that cannot be
 * opened any more it reports how much can still be read.
 */
export async function checkFile(path: string, signal?: AbortSignal): Promise<CheckReport> {
  checkArgument('the path of the file to check', path, STORABLE);
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isFile) throw new MemoryError('invalid-input', `there is no file ${path} to check`);
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-check-'));
  try {
    const copy = join(folder, 'copy.db');
    await copyFile(path, copy);
    await copyFile(`${path}-wal`, `${copy}-wal`).catch(() => undefined);
    return await checkCopy(copy, path, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkCopy(
  copy: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<CheckReport> {
  const problems: CheckProblem[] = [];
  try {
    const { context, close } = await openContext({ path: copy });
    try {
      const report = await checkStore({ ...context, tenant: '' }, { signal });
      if (!report.problems.some(({ code }) => code === 'database')) return report;
      problems.push(...report.problems);
    } finally {
      await close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    problems.push({ code: 'database', message: messageOf(error).replaceAll(copy, path) });
  }
  const database = sqliteDatabase({ path: copy });
  try {
    const sessions = await countReadable(database, 'memory_sessions', signal);
    const events = await countReadable(database, 'memory_events', signal);
    const contents = await countReadable(database, 'memory_blobs', signal, 'rowid');
    return { isOk: false, sessions, events, contents, problems };
  } finally {
    await database.close();
  }
}

/** How many rows one query reads while it goes well. */
const RANGE = 1024;

/** Counts the rows of a table that can be read whole, around those that cannot. */
async function countReadable(
  database: Database,
  table: string,
  signal: AbortSignal | undefined,
  key = 'key',
): Promise<number> {
  const last = await largestKey(database, table, key);
  let count = 0;
  const read = async (from: number, size: number): Promise<void> => {
    signal?.throwIfAborted();
    try {
      const rows = await database.query(`SELECT * FROM ${table} WHERE ${key} >= ? AND ${key} < ?`, [
        from,
        from + size,
      ]);
      count += rows.length;
    } catch {
      if (size === 1) return;
      await read(from, size / 2);
      await read(from + size / 2, size / 2);
    }
  };
  for (let from = 0; from <= last; from += RANGE) await read(from, RANGE);
  return count;
}

/** Returns the largest key; where its page is damaged, one that was seen by way of an index. */
async function largestKey(database: Database, table: string, key: string): Promise<number> {
  for (const order of [
    `SELECT max(${key}) AS last FROM ${table}`,
    `SELECT count(*) * 2 AS last FROM ${table}`,
  ]) {
    try {
      const [row] = await database.query<{ last: number | null }>(order);
      return row?.last ?? 0;
    } catch {
      // The next way may go around the damage.
    }
  }
  return -1;
}
