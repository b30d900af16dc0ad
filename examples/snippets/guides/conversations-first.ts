// #region program
import { VizPrompt } from '@vizprompt/core';
import { textOf } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';

// Stand-ins, which need neither key nor network. Real models take their place below.
const small = scriptedModel(['Thirty minutes.'], { modelId: 'small' });
const large = scriptedModel(['Not if it renews itself.'], { modelId: 'large' });

const project = await VizPrompt.open('./my-project');
await project.chat({ prompt: 'How long should a login last?', model: small }).node();
const node = await project.chat({ prompt: 'Is that not too short?', model: large }).node();
await project.close();

console.log(`${node.model}: ${node.response}`);
for (const message of large.calls[0]?.messages ?? []) {
  console.log(`  received from the ${message.role}: ${textOf(message)}`);
}
// #endregion program
