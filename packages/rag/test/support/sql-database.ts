import type { Database } from '@vizprompt/providers';
import { inject, onTestFinished } from 'vitest';
import { onPostgres } from '../../../providers/test/support/subjects.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** The server of this run. */
export function serverUrl(): string {
  return inject('databaseUrl');
}

/** A database on PostgreSQL, deleted when the test is over. */
export async function postgresDatabase(): Promise<Database> {
  const { storage, close } = await onPostgres();
  onTestFinished(close);
  return storage.database;
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
