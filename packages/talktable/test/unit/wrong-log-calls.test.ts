import { ConversationLog } from '@vizprompt/talktable';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { expect, it } from 'vitest';

const WRONG: readonly unknown[] = [undefined, null, 7, {}, [], Symbol('x'), () => 'x'];

/** Public methods of a log, each with a wrong argument. */
const CALLS: Readonly<Record<string, (log: ConversationLog, wrong: never) => Promise<unknown>>> = {
  conversation: (log, wrong) => log.conversation(wrong),
  turns: (log, wrong) => log.turns(wrong).next(),
  exportConversation: (log, wrong) => log.exportConversation(wrong, 'markdown'),
  analyze: (log, wrong) => log.analyze(wrong),
};

it.each(Object.entries(CALLS))('%s of a log refuses what is no id', async (_, call) => {
  const storage = await inMemoryStorage();
  const { ConversationManager } = await import('@vizprompt/talktable');
  const { scriptedModel } = await import('@vizprompt/providers/testing');
  const speaker = { model: scriptedModel(() => 'x') };
  const manager = await ConversationManager.open(
    {
      topic: 't',
      rounds: 1,
      participants: [
        { name: 'A', ...speaker },
        { name: 'B', ...speaker },
      ],
    },
    { storage },
  );
  const log = await ConversationLog.open(storage);
  for (const wrong of WRONG) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what plain JavaScript can pass
    await expect(call(log, wrong as never)).rejects.toMatchObject({ code: 'invalid-input' });
  }
  await log.close();
  await manager.close();
  await storage.close();
});

it.each(WRONG.slice(1))(
  'a log is opened from a path or a storage, and not from %s',
  async (wrong) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what plain JavaScript can pass
    await expect(ConversationLog.open(wrong as never)).rejects.toMatchObject({
      code: 'invalid-input',
    });
  },
);
