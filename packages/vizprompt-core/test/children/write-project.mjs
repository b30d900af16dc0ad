// Creates nodes and edits flows, without end or so often, and reports each one that is durable.
import { VizPrompt } from '@vizprompt/core';

const [, , folder, name, rounds = 'Infinity'] = process.argv;
const vizprompt = await VizPrompt.open(folder);
await vizprompt.createFlow({ name, alias: name }).catch((error) => {
  if (error.code !== 'exists') throw error;
});
for (let round = 0; round < Number(rounds); round++) {
  const first = await vizprompt.createNode({
    prompt: `${name} ${round}`,
    response: '答え'.repeat(50),
  });
  process.send({ node: first.id });
  const own = await vizprompt.createNode({ prompt: `own ${name} ${round}` }, { flow: name });
  process.send({ node: own.id, flow: name });
  const branch = await vizprompt.createBranch(own.id, { prompt: 'branch' }, { flow: name });
  process.send({ node: branch.id, flow: name });
  await vizprompt.updateNode(first.id, { response: `changed ${round}` });
  process.send({ changed: first.id, response: `changed ${round}` });
  await vizprompt.deleteNode(branch.id);
  process.send({ deleted: branch.id });
}
await vizprompt.close();
process.disconnect();
