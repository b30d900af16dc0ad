import { VizPrompt } from '@vizprompt/core';

const folder = process.argv[2] ?? './deleting';
await using vizprompt = await VizPrompt.open(folder);
await vizprompt.createNode({ prompt: 'Who has the key?', response: 'I do.', speaker: 'Alice' });

// #region erase
const planned = await vizprompt.eraseSpeaker({ speaker: 'Alice', dryRun: true });
console.log(planned.erased); // [{ place: 'nodes', count: 1 }]
const { remains } = await vizprompt.eraseSpeaker({ speaker: 'Alice' });
console.log(remains.map(({ place }) => place)); // what is up to you: git, backups
// #endregion erase

const node = await vizprompt.createNode({ prompt: 'a mistake' });
// #region vacuum
await vizprompt.deleteNode(node.id); // undo() would bring it back
await vizprompt.vacuum(); // and now nothing of it is left, and nothing can be undone
// #endregion vacuum
