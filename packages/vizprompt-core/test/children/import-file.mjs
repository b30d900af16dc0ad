// Imports a file into a project, and reports how many nodes are saved.
import { VizPrompt } from '@vizprompt/core';

const [, , folder, file] = process.argv;
const vizprompt = await VizPrompt.open(folder);
vizprompt.on('import:progress', ({ nodes }) => process.send({ nodes }));
const { nodes } = await vizprompt.importConversations(file);
await vizprompt.close();
process.send({ done: nodes.total });
process.disconnect();
