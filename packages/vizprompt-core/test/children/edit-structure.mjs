// Edits the main flow, without end or so often; without end it takes back and does again in between.
import { VizPrompt } from '@vizprompt/core';

const [, , folder, rounds = 'Infinity'] = process.argv;
const isAlone = rounds === 'Infinity';
const vizprompt = await VizPrompt.open(folder, { undoSteps: 100_000 });
const { structure } = vizprompt;
process.send('open');
for (let round = 0; round < Number(rounds); round++) {
  const { nodes } = await vizprompt.getFlow();
  const leaf = nodes.at(-1)?.id;
  try {
    await structure.copySubtree(leaf);
    await structure.prune(leaf, { files: round % 2 === 0 });
  } catch (error) {
    // The other process was faster.
    if (isAlone || error.code !== 'node-not-found') throw error;
  }
  const fork = await structure.tailFork(nodes[0].id, { name: `枝 ${round}` });
  if (isAlone) {
    await structure.undo();
    await structure.redo();
  }
  await vizprompt.deleteFlow(fork.id);
  await vizprompt.updateFlow('main', { name: `main ${round}` });
}
await vizprompt.close();
process.disconnect();
