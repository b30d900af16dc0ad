// #region resume
import { ConversationManager } from '@vizprompt/talktable';

await using manager = await ConversationManager.open('talk.yaml');
const [newest] = await manager.conversations(1);
const conversationId = process.argv[2] ?? newest?.id ?? '';
await manager.say('Shorter, please.', { conversationId, as: 'Audience' });
const { status, reason } = await manager.resume(conversationId).result();
console.log(status, reason);
// #endregion resume
