// #region program
import { textOf } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';

const ann = scriptedModel(['Tokens.', 'Short tokens.']);
const ben = scriptedModel(['Ben: Sessions.', 'Fine.']);
const host = scriptedModel(
  (_, call) => ['Go on.', 'They differ.', 'Agreed.', 'Thanks.'][call] ?? '',
);
await using table = await ConversationManager.open({
  topic: 'Tokens or sessions?',
  participants: [
    { name: 'Ann', model: ann },
    { name: 'Ben', model: ben },
  ],
  moderator: { name: 'Host', model: host },
  stop: [{ keyword: 'agreed' }, { similarity: { threshold: 0.8 } }, { rounds: 9 }],
});
const { reason } = await table.start().result();
console.log(reason);
for (const message of ann.calls[1]?.messages.slice(1) ?? []) {
  console.log(`${message.role}: ${textOf(message)}`);
}
// #endregion program
