// Opens the project whose folder is the query of its address, and creates a node.
import { VizPrompt } from '@vizprompt/core';

const folder = decodeURIComponent(new URL(import.meta.url).search.slice(1));
const vizprompt = await VizPrompt.open(folder);
await vizprompt.createNode({ prompt: '質問', response: '回答' });
await vizprompt.close();
