// #region program
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';

const ann = scriptedModel(['トークンなら台帳が要りません。', '盗まれたものだけ台帳に。']);
const ben = scriptedModel(['盗まれると期限まで使えます。', 'それはもうセッションです。']);
await using table = await ConversationManager.open({
  topic: 'トークンかセッションか',
  participants: [
    { name: '運用', model: ann, persona: '壊れるものは少ないほどよいと考える。' },
    { name: '保安', model: ben, persona: 'まず泥棒の身になって考える。' },
  ],
  rounds: 2,
});
for await (const event of table.start()) {
  if (event.type === 'turn:ended') console.log(`${event.turn.speaker}: ${event.turn.text}`);
}
// #endregion program
