import { describe, expect, it } from 'vitest';
import { bookText } from '../../../src/books/book-text.ts';
import { epub2, epub3, makeZip, type Packed } from '../../support/make-books.ts';

const PAGE = 'OEBPS/1.xhtml';
const MOST = 1_000_000;
const textOf = (files: readonly Packed[]): Promise<string> =>
  bookText('a.epub', makeZip(files), MOST);
const page = (body: string): Packed[] => epub3([{ file: '1.xhtml', body }]);
const changed = (
  files: readonly Packed[],
  name: string,
  change: (file: Packed) => Partial<Packed>,
): Packed[] => files.map((file) => (file.name === name ? { ...file, ...change(file) } : file));
const replaced = (
  files: readonly Packed[],
  name: string,
  [from, to]: readonly [string, string],
): Packed[] =>
  changed(files, name, ({ content }) => ({ content: String(content).replace(from, to) }));

/** 灯台 in Shift_JIS, and kana. */
const SHIFT_JIS = Buffer.from('939491e482cc82b782f182c582a2', 'hex');
const xhtml = (encoding: string, body: Uint8Array | string): Buffer =>
  Buffer.concat([
    Buffer.from(
      `<?xml version="1.0"${encoding === '' ? '' : ` encoding="${encoding}"`}?><html><p>`,
    ),
    Buffer.from(body),
    Buffer.from('</p></html>'),
  ]);

describe('an EPUB', () => {
  it('with many spaces within a line is read in linear time', async () => {
    const line = `a${'<i> </i>'.repeat(200_000)}b`;
    const text = await textOf(page(`<p> ${line} <br/> <br/>  c </p>`));
    expect(text.length).toBeGreaterThan(200_000);
    expect(text.replaceAll(/ {2,}/g, ' ')).toBe('a b\nc\n');
  });

  it.each<[string, Uint8Array, string]>([
    ['CP932', xhtml('CP932', SHIFT_JIS), new TextDecoder('shift_jis').decode(SHIFT_JIS)],
    [
      'UTF-8 that is none',
      xhtml('UTF-8', SHIFT_JIS),
      new TextDecoder('shift_jis').decode(SHIFT_JIS),
    ],
    ['UTF-16 that is UTF-8', xhtml('utf-16', '灯台'), '灯台'],
    ['Latin 1 that is UTF-8', xhtml('iso-8859-1', '灯台'), '灯台'],
    [
      'UTF-16 without a mark',
      Buffer.from(xhtml('utf-16', '灯台').toString('utf8'), 'utf16le'),
      '灯台',
    ],
  ])('in %s is read', async (_, content, text) => {
    expect(await textOf(changed(page(''), PAGE, () => ({ content })))).toBe(`${text}\n`);
  });

  it.each<[string, readonly Packed[]]>([
    ['case', changed(page('<p>嵐</p>'), PAGE, () => ({ name: 'oebps/1.XHTML' }))],
    [
      'composition',
      changed(epub3([{ file: 'だ.xhtml', body: '<p>嵐</p>' }]), 'OEBPS/だ.xhtml', ({ name }) => ({
        name: name.normalize('NFD'),
      })),
    ],
    [
      'backslashes',
      replaced(
        changed(page('<p>嵐</p>'), PAGE, () => ({ name: 'OEBPS/Text/1.xhtml' })),
        'OEBPS/package.opf',
        ['"1.xhtml"', String.raw`"Text\1.xhtml"`],
      ),
    ],
    ['a query', replaced(page('<p>嵐</p>'), 'OEBPS/package.opf', ['"1.xhtml"', '"1.xhtml?v=2"'])],
    ['a root', replaced(page('<p>嵐</p>'), 'META-INF/container.xml', ['"OEBPS', '"/OEBPS'])],
    [
      'a PDF first',
      replaced(page('<p>嵐</p>'), 'META-INF/container.xml', [
        '<rootfiles>',
        '<rootfiles><rootfile full-path="a.pdf" media-type="application/pdf"/>',
      ]),
    ],
    [
      'a form that is lost first',
      replaced(page('<p>嵐</p>'), 'META-INF/container.xml', [
        '<rootfiles>',
        '<rootfiles><rootfile full-path="FXL/a.opf" media-type="application/oebps-package+xml"/>',
      ]),
    ],
    [
      'a fallback',
      replaced(
        replaced(page('<p>嵐</p>'), 'OEBPS/package.opf', [
          '<manifest>',
          '<manifest><item id="f" href="f.pdf" media-type="application/pdf" fallback="c0"/>',
        ]),
        'OEBPS/package.opf',
        ['idref="c0"', 'idref="f"'],
      ),
    ],
    [
      'a parameter of its type',
      replaced(page('<p>嵐</p>'), 'OEBPS/package.opf', [
        'href="1.xhtml" media-type="application/xhtml+xml"',
        'href="1.xhtml" media-type="Application/XHTML+XML; charset=utf-8"',
      ]),
    ],
  ])('names its files with %s', async (_, files) => {
    expect(await textOf(files)).toBe('嵐\n');
  });

  it('has the titles of a table of contents that only its name says', async () => {
    const book = epub2([{ file: '1.xhtml', body: '<p>嵐</p>', titles: { '': '第一章' } }]);
    const named = replaced(
      replaced(book, 'OEBPS/package.opf', ['application/x-dtbncx+xml', 'text/xml']),
      'OEBPS/package.opf',
      [' toc="ncx"', ''],
    );
    expect(await textOf(named)).toBe('# 第一章\n嵐\n');
  });

  it('is read though its order is lost or kinds are not named, and not without a page', async () => {
    const book = epub3(
      ['嵐', '灯', '凪'].map((text, at) => ({ file: `${at}.xhtml`, body: `<p>${text}</p>` })),
    );
    const packageFile = 'OEBPS/package.opf';
    await expect(textOf(book.filter(({ name }) => name !== 'OEBPS/1.xhtml'))).rejects.toThrow(
      'it has no file OEBPS/1.xhtml',
    );
    const without = (pattern: RegExp): Packed[] =>
      changed(book, packageFile, ({ content }) => ({
        content: String(content).replaceAll(pattern, ''),
      }));
    expect(await textOf(without(/<itemref[^>]*>/g))).toBe('嵐\n灯\n凪\n');
    expect(await textOf(without(/ media-type="[^"]*"/g))).toBe('嵐\n灯\n凪\n');
  });

  it('has numbers of notes and ways back from them, which are no text', async () => {
    const body =
      '<p>海鳥が<a epub:type="noteref" href="#n">1</a>飛んだ<a class="footnote-ref" href="#n"><sup>2</sup></a>。</p>' +
      '<p id="n">脚注。<a role="doc-backlink" href="#r">↩</a></p><p><a class="note" href="#n">注</a>意</p>';
    expect(await textOf(page(body))).toBe('海鳥が飛んだ。\n脚注。\n注意\n');
  });

  it.each([
    '#fn1',
    'text/2.xhtml#_ftn12',
    '#sdfootnote1sym',
    '#ftnt3',
    '#ftnt_ref3',
    '#fnref-2',
    '#_ednref4',
    '#calledF1',
    'section0002.xhtml#dataF3',
  ])('has numbers of notes that lead to %s', async (href) => {
    const body = `<p>脚注<sup><a href="${href}">[1]</a></sup>である<a href="${href}">灯台</a>。</p><p>第<a href="#p1">1</a>章</p>`;
    expect(await textOf(page(body))).toBe('脚注である灯台。\n第1章\n');
  });

  it.each([
    '1',
    '12',
    '¹',
    '（１）',
    '［注1］',
    '※2',
    '*',
    '†',
    '注',
    '註 3',
    'a',
    '[bb]',
    'II',
    '(A)',
    '注B',
    '***',
    '[†]',
    'xiv.',
    '↩',
    '↩︎',
    '1↩',
  ])('has the sign %s of a note, which only its place says to be one', async (sign) => {
    const body = `<p>脚注<a href="#fn3">${sign}</a>である。</p>`;
    expect(await textOf(page(body))).toBe('脚注である。\n');
  });

  it.each([
    ['#fn1', 'Kant'],
    ['n.xhtml#footnote3', 'Dasein'],
    ['#fn7', '1984'],
    ['#fn2', 'it'],
    ['#fn2', 'AI'],
    ['#fn2', 'G7'],
    ['#fn2', '50%'],
    ['#fn2', '$50'],
    ['#fn2', '-5'],
    ['#fn2', '1.5'],
    ['#fn2', '注釈'],
    ['#fn2', 'Xi'],
    ['#fn2', 'I'],
    ['#fn2', 'A'],
    ['#fn2', '「A」'],
    ['#fn2', 'X'],
    ['#fn2', '%'],
    ['#fn2', '?'],
    ['#fn2', '…'],
    ['#fn2', '——'],
    ['#fn2', '・'],
    ['#fn2', '='],
    ['#fn2', '🙂'],
    ['#_ftn1', 'civil'],
  ])('has the word that leads to %s: %s', async (href, word) => {
    expect(await textOf(page(`<p>灯<a href="${href}">${word}</a>台</p>`))).toBe(`灯${word}台\n`);
  });

  it('has what is in a link to a note up to the end of a paragraph, with readings', async () => {
    const body =
      '<p>灯<a href="#fn1">台<p>守</p></a>朝</p><p>彼<a href="#fn2">は<ruby>嵐<rt>あらし</rt></ruby>だ</a>。<a href="#fn3">海</p><p>鳥</p>';
    expect(await textOf(page(body))).toBe('灯台\n守\n朝\n彼は｜嵐《あらし》だ。海\n鳥\n');
  });

  it('has the number of a note as its place has it', async () => {
    const body = '<p>灯<a href="#fn1984">1984</a>台</p>';
    expect(await textOf(page(body))).toBe('灯台\n');
  });

  it('has words and parts that are links of notes as well', async () => {
    const body =
      '<p>彼は<a epub:type="noteref" href="#n">モダニズム</a>を嫌った<sup class="footnote-ref">[12]</sup>。</p>' +
      '<section class="backlink"><p>朝</p></section><p role="doc-backlink">1</p>';
    expect(await textOf(page(body))).toBe('彼はモダニズムを嫌った。\n朝\n1\n');
  });

  it('has bytes before and after it, or names in UTF-8 that do not say so', async () => {
    const bytes = makeZip(epub3([{ file: '第一章.xhtml', body: '<p>嵐</p>' }]));
    for (const extra of [Buffer.from('\r\n'), Buffer.alloc(512)]) {
      expect(await bookText('a.epub', Buffer.concat([bytes, extra]), MOST)).toBe('嵐\n');
      expect(await bookText('a.epub', Buffer.concat([extra, bytes]), MOST)).toBe('嵐\n');
    }
    for (let at = 0; at < bytes.length - 10; at += 1) {
      const mark = bytes.toString('latin1', at, at + 4);
      const flags = mark === 'PK\u0003\u0004' ? 6 : mark === 'PK\u0001\u0002' ? 8 : undefined;
      if (flags !== undefined) bytes.writeUInt16LE(0, at + flags);
    }
    expect(await bookText('a.epub', bytes, MOST)).toBe('嵐\n');
  });

  it.each([
    ['<p>R&D部</p><p>a && b & c; 3 < 5</p>', 'R&D部\na && b & c; 3 < 5\n'],
    ['<p>灯</b>台</p></section><p>朝</p>', '灯台\n朝\n'],
    ['<p><b>灯<i>台</b>守</i>だ</p><p>朝</p>', '灯台守だ\n朝\n'],
    ['<p>灯<br>台</p><hr><p>朝<img src="x">日</p>', '灯\n台\n\n朝日\n'],
    ['<P>灯<BR/>台</P><H2>章</H2>', '灯\n台\n## 章\n'],
    [
      '<p>式 <math><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">E^1</annotation></semantics></math> の話</p>',
      '式 E の話\n',
    ],
    ['<script>if (a<b && c>d) { x("</p>") }</script><p>灯</p>', '灯\n'],
    ['<p>灯<!-- <b> & --><![CDATA[<台> & 守]]></p>', '灯<台> & 守\n'],
    ['<p>&Eacute;&alpha;&hearts;&frac12;&constructor;</p>', 'Éα♥½&constructor;\n'],
    [`${'<br>'.repeat(2000)}<p>灯</p>`, '灯\n'],
  ])('is read as its readers do where it is not well-formed: %#', async (body, text) => {
    expect(await textOf(page(body))).toBe(text);
  });

  it.each([
    ['<p>灯<span epub:type="pagebreak" id="p1">12</span>台</p>', '灯台\n'],
    ['<p>灯<span role="doc-pagebreak">12</span>台</p>', '灯台\n'],
    ['<p>灯</p><p hidden="">秘</p><p style="color: red; display:none">密</p>', '灯\n'],
    ['<p><ruby>強<rt>﹅</rt></ruby>い</p>', '強い\n'],
    [
      '<h1><img src="t.png" alt="第一章"/></h1><p role="heading" aria-level="3">節</p>',
      '# 第一章\n### 節\n',
    ],
  ])('has the text that is displayed: %#', async (body, text) => {
    expect(await textOf(page(body))).toBe(text);
  });

  const withNav = (nav: string, bodies: readonly string[]): Packed[] =>
    changed(
      epub3(bodies.map((body, at) => ({ file: `${at + 1}.xhtml`, body }))),
      'OEBPS/nav.xhtml',
      () => ({ content: `<html><body>${nav}</body></html>` }),
    );

  it.each<[string, readonly string[], string]>([
    [
      '<nav epub:type="toc"><ol><li><span>第一部</span><ol><li><a href="1.xhtml">一</a></li><li><a href="2.xhtml">二</a></li></ol></li></ol></nav>',
      ['<p>港</p>', '<p>箱</p>'],
      '# 第一部\n## 一\n港\n## 二\n箱\n',
    ],
    [
      '<nav epub:type="toc"><ol><li><a href="1.xhtml">第一部</a><ol><li><a href="2.xhtml">一</a></li></ol></li></ol></nav>',
      ['<h1>第一部</h1>', '<h1>一</h1><p>箱</p><h2>節</h2>'],
      '# 第一部\n## 一\n箱\n### 節\n',
    ],
    [
      '<nav role="doc-toc"><ol><li><a href="1.xhtml#%E4%B8%80"><ruby>嵐<rt>あらし</rt></ruby></a></li><li><a href="2.xhtml#lost">二</a></li></ol></nav>',
      ['<p>扉</p><p id="一">港</p>', '<p>箱</p>'],
      '扉\n# 嵐\n港\n# 二\n箱\n',
    ],
  ])('has the chapters of its table of contents: %#', async (nav, bodies, text) => {
    expect(await textOf(withNav(nav, bodies))).toBe(text);
  });
});
