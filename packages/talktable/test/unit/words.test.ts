import { describe, expect, it } from 'vitest';
import { mentioned } from '../../src/plan/moderator.ts';
import { wordInText } from '../../src/words.ts';
import { courseOf, openManager, saying, twoAndMC } from '../support/support.ts';

describe('a word', () => {
  it.each([
    ['We agree. THE END', 'end'],
    ['This is the END.', 'END'],
    ['これでＥＮＤ。', 'END'],
    ['(end)', 'end'],
    ['weekend, and then the end', 'end'],
    ['le fin de l’été', 'été'.normalize('NFD')],
    ['10 is 10', '10'],
    ['at 10, or so', '10'],
    ['以上で最終結論に達しました', '結論'],
    ['結論に達しました。', '結論に達しました'],
    ['ではおわりにします', 'おわり'],
    ['ライブ・セッションです', 'セッション'],
    ['このセッションは', 'ｾｯｼｮﾝ'],
    ['결론은 이렇다', '결론'],
    ['จบการสนทนา', 'จบ'],
    ['זה הסוף.', 'הסוף'],
    ['i am done 👍🎉', '👍'],
    ['{"done": true}', '{"done": true}'],
    ['C++ it is', 'c++'],
  ])('is in %j: %j', (text, word) => {
    expect(wordInText(text, word)).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['a lovely weekend', 'end'],
    ['endless', 'end'],
    ['the_end_', 'end'],
    ['résumés', 'résumé'],
    ["we don't", 'don'],
    ['don’t', 'don'],
    ['3.14', '3'],
    ['10,000', '10'],
    ['110', '10'],
    ['конечно', 'конец'],
    ['неконец', 'конец'],
    ['オンライン', 'ライン'],
    ['ラインー', 'ライン'],
    ['הסוףל', 'הסוף'],
    ['結', '結論'],
    ['', 'x'],
    ['x', ' '],
  ])('is not in %j: %j', (text, word) => {
    expect(wordInText(text, word)).toBe(-1);
  });
});

it('names are found in their order, and not within longer ones', () => {
  const names = ['Al', 'Bob', 'Christopher', 'アン', '猫', '猫派'];
  expect(mentioned('Bob, Christopher, Al and 猫派', names)).toEqual([
    'Bob',
    'Christopher',
    'Al',
    '猫派',
  ]);
  expect(mentioned('Alfred and アンナ', names)).toEqual([]);
  expect(mentioned('アンさん、どうぞ', names)).toEqual(['アン']);
});

it('a keyword ends a talk when it is said, not when a longer word is', async () => {
  const manager = await openManager(
    twoAndMC({
      moderator: undefined,
      rounds: undefined,
      stop: { keyword: 'end' },
      participants: [
        { name: 'A', model: saying(['A nice weekend', 'The End!']) },
        { name: 'B', model: saying(() => 'Endless talk') },
      ],
    }),
  );
  const run = manager.start();
  expect(await run.result()).toMatchObject({ turns: 3, reason: 'keyword: end' });
  expect((await courseOf(manager, run.conversationId)).at(-1)).toBe('2 turn A The End!');
});
