// #region options
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';

const poet = scriptedModel((_, call) => `句 ${call + 1}`);
await using storage = await openStorage('./data');
await using table = await ConversationManager.open(
  {
    topic: '連句を巻く',
    participants: [
      { name: '芭蕉', model: poet },
      { name: '其角', model: poet, visibleTo: ['芭蕉'] }, // 太郎 does not hear it
      { name: '太郎', person: true },
    ],
    order: 'mention', // or roundRobin, moderator, custom
    stop: [{ rounds: 2 }, { similarity: { threshold: 0.9 } }],
  },
  {
    storage, // instead of logs/conversation.db
    knowledge: { specVersion: 1, retrieve: async () => [] }, // such as vizprompt.retriever()
    recorders: [{ specVersion: 1, record: async ({ id }) => console.log(id) }], // vizprompt.recorder()
    ask: async ({ speaker }) => `${speaker}の一句`,
  },
);
console.log((await table.start().result()).reason);
// #endregion options
