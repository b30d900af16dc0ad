// #region offline
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';

const cat = scriptedModel((_, call) => `猫は静かです。(${call + 1})`);
const dog = scriptedModel((_, call) => `犬は忠実です。(${call + 1})`);
const host = scriptedModel((_, call) => ['始めます。', 'まとめます。', '終わります。'][call] ?? '');
await using manager = await ConversationManager.open({
  topic: '猫と犬',
  participants: [
    { name: '猫派', model: cat }, // a model itself, instead of 'provider:model'
    { name: '犬派', model: dog },
  ],
  moderator: { name: '司会', model: host },
  rounds: 1,
});
manager.on('turn:ended', ({ turn }) => console.log(turn.number, turn.speaker, turn.text));
const { status, reason } = await manager.start().result();
console.log(status, reason);
// #endregion offline
