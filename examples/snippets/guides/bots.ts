// #region program
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';

// const model = openai({ model: 'gpt-5-mini' }); // of @vizprompt/providers/openai
const model = scriptedModel(['Noted: Friday.', 'On Friday, Ann said.']);

await using storage = await openStorage('./bot-data');
await using vizprompt = await VizPrompt.open({ storage, model });
await using memory = await MemoryStore.open({ storage });

/** Answers a message of a channel, also after a restart. */
async function answer(channel: string, from: string, text: string): Promise<string> {
  const flow = await vizprompt.ensureFlow({ alias: `room:${channel}`, name: channel });
  const session = await memory.startSession({
    id: `room:${channel}`,
    room: channel,
    ifExists: 'keep',
  });
  const node = await vizprompt
    .chat({
      flow: flow.id,
      prompt: text,
      speaker: from, // contexts say who said what
      queue: true, // two at once are one after the other
      related: 0, // nothing from other channels
      retriever: memory.retriever({ room: channel }),
    })
    .node();
  await memory.log(session.id, 'user_message', { content: text }, { meta: { speaker: from } });
  return node.response;
}

console.log(await answer('general', 'Ann', 'The meeting is on Friday'));
console.log(await answer('general', 'Bob', 'When is the meeting?'));
console.log(
  model.calls
    .at(-1)
    ?.messages.map(({ parts }) => JSON.stringify(parts))
    .join('\n'),
);
// #endregion program
