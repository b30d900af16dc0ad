// #region first
import { VizPrompt } from '@vizprompt/core';

const vizprompt = await VizPrompt.open('./my-project');
const { id } = await vizprompt.createNode({ prompt: 'Cats?', response: 'I love them.' });
await vizprompt.createNode({ prompt: 'Why?', response: 'They are quiet.' });
await vizprompt.createBranch(id, { prompt: 'And dogs?', response: 'Loud, but loyal.' }); // another way on
console.log(await vizprompt.toText());
// #endregion first
await vizprompt.close();
