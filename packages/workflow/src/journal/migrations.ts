import type { Migration } from '@vizprompt/providers';

/** The tables of the journal. Times are milliseconds since 1970, everything that steps make is JSON. */
export const JOURNAL_MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'runs, their definitions, steps, questions and spendings, and the engines that lead them',
    async up(tx) {
      for (const sql of TABLES) await tx.execute(sql);
    },
  },
];

const TABLES = [
  `CREATE TABLE workflow_definition (
    hash TEXT PRIMARY KEY,
    definition TEXT NOT NULL
  )`,
  `CREATE TABLE workflow_run (
    id TEXT PRIMARY KEY,
    workflow TEXT NOT NULL,
    hash TEXT NOT NULL,
    prompt_set TEXT NOT NULL,
    task TEXT NOT NULL,
    status TEXT NOT NULL,
    output TEXT,
    error TEXT,
    owner TEXT,
    created_at BIGINT NOT NULL,
    ended_at BIGINT,
    forked_from TEXT
  )`,
  'CREATE INDEX workflow_run_created ON workflow_run (created_at, id)',
  'CREATE INDEX workflow_run_ended ON workflow_run (ended_at)',
  'CREATE INDEX workflow_run_hash ON workflow_run (hash)',
  `CREATE TABLE workflow_step (
    run_id TEXT NOT NULL,
    path TEXT NOT NULL,
    seq BIGINT NOT NULL,
    begun BIGINT NOT NULL,
    output TEXT NOT NULL,
    meta TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    elapsed_ms BIGINT NOT NULL,
    PRIMARY KEY (run_id, path)
  )`,
  `CREATE TABLE workflow_wait (
    run_id TEXT NOT NULL,
    path TEXT NOT NULL,
    question TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    until_ms BIGINT,
    answer TEXT,
    closed_at BIGINT,
    PRIMARY KEY (run_id, path)
  )`,
  `CREATE TABLE workflow_spending (
    run_id TEXT NOT NULL,
    call TEXT NOT NULL,
    tokens DOUBLE PRECISION NOT NULL,
    cost_usd DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (run_id, call)
  )`,
  `CREATE TABLE workflow_owner (
    slot BIGINT PRIMARY KEY,
    id TEXT NOT NULL,
    alive_at BIGINT NOT NULL
  )`,
];
