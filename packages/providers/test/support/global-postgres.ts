import type { TestProject } from 'vitest/node';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** The server of a run, and how many projects use it. */
interface SharedServer {
  users: number;
  readonly starting: Promise<PostgresServer>;
}

const SERVER: unique symbol = Symbol.for('vizprompt.test.postgres');
// Each project loads this file for itself, all of them in the main process of the run.
const shared = globalThis as { [SERVER]?: SharedServer | undefined };

/**
 * Gives all test files of a run one server: that of `DATABASE_URL`, or one that the first project
 * starts and the last one stops. Vitest calls this only for projects that have files to run.
 */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | void> {
  const given = process.env['DATABASE_URL'];
  if (given) {
    project.provide('databaseUrl', given);
    return;
  }
  const server = (shared[SERVER] ??= { users: 0, starting: startPostgres({ isDurable: false }) });
  server.users += 1;
  project.provide('databaseUrl', (await server.starting).url);
  return async () => {
    server.users -= 1;
    if (server.users > 0) return;
    shared[SERVER] = undefined;
    await (await server.starting).stop();
  };
}
