// #region program
import { VizPrompt } from '@vizprompt/core';
import { scriptedModel } from '@vizprompt/providers/testing';

const answers = ['Ask again for the password.', ' for the password, after five minutes.'];
const model = scriptedModel(answers, { chunkSize: 9 });
await using project = await VizPrompt.open('./my-project', { model });
for await (const event of project.chat({ prompt: 'And when it is over?' })) {
  if (event.type === 'text') break; // the user presses stop
}
const { head = '' } = await project.getFlow();
const cut = await project.getNode(head);
console.log(cut.status, cut.response);
const whole = await project.continue(head).node();
console.log(whole.status, whole.response);
// #endregion program
