import { describe, expect, it } from 'vitest';
import { rewriteOldOrthography } from '../../src/spelling/old-orthography.ts';

function modern(text: string): string {
  let written = '';
  let from = 0;
  for (const { start, end, text: today } of rewriteOldOrthography(text)) {
    written += text.slice(from, start) + today;
    from = end;
  }
  return written + text.slice(from);
}

describe('the old orthography', () => {
  it.each([
    ['彼はちよつと待つてゐた。', '彼はちょっと待っていた。'],
    ['行かうと思ふ', '行こうと思う'],
    ['さはやかな風にふるまひを学ぶ', 'さわやかな風にふるまいを学ぶ'],
    ['言はれて考へながら答へた。', '言われて考えながら答えた。'],
    ['知つた', '知った'],
    ['答へた', '答えた'],
    ['危ふい道を通ふ', '危うい道を通う'],
    ['争ひが終はる', '争いが終わる'],
    ['をかしなことをいふ。', 'おかしなことをいう。'],
    ['それはしづかに変はつてゐる', 'それはしずかに変わっている'],
  ])('%s is %s today', (old, today) => {
    expect(modern(old)).toBe(today);
  });

  it.each([
    '首をかしげて手紙をかく',
    '近づいてつづける、身を縮ぢめて',
    '意味はひとつ、気遣はない',
    '何でもよほどのことだ',
    '間違はないと相違はない',
    '戦争はせまい道の母へ手紙',
    '買うと言うので向かうと払う',
    'まほと かほは つづみを うつ',
    'いつそこへ行ったのか',
    '学校へようこそ、町へなど',
  ])('%s stays', (text) => {
    expect(modern(text)).toBe(text);
  });

  it('takes a few kana for old only in a text with signs', () => {
    expect(modern('行かう。')).toBe('行かう。');
    expect(modern('行かう。ゐる。')).toBe('行こう。いる。');
  });
});
