/** A PostgreSQL server that was started for this process. */
export interface StartedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server with an empty cluster in a temporary folder, as the tests do. */
export async function startPostgres(): Promise<StartedPostgres> {
  const file = '../packages/providers/test/support/postgres-server.ts';
  const module = (await import(new URL(file, import.meta.url).href)) as {
    startPostgres(): Promise<StartedPostgres>;
  };
  return module.startPostgres();
}
