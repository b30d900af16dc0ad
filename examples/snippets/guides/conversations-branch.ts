// #region program
import { VizPrompt } from '@vizprompt/core';
import { scriptedModel } from '@vizprompt/providers/testing';

const model = scriptedModel(['Yes. Take a day.', 'Then five minutes.', 'A day, or five minutes.']);
await using project = await VizPrompt.open('./my-project', { model });
const { head: asked = '' } = await project.getFlow();
const again = await project.retry(asked).node(); // the same prompt once more
const other = await project.edit(asked, 'And on a shared computer?').node(); // another in its place
await project.chat({ prompt: 'Put both together.', from: [again.id, other.id] }).node();
console.log(await project.toText());
// #endregion program
