// Has a project to itself until it is killed.
import { VizPrompt } from '@vizprompt/core';

await VizPrompt.open(process.argv[2], { lock: 'exclusive' });
process.send('held');
setInterval(() => {}, 1000);
