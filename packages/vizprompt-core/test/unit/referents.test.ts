import { describe, expect, it } from 'vitest';
import { openProject } from '../support/open-project.ts';

/** Returns the form of an early turn with a list, in a long conversation without room for all of it. */
async function formOfList(prompt: string): Promise<string | undefined> {
  const vizprompt = await openProject();
  const items = ['red boat', 'blue kite', 'green hat', 'a drum', 'a bell'];
  const response = items.map((item) => `- ${item}`).join('\n');
  const { id } = await vizprompt.createNode({ prompt: 'Give me ideas', response });
  for (let turn = 0; turn < 8; turn++) {
    await vizprompt.createNode({ prompt: 'Weather?', response: 'It rains today. '.repeat(60) });
  }
  const { report } = await vizprompt.buildContext({ prompt, budgetTokens: 1500 });
  return report.entries.find((entry) => entry.id === id)?.form;
}

describe('a prompt points at an item of a list', () => {
  it.each([
    'the one before last',
    'Combine 2 and 4',
    'the middle one',
    'Explain points 2-4',
    '2',
    '2と4を組み合わせて',
    '1〜3を詳しく',
    'ふたつめ',
    '2こめ',
    '真ん中のやつ',
    '最初の二つを比べて',
  ])('%s', async (prompt) => {
    expect(await formOfList(prompt)).toBe('full');
  });

  it.each(['Compare 3 laptops', 'Explain 5G to me', '第二次世界大戦とは', '5から3を引くと'])(
    'but not: %s',
    async (prompt) => {
      expect(await formOfList(prompt)).not.toBe('full');
    },
  );
});
