import type { ConversationManagerOptions, TalkConfig } from '@vizprompt/talktable';
import { describe, expect, it } from 'vitest';
import { chosenSpeaker, mentioned } from '../../src/plan/moderator.ts';
import { counting, openManager, saying, turnsOf } from '../support/support.ts';

async function speakersOf(
  more: Partial<TalkConfig>,
  options: ConversationManagerOptions = {},
): Promise<{ speakers: string[]; reasons: string[] }> {
  const manager = await openManager(
    {
      topic: 't',
      participants: ['A', 'B', 'C'].map((name) => ({ name, model: counting(name) })),
      maxTurns: 6,
      ...more,
    },
    options,
  );
  const reasons: string[] = [];
  manager.on('order:fell-back', ({ reason }) => reasons.push(reason));
  const run = manager.start();
  await run.result();
  const turns = await turnsOf(manager, run.conversationId);
  const spoken = turns.filter(({ kind }) => kind === 'turn');
  return { speakers: spoken.map(({ speaker }) => speaker), reasons };
}

describe('the order of speakers', () => {
  it('is chosen by the moderator, out of those who did not speak last', async () => {
    const mc = saying((request, call) => {
      if (request.output?.type !== 'json') return `M${call}`;
      const schema = JSON.stringify(request.output.schema);
      return `{"next":"${schema.includes('"C"') ? 'C' : 'B'}"}`;
    });
    const { speakers, reasons } = await speakersOf({
      order: 'moderator',
      moderator: { model: mc, every: 99 },
    });
    expect(speakers).toEqual(['C', 'B', 'C', 'B', 'C', 'B']);
    expect(reasons).toEqual([]);
  });

  it('is kept alive when the moderator answers with nonsense', async () => {
    const mc = saying((request) =>
      request.output?.type === 'json' ? 'もちろん、次は誰でもいいですね' : 'M',
    );
    const { speakers, reasons } = await speakersOf({
      order: 'moderator',
      moderator: { model: mc, every: 99 },
    });
    expect(speakers).toHaveLength(6);
    for (const [at, name] of speakers.entries()) expect(name).not.toBe(speakers[at - 1]);
    expect(new Set(speakers)).toEqual(new Set(['A', 'B', 'C']));
    expect(reasons.length).toBeGreaterThan(2);
  });

  it.each([
    ['nobody', '{"next":""}'],
    ['the one who spoke last', '{"next":"A"}'],
    ['somebody who is not there', '{"next":"TERMINATE"}'],
    ['several', 'B か C'],
  ])('is not that of an answer with %s', (_, answer) => {
    expect(chosenSpeaker(answer, ['B', 'C'])).toBeUndefined();
  });

  it('follows mentions, and else lets speak who was silent for longest', async () => {
    const says = (texts: readonly string[]) => saying((_, call) => texts[call] ?? '...');
    const { speakers, reasons } = await speakersOf({
      order: 'mention',
      participants: [
        { name: '猫', model: says(['子猫さんはどう？', 'さあ']) },
        { name: '子猫', model: says(['うーん']) },
        { name: 'Ann', model: says(['An announcement. 猫?']) },
      ],
      maxTurns: 5,
    });
    expect(speakers).toEqual(['猫', '子猫', 'Ann', '猫', '子猫']);
    expect(reasons).toHaveLength(3);
  });

  it('is chosen by a function, which may fail', async () => {
    const { speakers, reasons } = await speakersOf(
      { order: 'custom' },
      {
        nextSpeaker: ({ candidates, turns }) => {
          if (turns === 2) throw new Error('oh');
          if (turns === 3) return 'nobody';
          return candidates.at(-1);
        },
      },
    );
    expect(speakers).toEqual(['C', 'B', 'A', 'C', 'B', 'C']);
    expect(reasons).toEqual(['nextSpeaker failed: Error: oh', "nextSpeaker named 'nobody'"]);
  });

  it('reads names in any width, alone or within a sentence', () => {
    expect(chosenSpeaker('{"next":" ａ "}', ['A', 'B'])).toBe('A');
    expect(chosenSpeaker('次は B さんにお願いします', ['A', 'B'])).toBe('B');
    expect(chosenSpeaker('null', ['A', 'B'])).toBeUndefined();
    expect(mentioned('Bananas for Bob', ['Bob', 'Ban', 'B'])).toEqual(['Bob']);
  });
});
