// #region program
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';

const ann = scriptedModel(['Tokens: no server keeps a list.', 'Then a list of stolen ones.']);
const ben = scriptedModel(['A stolen one works until it ends.', 'Which is a session again.']);
await using table = await ConversationManager.open({
  topic: 'Tokens or sessions?',
  participants: [
    { name: 'Ann', model: ann, persona: 'Runs the servers. Wants few things that can break.' },
    { name: 'Ben', model: ben, persona: 'Thinks of thieves first.' },
  ],
  rounds: 2,
});
for await (const event of table.start()) {
  if (event.type === 'turn:ended') console.log(`${event.turn.speaker}: ${event.turn.text}`);
}
// #endregion program
