import { textOf } from '@vizprompt/providers';
import { expect, it } from 'vitest';
import { openProject } from '../support/open-project.ts';

const CODE = Array.from({ length: 40 }, (_, at) => {
  return `export function f${at}(x: number) { return x + ${at}; }`;
}).join('\n');
const FACT = 'export function parseConfig(path: string) { return JSON.parse(read(path)); }';

it.each([3000, 4000, 6000])('uses %i tokens where the lines need few of them', async (budget) => {
  const vizprompt = await openProject();
  await vizprompt.createNode({ prompt: 'Write parseConfig', response: FACT });
  for (let at = 0; at < 24; at++)
    await vizprompt.createNode({ prompt: `Write module ${at}`, response: CODE });
  const plain = await vizprompt.buildContext({ prompt: 'Thanks!', budget });
  expect(plain.report.tokens).toBeLessThanOrEqual(budget);
  expect(plain.report.tokens / budget).toBeGreaterThan(0.38);
  // One rare word of a prompt is enough, whatever else the prompt wants.
  const { messages } = await vizprompt.buildContext({
    prompt: 'Add an error message to parseConfig',
    budget,
  });
  expect(messages.map((message) => textOf(message)).join('\n')).toContain(FACT);
});

it('takes a node of another flow only for the rare words of a prompt', async () => {
  const vizprompt = await openProject();
  const { id: logins } = await vizprompt.createFlow({ name: 'Logins' });
  const login = { prompt: 'How long should a login last?', response: 'Thirty minutes.' };
  await vizprompt.createNode(login, { flow: logins });
  const { id: flow } = await vizprompt.createFlow({ name: 'Orders' });
  await vizprompt.createNode({ prompt: 'And on day 1?', response: 'It was sent.' }, { flow });
  const ask = async (prompt: string): Promise<readonly string[]> => {
    const { report } = await vizprompt.buildContext({ flow, prompt });
    return report.entries.filter(({ isAncestor }) => !isAncestor).map(({ reason }) => reason);
  };
  expect(await ask('For how long are refunds possible?')).toEqual([]);
  expect(await ask('How long does a login last?')).toEqual(['related']);
});

const FILLER = 'これは特に意味のない文で、答えを長くするためだけに書かれています。'.repeat(8);

it.each([
  ['パン屋の名前は2番目のやつにします。', '1. 麦の音\n2. こむぎ日和\n3. 石窯ロード', 'こむぎ日和'],
  // The table has the two words of the compound, each in a place of its own.
  [
    'チームプランは何人まで？',
    '| プラン | 人数 |\n|---|---|\n| 基本 | 3 |\n| チーム | 12 |',
    '| チーム | 12 |',
  ],
])('finds room in a small budget for what is asked: %s', async (prompt, response, wanted) => {
  const vizprompt = await openProject();
  await vizprompt.createNode({ prompt: 'パン屋の名前とプランを比べて。', response });
  for (let at = 0; at < 12; at++)
    await vizprompt.createNode({ prompt: `話題${at}について教えて。`, response: FILLER });
  const { messages, report } = await vizprompt.buildContext({ prompt, budget: 500 });
  expect(report.tokens).toBeLessThanOrEqual(500);
  expect(messages.map((message) => textOf(message)).join('\n')).toContain(wanted);
});

it.each([300, 400, 500])('has what a prompt points at in a budget of %i', async (budget) => {
  const vizprompt = await openProject();
  const response =
    '1. ツムギ – つながり\n2. ホシクズ – 夜\n3. コトリ – 軽い通知\n4. ナギ – 静かな時間';
  await vizprompt.createNode({ prompt: 'アプリの名前を考えて', response });
  for (let at = 0; at < 6; at++)
    await vizprompt.createNode({ prompt: `話題${at}について教えて。`, response: FILLER });
  const { messages, report } = await vizprompt.buildContext({ prompt: '三番で行きます。', budget });
  expect(Math.max(report.tokens, report.textTokens)).toBeLessThanOrEqual(budget);
  expect(messages.map((message) => textOf(message)).join('\n')).toContain('コトリ');
});
