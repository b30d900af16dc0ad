import type { Migration, SqlExecutor } from '@vizprompt/providers';

/** The time of the database's clock, which all workers share, in milliseconds since 1970. */
export const NOW = 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)';

/** What workers need beside the journal. */
export const DISPATCH_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'who executes runs and is told of them, workers, and places of shared limits',
    up: (tx) => executeAll(tx, TABLES),
  },
  {
    version: 2,
    name: 'which call of a worker has a place',
    up: (tx) => executeAll(tx, ['ALTER TABLE dispatch_place ADD COLUMN call BIGINT']),
  },
];

/** What may be lost: events on their way to who reads them. */
export const EVENT_MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'events on their way', up: (tx) => executeAll(tx, EVENT_TABLES) },
];

async function executeAll(tx: SqlExecutor, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await tx.execute(sql);
}

const TABLES = [
  `CREATE TABLE dispatch_run (
    run_id TEXT PRIMARY KEY,
    attempt BIGINT NOT NULL,
    executions BIGINT NOT NULL,
    reader TEXT,
    allowance TEXT
  )`,
  `CREATE TABLE dispatch_worker (
    id TEXT PRIMARY KEY,
    lease_ms BIGINT NOT NULL,
    alive_at BIGINT NOT NULL,
    is_dead BIGINT NOT NULL
  )`,
  `CREATE TABLE dispatch_place (
    provider TEXT NOT NULL,
    place BIGINT NOT NULL,
    owner TEXT,
    PRIMARY KEY (provider, place)
  )`,
  "CREATE TABLE dispatch_rate (provider TEXT PRIMARY KEY, calls BIGINT[] NOT NULL DEFAULT '{}')",
];

const EVENT_TABLES = [
  `CREATE UNLOGGED TABLE dispatch_event (
    id BIGSERIAL PRIMARY KEY,
    reader TEXT NOT NULL,
    body TEXT NOT NULL,
    at BIGINT NOT NULL
  )`,
  'CREATE INDEX dispatch_event_reader ON dispatch_event (reader, id)',
];
