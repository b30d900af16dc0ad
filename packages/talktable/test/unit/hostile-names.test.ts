import { ConversationLog, type ConversationManager } from '@vizprompt/talktable';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureOf, openManager, turnsOf, twoAndMC } from '../support/support.ts';

/** Names that no database can hold. */
const names = ['\0', 'a\0b', '\ud800', 'x\udfff'];

/** Questions by the id of a talk that both a log and a manager answer. */
const questions: Readonly<
  Record<string, (log: ConversationLog | ConversationManager, id: string) => Promise<unknown>>
> = {
  conversation: (log, id) => log.conversation(id),
  turns: (log, id) => log.turns(id).next(),
  exportConversation: (log, id) => log.exportConversation(id, 'markdown'),
  analyze: (log, id) => log.analyze(id),
};

/** Ids and names in each method that starts, continues or speaks in a talk. */
const calls: Readonly<Record<string, (manager: ConversationManager, name: string) => unknown>> = {
  start: (manager, conversationId) => manager.start({ conversationId }),
  resume: (manager, id) => manager.resume(id),
  'say in a talk': (manager, conversationId) => manager.say('x', { conversationId }),
  'say as somebody': (manager, as) => manager.say('x', { as, conversationId: 'talk' }),
  'say to somebody': (manager, name) =>
    manager.say('x', { visibleTo: [name], conversationId: 'talk' }),
};

/** Returns a manager of a log with a talk that can be continued with. */
async function paused(): Promise<{ manager: ConversationManager; log: ConversationLog }> {
  const storage = await inMemoryStorage();
  onTestFinished(() => storage.close());
  const manager = await openManager(twoAndMC(), { storage });
  for await (const event of manager.start({ conversationId: 'talk' })) {
    if (event.type === 'turn:ended') break;
  }
  const log = await ConversationLog.open(storage);
  onTestFinished(() => log.close());
  return { manager, log };
}

describe('a name that no database holds', () => {
  it.each(Object.entries(questions))('is that of no talk: %s', async (_, ask) => {
    const { manager, log } = await paused();
    for (const name of names) {
      for (const asked of [manager, log]) {
        expect([name, await failureOf(ask(asked, name))]).toEqual([
          name,
          expect.objectContaining({ name: 'TalkError', code: 'conversation-not-found' }),
        ]);
      }
    }
  });

  it.each(Object.entries(calls))('is refused: %s', async (_, call) => {
    const { manager } = await paused();
    const before = await turnsOf(manager, 'talk');
    for (const name of names) {
      expect([name, await failureOf((async () => call(manager, name))())]).toEqual([
        name,
        expect.objectContaining({ name: 'TalkError', code: 'invalid-input' }),
      ]);
    }
    expect(await turnsOf(manager, 'talk')).toEqual(before);
    expect(await manager.conversations()).toHaveLength(1);
  });
});

it('what is said may hold any text, and is kept as it is', async () => {
  const { manager } = await paused();
  for (const text of names) await manager.say(text, { conversationId: 'talk' });
  const turns = await turnsOf(manager, 'talk');
  expect(turns.filter(({ kind }) => kind === 'said').map(({ text }) => text)).toEqual(names);
});
