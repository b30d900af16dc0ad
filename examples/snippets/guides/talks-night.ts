// #region program
import { writeFile } from 'node:fs/promises';
import { VizPrompt } from '@vizprompt/core';
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';

const ann = scriptedModel(() => (isFirst ? 'Tokens.' : 'Very short tokens, then.'));
const ben = scriptedModel(() => (isFirst ? process.exit() : 'Sessions.')); // the power fails
await using project = await VizPrompt.open('./my-project');
await using table = await ConversationManager.open(
  {
    topic: 'Tokens or sessions?',
    participants: [
      { name: 'Ann', model: ann },
      { name: 'Ben', model: ben },
    ],
    rounds: 2,
  },
  { recorders: [project.recorder()] }, // the talk becomes a flow of the project, too
);
table.on('turn:ended', ({ turn }) => console.log(turn.number, `${turn.speaker}: ${turn.text}`));
const isFirst = (await table.conversations()).every(({ id }) => id !== 'login');
if (isFirst) await table.start({ conversationId: 'login' }).result();
await table.say('What would a bank do?', { conversationId: 'login', as: 'Mia' });
await table.resume('login').result();
await writeFile('talk.html', await table.exportConversation('login', 'html'));
for (const { name, nodes } of await project.listFlows()) console.log(`${name}: ${nodes} nodes`);
// #endregion program
