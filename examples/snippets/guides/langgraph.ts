// #region program
import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { langGraphSaver } from '@vizprompt/providers/langgraph';
import { openStorage } from '@vizprompt/providers/node';

const State = Annotation.Root({ topic: Annotation<string>, poem: Annotation<string> });
const builder = new StateGraph(State)
  .addNode('write', ({ topic }) => ({ poem: `${topic} sleeps in the sun.` }))
  .addNode('ask', ({ poem }) => ({ poem: `${poem} ${String(interrupt('One more line?'))}` }))
  .addEdge(START, 'write')
  .addEdge('write', 'ask')
  .addEdge('ask', END);

const config = { configurable: { thread_id: 'poem-1' } };
{
  await using storage = await openStorage('./data');
  const graph = builder.compile({ checkpointer: await langGraphSaver(storage.database) });
  await graph.invoke({ topic: 'The cat' }, config);
}
// Later, in another process: the run waits for its answer.
await using storage = await openStorage('./data');
const graph = builder.compile({ checkpointer: await langGraphSaver(storage.database) });
const done = await graph.invoke(new Command({ resume: 'It dreams of the sea.' }), config);
console.log(done.poem);
// #endregion program
