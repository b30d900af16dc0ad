// #region first
import { VizPrompt } from '@vizprompt/core';

const vizprompt = await VizPrompt.open('./my-project');
const question = await vizprompt.createNode({ prompt: '猫は好き？', response: 'はい、とても。' });
await vizprompt.createNode({ prompt: 'なぜ？', response: '静かだからです。' });
// Another answer to the first question: a branch.
await vizprompt.createBranch(question.id, { prompt: 'なぜ？', response: '犬も好きです。' });

console.log(await vizprompt.toText());
const [hit] = await vizprompt.searchNodes({ text: '静か' });
console.log(hit?.title);
await vizprompt.close();
// #endregion first
