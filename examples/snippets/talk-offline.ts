// #region offline
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';

const cat = scriptedModel((_, call) => `Cats are quiet. (${call + 1})`);
const dog = scriptedModel((_, call) => `Dogs are loyal. (${call + 1})`);
const host = scriptedModel((_, call) => ['Welcome.', 'To sum up.', 'Thank you.'][call] ?? '');
await using manager = await ConversationManager.open({
  topic: 'Cats and dogs',
  participants: [
    { name: 'Cat', model: cat }, // a model itself, instead of 'provider:model'
    { name: 'Dog', model: dog },
  ],
  moderator: { name: 'Host', model: host },
  rounds: 1,
});
manager.on('turn:ended', ({ turn }) => console.log(turn.number, turn.speaker, turn.text));
const { status, reason } = await manager.start().result();
console.log(status, reason);
// #endregion offline
