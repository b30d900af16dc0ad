import { describe, expect, it } from 'vitest';
import { toReadText } from '../../src/analyze/normal-text.ts';
import { openBackend } from '../support/search-index.ts';
import { segmenterAnalyzer } from '../../src/index.ts';

describe('ruby of the web: the base in one run, the reading next to it', () => {
  it.each<[string, string, string, string]>([
    // Source: HTML Living Standard, 4.5.10 to 4.5.12; W3C Ruby Markup Extensions.
    ['group', '<ruby>黄昏<rt>たそがれ</rt></ruby>の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['with rb', '<ruby><rb>黄昏</rb><rt>たそがれ</rt></ruby>の刻', '黄昏の刻', '黄昏=たそがれ'],
    [
      'with rp',
      '<ruby>黄昏<rp>（</rp><rt>たそがれ</rt><rp>）</rp></ruby>',
      '黄昏',
      '黄昏=たそがれ',
    ],
    ['mono', '<ruby>魔<rt>ま</rt>法<rt>ほう</rt></ruby>使い', '魔法使い', '魔法=まほう'],
    [
      'mono, rp',
      '<ruby>魔<rp>(</rp><rt>ま</rt><rp>)</rp>法<rp>(</rp><rt>ほう</rt><rp>)</rp></ruby>',
      '魔法',
      '魔法=まほう',
    ],
    [
      'tabular',
      '<ruby><rb>魔</rb><rb>法</rb><rt>ま</rt><rt>ほう</rt></ruby>使い',
      '魔法使い',
      '魔法=まほう',
    ],
    ['rtc', '<ruby><rb>黄昏</rb><rtc><rt>たそがれ</rt></rtc></ruby>', '黄昏', '黄昏=たそがれ'],
    ['capitals', '<RUBY>黄昏<RT>たそがれ</RT></RUBY>の刻', '黄昏の刻', '黄昏=たそがれ'],
    [
      'attributes',
      '<ruby class="x">黄昏<rt lang="ja">たそがれ</rt></ruby>',
      '黄昏',
      '黄昏=たそがれ',
    ],
    ['lines', '<ruby>\n  黄昏\n  <rt>たそがれ</rt>\n</ruby>の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['inner tags', '<ruby><span>黄昏</span><rt>たそがれ</rt></ruby>', '黄昏', '黄昏=たそがれ'],
    ['no end of rt', '<ruby>黄昏<rt>たそがれ</ruby>の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['DenDen', '{黄昏|たそがれ}の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['DenDen, mono', '{魔法|ま|ほう}使い', '魔法使い', '魔法=まほう'],
    ['DenDen, wide', '{黄昏｜たそがれ}の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['DenDen, Latin', '{黄昏|twilight}の刻', '黄昏の刻', '黄昏=twilight'],
    ['pixiv', '[[rb:黄昏 > たそがれ]]の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['braces', '[黄昏]{たそがれ}の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['caret', '[黄昏]^(たそがれ)の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['pixiv, wide', '[[rb: 黄昏＞たそがれ ]]の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['brackets', '黄昏（たそがれ）の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['brackets, half', '黄昏(トワイライト)の刻', '黄昏の刻', '黄昏=トワイライト'],
    ['Narou', '｜宵の明星(よいのみょうじょう)だ', '宵の明星だ', '宵の明星=よいのみょうじょう'],
    ['Kakuyomi', '|黄昏《たそがれ》の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['other brackets', '｜黄昏≪たそがれ≫の刻', '黄昏の刻', '黄昏=たそがれ'],
    ['kanji before other brackets', '黄昏≪たそがれ≫の刻', '黄昏の刻', '黄昏=たそがれ'],
  ])('%s', (_, source, text, reading) => {
    const normal = toReadText(source);
    expect(normal.text).toBe(text);
    const found = normal.ruby.map((one) => `${normal.text.slice(one.start, one.end)}=${one.text}`);
    expect(found.join(' ')).toBe(reading);
    const base = reading.slice(0, reading.indexOf('='));
    const at = normal.text.indexOf(base);
    expect(source.charAt(normal.offsets.startOf(at))).toBe(base.charAt(0));
  });

  it.each([
    'それは嘘だった（うそだ）。',
    '会（あああああああああ）',
    'f(x)、父(1)、海（sea）',
    '{a|b}',
    '[[wiki|page]]',
  ])('is not in %s', (source) => {
    expect(toReadText(source).ruby).toEqual([]);
  });
});

describe('tags and references of HTML are no text', () => {
  it.each([
    ['嵐<span style="color: red">の</span>夜', '嵐の夜'],
    ['<p>嵐の<b>夜</b></p>', '\n嵐の夜\n'],
    ['嵐の夜<br/>灯台', '嵐の夜\n灯台'],
    ['嵐<!-- 直す -->の夜', '嵐の夜'],
    ['A&amp;B &#x5D50;&#22812; &lt;b&gt;&nbsp;&hellip;', 'A&B 嵐夜 <b> ...'],
    ['《《強調》》した', '強調した'],
    ['Map<string, 嵐> と <嵐> と a < b > c', 'Map<string, 嵐> と <嵐> と a < b > c'],
    ['AT&T; &unknown; &#0; &#xD800; &', 'AT&T; &unknown; &#0; &#xD800; &'],
  ])('%s', (source, text) => {
    expect(toReadText(source).text).toBe(text);
  });

  it('and what they are in is found as it is read, with the lines and columns that it has', async () => {
    await using backend = await openBackend({ analyzer: segmenterAnalyzer() });
    const text = '昔、<b>灯台</b>守の<ruby>魔<rt>ま</rt>法<rt>ほう</rt></ruby>使いが&nbsp;いた。';
    await backend.updateFile({ novelId: '海', filePath: 'a.md', text });
    const found = async (query: string): Promise<number> => (await backend.search(query)).total;
    expect(await found('"灯台守の魔法使い"')).toBe(1);
    expect(await found('"使いが いた"')).toBe(1);
    expect(await found('よみ:まほう')).toBe(1);
    for (const word of ['b', 'nbsp', 'rt', 'ruby']) expect(await found(word)).toBe(0);
  });

  it('takes no longer for texts that look like much of it', () => {
    for (const piece of [
      '<ruby>',
      '<',
      '<!--',
      '&#',
      '《《',
      '(あ',
      '{嵐|',
      '[[rb:',
      '<ruby><rt>',
    ]) {
      const text = piece.repeat(5000);
      expect(toReadText(text).text.length).toBeLessThanOrEqual(text.length);
    }
  });
});
