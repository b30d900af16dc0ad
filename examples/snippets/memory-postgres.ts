// #region postgres
import { MemoryStore } from '@vizprompt/memory';
import { postgresStorage } from '@vizprompt/providers/postgres';

const connectionString = process.env['DATABASE_URL'] ?? 'postgres://localhost/team';
await using storage = await postgresStorage({ connectionString, namespace: 'memory' });
await using store = await MemoryStore.open({ storage, tenant: 'team-a' });
// #endregion postgres
console.log(await store.stats());
