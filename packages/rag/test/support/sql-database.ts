import type { Database } from '@vizprompt/providers';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { onPostgres, type StorageSubject } from '../../../providers/test/support/subjects.ts';
import { sqlTables } from '../../src/sql/sql-tables.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** The server of this run. */
export function serverUrl(): string {
  return inject('databaseUrl');
}

/**
 * Makes one database on PostgreSQL for all tests of a file, since creating its schemas takes longer than most of them.
 *
 * @returns A function that gives it to a test, and empties its tables when the test is over.
 */
export function sharedPostgres(): () => Database {
  let subject: StorageSubject | undefined;
  beforeAll(async () => {
    subject = await onPostgres();
  });
  afterAll(() => subject?.close());
  return () => {
    if (!subject) throw new Error('the database is opened before the tests');
    const { database } = subject.storage;
    onTestFinished(() => emptyTables(database));
    return database;
  };
}

async function emptyTables(database: Database): Promise<void> {
  // Unlike DELETE this also forgets how many rows there were, by which the server plans.
  await database.execute(`TRUNCATE ${Object.values(sqlTables('chunks')).join(', ')}`);
}

/** Counts the statements that are run outside of transactions, which are those of searches. */
export function counting(database: Database): {
  readonly database: Database;
  readonly statements: string[];
} {
  const statements: string[] = [];
  const counted: Pick<Database, 'query' | 'execute'> = {
    query: (sql, params) => {
      statements.push(sql);
      return database.query(sql, params);
    },
    execute: (sql, params) => {
      statements.push(sql);
      return database.execute(sql, params);
    },
  };
  return { database: { ...database, ...counted }, statements };
}
