import type { Retriever, TurnRecorder } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
// #region first
import { ConversationManager } from '@vizprompt/talktable';

await using manager = await ConversationManager.open('examples/snippets/talk.yaml');
const run = manager.start();
for await (const event of run) if (event.type === 'delta') process.stdout.write(event.text);
// #endregion first

// #region log
const { conversationId } = run;
for await (const { number, speaker, text, status } of manager.turns(conversationId)) {
  console.log(number, speaker, status, text.length);
}
const page = await manager.exportConversation(conversationId, 'html'); // or markdown, json
const { speakers } = await manager.analyze(conversationId);
for (const { name, outputTokens, repetition } of speakers) {
  console.log(name, outputTokens, repetition);
}
// #endregion log
console.log(page.length > 1000);

await using storage = await openStorage('./data');
const notes: Retriever = { specVersion: 1, retrieve: async () => [] };
const recorder: TurnRecorder = { specVersion: 1, record: async () => {} };
const poet = scriptedModel((_, call) => `句 ${call}`);

// #region options
await using table = await ConversationManager.open(
  {
    topic: '連句を巻く',
    participants: [
      { name: '芭蕉', model: poet }, // a model itself, or 'provider:model'
      { name: '其角', model: poet, visibleTo: ['芭蕉'] }, // 太郎 does not hear it
      { name: '太郎', person: true },
    ],
    order: 'mention', // or roundRobin, moderator, custom
    stop: [{ rounds: 2 }, { similarity: { threshold: 0.9 } }],
  },
  {
    storage, // instead of logs/conversation.db
    knowledge: notes, // such as vizprompt.retriever(), or that of a memory
    recorders: [recorder], // such as vizprompt.recorder(): the talk becomes a flow
    ask: async ({ speaker }) => `${speaker}の一句`,
  },
);
// #endregion options

// #region pause
table.on('turn:ended', ({ turn }) => {
  if (turn.number === 3) void table.pause(); // { now: true } breaks the call off
});
const { status, conversationId: id } = await table.start({ rounds: 3 }).result();
if (status === 'paused') {
  await table.say('もっと短く。', { as: '宗匠' });
  await table.resume(id).result(); // also after a crash, in another process
}
// #endregion pause
console.log((await table.conversation(id)).status);

// #region activity
import { conversationActivity } from '@vizprompt/talktable';

const debate = conversationActivity({
  name: 'debate',
  config: 'examples/snippets/talk.yaml',
  storage,
});
const { conclusion } = await debate.run(
  { topic: '鳥か魚か', maxTurns: 2 },
  { key: 'run-1/step-2', signal: new AbortController().signal, emit: () => {} },
);
console.log(conclusion);
// #endregion activity
