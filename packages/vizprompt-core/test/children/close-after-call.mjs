// Closes a project right after the first call of each kind in this process, and reports how the calls end.
import { VizPrompt } from '@vizprompt/core';
import { inMemoryStorage } from '@vizprompt/providers/node';

const storage = await inMemoryStorage();
const outcomes = [];
for (const call of [
  (vizprompt) => vizprompt.structure.undo(),
  (vizprompt) => vizprompt.structure.redo(),
  (vizprompt) => vizprompt.structure.forget(),
]) {
  const vizprompt = await VizPrompt.open({ storage });
  const flow = await vizprompt.ensureFlow({ alias: 'main', name: 'main' });
  await vizprompt.createNode({ prompt: 'a' });
  const b = await vizprompt.createNode({ prompt: 'b' });
  await vizprompt.structure.prune(b.id, { flow: flow.id });
  const called = call(vizprompt).then(
    () => 'done',
    (error) => error.code ?? error.message,
  );
  await vizprompt.close();
  outcomes.push(await called);
  const late = await vizprompt.structure.undo().catch((error) => error.code);
  outcomes.push(late);
}
process.send(outcomes);
process.disconnect();
