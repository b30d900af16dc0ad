// The official suite of checkpointers; it needs the globals of its runner.
import { validate } from '@langchain/langgraph-checkpoint-validation';
import { langGraphSaver } from '@vizprompt/providers/langgraph';
import { inMemoryStorage } from '@vizprompt/providers/node';

validate({
  checkpointerName: 'SQLite',
  createCheckpointer: async () => langGraphSaver((await inMemoryStorage()).database),
});
