import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}

/** Gives all test files one server: the one of `DATABASE_URL`, or one that is started here. */
export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | void> {
  const given = process.env['DATABASE_URL'];
  if (given) {
    project.provide('databaseUrl', given);
    return;
  }
  const server = await startPostgres();
  project.provide('databaseUrl', server.url);
  return () => server.stop();
}
