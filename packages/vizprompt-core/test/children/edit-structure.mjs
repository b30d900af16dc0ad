// Edits the main flow, without end or so often; without end it takes back and does again in between.
// The database is SQLite unless one on PostgreSQL is given.
import { VizPrompt } from '@vizprompt/core';
import { openStorage } from '@vizprompt/providers/node';
import { postgresStorage } from '@vizprompt/providers/postgres';

const [, , folder, rounds, database] = process.argv;
const isAlone = rounds === 'Infinity';
const local = await openStorage(folder);
const server = database && (await postgresStorage(JSON.parse(database)));
const storage = server ? { ...server, files: local.files } : local;
const vizprompt = await VizPrompt.open({ storage, undoSteps: 100_000 });
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
  process.send(round);
}
await vizprompt.close();
await server?.close();
await local.close();
process.disconnect();
