// The official suite of checkpointers; it needs the globals of its runner.
import { validate } from '@langchain/langgraph-checkpoint-validation';
import type { Storage } from '@vizprompt/providers';
import { langGraphSaver } from '@vizprompt/providers/langgraph';
import { onPostgres } from '../../support/subjects.ts';

const { storage, close } = await onPostgres();

/** Each test begins without what the one before left. */
async function emptied({ database }: Storage): ReturnType<typeof langGraphSaver> {
  const saver = await langGraphSaver(database);
  const tables = ['langgraph_checkpoint', 'langgraph_value', 'langgraph_write'];
  await database.batch(tables.map((table) => ({ sql: `DELETE FROM ${table}` })));
  return saver;
}

validate({
  checkpointerName: 'PostgreSQL',
  createCheckpointer: () => emptied(storage),
  afterAll: close,
});
