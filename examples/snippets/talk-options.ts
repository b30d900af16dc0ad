// #region options
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';

const poet = scriptedModel((_, call) => `Verse ${call + 1}`);
await using storage = await openStorage('./data');
await using table = await ConversationManager.open(
  {
    topic: 'A linked poem',
    participants: [
      { name: 'Basho', model: poet },
      { name: 'Kikaku', model: poet, visibleTo: ['Basho'] }, // Taro does not hear it
      { name: 'Taro', person: true },
    ],
    order: 'mention', // or roundRobin, moderator, custom
    stop: [{ rounds: 2 }, { similarity: { threshold: 0.9 } }],
  },
  {
    storage, // instead of logs/conversation.db
    knowledge: { specVersion: 1, retrieve: async () => [] }, // such as vizprompt.retriever()
    recorders: [{ specVersion: 1, record: async ({ id }) => console.log(id) }], // vizprompt.recorder()
    ask: async ({ speaker }) => `A verse by ${speaker}`,
  },
);
console.log((await table.start().result()).reason);
// #endregion options
