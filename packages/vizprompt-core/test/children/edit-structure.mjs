// Edits the main flow without end, and takes back and does again in between.
import { VizPrompt } from '@vizprompt/core';

const [, , folder] = process.argv;
const vizprompt = await VizPrompt.open(folder, { undoSteps: 100_000 });
const { structure } = vizprompt;
process.send('open');
for (let round = 0; ; round++) {
  const { nodes } = await vizprompt.getFlow();
  const leaf = nodes.at(-1)?.id;
  await structure.copySubtree(leaf);
  await structure.prune(leaf, { files: round % 2 === 0 });
  const fork = await structure.tailFork(nodes[0].id, { name: `枝 ${round}` });
  await structure.undo();
  await structure.redo();
  await vizprompt.deleteFlow(fork.id);
  await vizprompt.updateFlow('main', { name: `main ${round}` });
}
