import type { TestProject } from 'vitest/node';
import setUpPostgres from './global-postgres.ts';
import { startPgBouncer } from './pgbouncer.ts';

/** The way to the server: by a connection string with options, or through a pooler. */
export type PostgresRoute = 'options' | 'session' | 'transaction';

declare module 'vitest' {
  interface ProvidedContext {
    postgresRoute: PostgresRoute;
  }
}

/** Options that a host may have in its connection string: they must have no effect. */
const OPTIONS = '-c search_path=public -c bytea_output=escape -c extra_float_digits=0';

/** Gives the test files of a project the server of the run by another route. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const tearDown = await setUpPostgres(project);
  const { databaseUrl, postgresRoute } = project.getProvidedContext();
  if (postgresRoute === 'options') {
    const url = new URL(databaseUrl);
    url.searchParams.set('options', OPTIONS);
    project.provide('databaseUrl', url.href);
    return async () => tearDown?.();
  }
  // Fewer connections than clients, so that transactions of one client are on several of them.
  const poolSize = postgresRoute === 'transaction' ? 10 : 80;
  const pooler = await startPgBouncer(databaseUrl, { poolMode: postgresRoute, poolSize });
  project.provide('databaseUrl', pooler.url);
  return async () => {
    await pooler.stop();
    await tearDown?.();
  };
}
