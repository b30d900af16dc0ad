// Reads a project in a folder that this process cannot write, and reports its content.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';

const [, , folder] = process.argv;
const canWrite = await writeFile(join(folder, 'probe'), '').then(
  () => true,
  () => false,
);
const vizprompt = await VizPrompt.open(folder, { lock: 'read-only' });
const { nodes } = await vizprompt.getFlow();
const hits = await vizprompt.searchNodes({ text: '質問' });
const code = await vizprompt.createNode({ prompt: 'x' }).catch((error) => error.code);
await vizprompt.close();
process.send({ canWrite, nodes: nodes.length, hits: hits.length, code });
process.disconnect();
