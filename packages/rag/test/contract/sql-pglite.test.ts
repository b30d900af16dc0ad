import { randomUUID } from 'node:crypto';
import type { Database } from '@vizprompt/providers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pgPool, type PgPool } from '../../../providers/src/postgres/pg-pool.ts';
import { postgresDatabase } from '../../../providers/src/postgres/postgres-database.ts';
import { fuzzSeed, runs } from '../../../providers/test/support/fuzz.ts';
import { startPglite, type PgliteServer } from '../../../providers/test/support/pglite-server.ts';
import { SqlBackend } from '../../src/backends/sql-backend.ts';
import { testSearchBackend } from '../../src/testing/index.ts';
import { answers, apply, step } from '../support/agreeing-backends.ts';
import { recountSpace } from '../support/recount-space.ts';
import { openBackend, paragraphs, scriptAnalyzer } from '../support/search-index.ts';

/** PGlite has one session: backends take turns at it. */
const CONNECTIONS = 1;

let server: PgliteServer;
let pool: PgPool;
let database: Database;

beforeAll(async () => {
  server = await startPglite();
  const target = {
    connectionString: server.connectionString,
    schema: 'public',
    maxConnections: CONNECTIONS,
    isDurable: true,
    connectTimeoutMs: 10_000,
  };
  pool = pgPool(target);
  database = postgresDatabase(pool, target, { isReplica: false });
}, 120_000);
afterAll(async () => {
  await pool.close();
  await server.close();
});

testSearchBackend({
  name: 'SqlBackend, on PGlite',
  runner: { describe, it },
  isPersistent: true,
  open: async (given) => {
    const place = { database, space: randomUUID() };
    const backend = await SqlBackend.open({ ...given, ...place });
    return {
      backend,
      reopen: (other) => SqlBackend.open({ ...other, ...place }),
      close: () => backend.close(),
    };
  },
});

it('answers on PGlite as SegmentBackend does after random changes, to the last digit', async () => {
  const parts = { analyzer: scriptAnalyzer(), chunking: paragraphs };
  await using backend = await SqlBackend.open({ ...parts, database });
  const segments = await openBackend(parts);
  for (const [at, one] of fc.sample(step, { numRuns: runs(40), seed: fuzzSeed ?? 11 }).entries()) {
    if (one.kind === 'compact' && at % 10 !== 0) continue;
    await apply(backend, one);
    await apply(segments, one);
  }
  expect(await answers(backend)).toEqual(await answers(segments));
  expect(await recountSpace(database)).toEqual([]);
});
