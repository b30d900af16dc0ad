// A PostgreSQL server to try the example with, where there is none (Ctrl+C ends it, and what is in it is gone):
//   npx tsx examples/team-workflow/database.ts
import { startPostgres } from '../../benchmarks/start-postgres.ts';

const server = await startPostgres();
console.log(`export DATABASE_URL=${server.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.stop().then(() => process.exit()));
}
setInterval(() => undefined, 60_000);
