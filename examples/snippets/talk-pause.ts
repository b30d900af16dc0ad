// #region pause
import { ConversationManager } from '@vizprompt/talktable';

await using manager = await ConversationManager.open('talk.yaml');
manager.on('turn:ended', ({ turn }) => {
  if (turn.number === 2) void manager.pause(); // { now: true } breaks the call off
});
const { status, conversationId } = await manager.start().result();
console.log(status, conversationId);
// #endregion pause
