// #region worker
import { runWorker } from '@vizprompt/workflow/dbos';

const url = process.env['DATABASE_URL'] ?? 'postgres://localhost:5432/app';
const worker = await runWorker({ url }); // models by name, as an engine makes them
process.once('SIGTERM', () => void worker.close());
// #endregion worker
