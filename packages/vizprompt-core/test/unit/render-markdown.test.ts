import { describe, expect, it } from 'vitest';
import { markdownRenderer } from '../../src/export/render-markdown.ts';

/** Returns a paragraph as HTML, without what all links have. */
function rendered(text: string): string | undefined {
  return markdownRenderer()(text)
    ?.replaceAll(' rel="noopener noreferrer" target="_blank"', '')
    .replace(/^<p>([^]*)<\/p>\n$/, '$1');
}

describe('Markdown in scripts without blanks', () => {
  it.each([
    ['これは**重要（じゅうよう）**です。', 'これは<strong>重要（じゅうよう）</strong>です。'],
    ['**「引用」**と**「例」**', '<strong>「引用」</strong>と<strong>「例」</strong>'],
    ['**注意：**必ず確認', '<strong>注意：</strong>必ず確認'],
    ['**한국어(Korean)**입니다', '<strong>한국어(Korean)</strong>입니다'],
    ['这是**“引用”**的', '这是<strong>“引用”</strong>的'],
    ['~~（旧）~~新', '<s>（旧）</s>新'],
    ['`x` 猫 ** 犬 **', '<code>x</code> 猫 ** 犬 **'],
    ['`x` a**"b"**c', '<code>x</code> a**&quot;b&quot;**c'],
  ])('has emphasis where it is meant: %j', (text, html) => {
    expect(rendered(text)).toBe(html);
  });

  it.each([
    ['詳しくはhttps://a.test/b。次に', 'https://a.test/b'],
    ['https://a.testを開く', 'https://a.test'],
    ['https://a.testにアクセスしてfoo.jsを実行', 'https://a.test'],
    ['https://www.abcサーバー.jp/x', 'https://www.abcサーバー.jp/x'],
    ...[
      'https://www.toyota中古車-navi.com/x',
      'https://www.abc日本1.jp/',
      'https://docs.ai한국어2.kr/x',
      'https://blog.toyota中古車navi.com/x',
    ].map((address) => [address, address]),
    ['https://example.comにアクセスしてfoo.jsを実行', 'https://example.com'],
    ['https://a.test/wiki/をちこち と', 'https://a.test/wiki/をちこち'],
    ['https://a.test/をご覧', 'https://a.test/'],
    ['（https://a.test/b）', 'https://a.test/b'],
    ['https://a.test/を開く', 'https://a.test/'],
    ['https://a.test/b.htmlを参照', 'https://a.test/b.html'],
    ['https://a.test에서 확인', 'https://a.test'],
    ['https://a.test/b에서 확인', 'https://a.test/b'],
    ['https://ja.wikipedia.org/wiki/猫を飼う と', 'https://ja.wikipedia.org/wiki/猫を飼う'],
    ['https://例え.テスト/あ と', 'https://例え.テスト/あ'],
    ['https://www.abc食品.jp/x', 'https://www.abc食品.jp/x'],
    ['https://www.straße.de/x', 'https://www.straße.de/x'],
    ['https://blog.größe.de', 'https://blog.größe.de'],
    ['https://www.société.fr/a', 'https://www.société.fr/a'],
    ['https://a.test/search?q=りんご&x=1', 'https://a.test/search?q=りんご&amp;x=1'],
    ['https://a.test/b?q=Cの歴史', 'https://a.test/b?q=Cの歴史'],
    ['https://a.test/b#はじめに', 'https://a.test/b#はじめに'],
    ['https://ja.wikipedia.org/wiki/Cの歴史', 'https://ja.wikipedia.org/wiki/Cの歴史'],
    ['https://ja.wikipedia.org/wiki/Node.jsの歴史', 'https://ja.wikipedia.org/wiki/Node.jsの歴史'],
    ['https://ja.wikipedia.org/wiki/を', 'https://ja.wikipedia.org/wiki/を'],
    ['https://ko.wikipedia.org/wiki/K팝', 'https://ko.wikipedia.org/wiki/K팝'],
  ])('has links that end where the address does: %j', (text, address) => {
    expect(/<a [^>]*>([^<]*)</.exec(rendered(text) ?? '')?.[1]).toBe(address);
  });
});

it.each([
  ['| a |\n|---|\n| x<br>y |', expect.stringMatching(/<td>x<br>\s*y<\/td>/)],
  ['`x` H<sub>2</sub>O', '<code>x</code> H<sub>2</sub>O'],
  ['<mark>**b**</mark> *c*', '<mark><strong>b</strong></mark> <em>c</em>'],
  ['**a <u>b *c* \\* `d`</u>**', '<strong>a <u>b <em>c</em> * <code>d</code></u></strong>'],
  ['*a <sub>b* c</sub> d', '*a <sub>b* c</sub> d'],
  ['`x` <sub>`a</sub> b` c', '<code>x</code> <sub>`a</sub> b` c'],
  ['`x` <sub>a &amp; c</sub>', '<code>x</code> <sub>a &amp; c</sub>'],
  ['`x` <kbd>&lt;script&gt;</kbd>', '<code>x</code> <kbd>&lt;script&gt;</kbd>'],
  ['x<sub>$a_1$</sub>', 'x<sub><code class="math">$a_1$</code></sub>'],
  ['<small>[a](https://b.test)</small>', '<small><a href="https://b.test">a</a></small>'],
  ['<small>[a](javascript:b)</small> `x`', '<small>[a](javascript:b)</small> <code>x</code>'],
  [
    '[a <sub>[b](https://b.test)</sub>](https://c.test)',
    '<a href="https://c.test">a <sub>b</sub></a>',
  ],
  ['<ruby>漢字<rt>かんじ</rt></ruby>', '<ruby>漢字<rt>かんじ</rt></ruby>'],
  ['<sub onclick=x>1</sub>', '&lt;sub onclick=x&gt;1&lt;/sub&gt;'],
  [
    '<sup><b>1</b></sup> `<br>`',
    '&lt;sup&gt;&lt;b&gt;1&lt;/b&gt;&lt;/sup&gt; <code>&lt;br&gt;</code>',
  ],
  [
    '- [x] a\n- [ ] b\n- [y] c [x] d',
    '<ul>\n<li>☑ a</li>\n<li>☐ b</li>\n<li>[y] c [x] d</li>\n</ul>\n',
  ],
])('shows plain tags and tasks, and other HTML as text: %j', (text, html) => {
  expect(rendered(text)).toEqual(html);
});
