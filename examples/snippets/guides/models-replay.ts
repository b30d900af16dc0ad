// #region program
import { textMessage } from '@vizprompt/providers';
import { compose } from '@vizprompt/providers/middleware';
import { localFileStore } from '@vizprompt/providers/node';
import { record, replay, scriptedModel } from '@vizprompt/providers/testing';

const real = scriptedModel(['They are quiet.']); // in your program: the model that needs a key
const cats = { messages: [textMessage('user', 'Why cats?')] };
const dogs = { messages: [textMessage('user', 'Why dogs?')] };

await using store = await localFileStore('./cassettes');
await compose(real, record({ store })).generate(cats); // once
const offline = compose(real, replay({ store })); // from then on, in the tests
console.log((await offline.generate(cats)).text, 'calls:', real.calls.length);
await offline.generate(dogs).catch((error: unknown) => console.log(String(error)));
// #endregion program
