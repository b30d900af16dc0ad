// #region log
import { writeFile } from 'node:fs/promises';
import { ConversationLog } from '@vizprompt/talktable';

await using log = await ConversationLog.open('logs/conversation.db');
const [newest] = await log.conversations(1);
if (!newest) throw new Error('there is no talk yet');
for await (const { number, speaker, text, status } of log.turns(newest.id)) {
  console.log(number, speaker, status, text.length);
}
await writeFile('talk.html', await log.exportConversation(newest.id, 'html')); // or markdown, json
const { speakers } = await log.analyze(newest.id);
for (const { name, outputTokens, repetition } of speakers) {
  console.log(name, outputTokens, repetition);
}
// #endregion log
