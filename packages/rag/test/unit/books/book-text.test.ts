import { describe, expect, it } from 'vitest';
import { bookText } from '../../../src/books/book-text.ts';
import {
  docx,
  epub2,
  epub3,
  makeZip,
  paragraph,
  type Chapter,
  type Packed,
} from '../../support/make-books.ts';

const MOST = 1_000_000;
const textOf = (name: string, files: readonly Packed[]): Promise<string> =>
  bookText(name, makeZip(files), MOST);

const CHAPTERS: readonly Chapter[] = [
  {
    file: '1.xhtml',
    body: '<h1><ruby>第一章<rt>だいいっしょう</rt></ruby>　嵐</h1>\n<p>　<ruby>黄<rp>（</rp><rt>たそ</rt><rp>）</rp>昏<rp>（</rp><rt>がれ</rt><rp>）</rp></ruby>の刻。</p><p><br/></p>\n<p>「行こう」と\n言った。<br/>風が<em class="sesame">強</em>い。</p><hr/><p>A &amp; B&nbsp;&mine; #1\n two</p>',
    titles: { '': '第一章　嵐' },
  },
  {
    file: 'text/%E4%BA%8C.xhtml',
    body: '<div id="top"><p class="midashi" id="b">二　箱</p><p># 記号の行</p></div><p id="c">鍵はない。</p><div>外字<img class="gaiji" alt="髙" src="x.png"/>い<img alt="挿絵です" src="y.png"/></div>',
    titles: { b: '二 箱', c: '二の二' },
  },
];

const TEXT = `# ｜第一章《だいいっしょう》　嵐
　｜黄昏《たそがれ》の刻。
「行こう」と言った。
風が強い。

A & B\u00a0&mine; #1 two
# 二　箱
\\# 記号の行
# 二の二
鍵はない。
外字髙い
`;

describe('the text of a book', () => {
  it.each([
    ['EPUB 3', epub3],
    ['EPUB 2', epub2],
  ])(
    '%s: a line for each paragraph, chapters by headings and the table of contents',
    async (_, make) => {
      expect(await textOf('灯台.epub', make(CHAPTERS))).toBe(TEXT);
    },
  );

  it('DOCX: headings by style, outline and what they are based on; ruby, tabs, text boxes, notes', async () => {
    const ruby = (base: string, reading: string): string =>
      `<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>${reading}</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>${base}</w:t></w:r></w:rubyBase></w:ruby></w:r>`;
    const body = [
      paragraph('第一章', '1'),
      paragraph('嵐', '見出し2'),
      `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="10"/></w:tabs></w:pPr><w:r><w:t>　</w:t></w:r>${ruby('黄昏', 'たそがれ')}<w:r><w:t>の刻</w:t><w:tab/><w:t>a</w:t><w:br/><w:t>b</w:t></w:r><w:del><w:r><w:delText>消した</w:delText></w:r></w:del><w:ins><w:r><w:t>足した</w:t></w:r></w:ins></w:p>`,
      '<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>隠れた</w:t></w:r><w:r><w:t>見える &#x1F408;</w:t></w:r></w:p>',
      `<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${paragraph('箱の中')}</w:txbxContent></mc:Choice><mc:Fallback>${paragraph('箱の中')}</mc:Fallback></mc:AlternateContent><w:t>箱の外</w:t></w:r></w:p>`,
      paragraph('第二章', 'mine'),
      paragraph('節', 'level'),
      `<w:tbl><w:tr><w:tc>${paragraph('表')}</w:tc></w:tr></w:tbl>`,
    ].join('');
    const notes = `<w:footnotes xmlns:w="w"><w:footnote w:type="separator">${paragraph('―')}</w:footnote><w:footnote w:id="2">${paragraph('脚注。')}</w:footnote></w:footnotes>`;
    const files = docx(body, [{ name: 'word/footnotes.xml', content: notes }]);
    expect(await textOf('稿.docx', files)).toBe(
      '# 第一章\n## 嵐\n　｜黄昏《たそがれ》の刻\ta\nb足した\n見える 🐈\n箱の中\n箱の外\n# 第二章\n### 節\n表\n\n脚注。\n',
    );
  });

  it('is read in the encoding that its file names', async () => {
    const utf16 = Buffer.from(
      `\ufeff<?xml version="1.0" encoding="UTF-16"?><html><body><p>嵐の夜</p></body></html>`,
      'utf16le',
    );
    const files = epub3([{ file: '1.xhtml', body: '' }]).map((file) =>
      file.name === 'OEBPS/1.xhtml' ? { ...file, content: utf16 } : file,
    );
    expect(await textOf('a.epub', files)).toBe('嵐の夜\n');
  });
});

const one = (body: string): Chapter[] => [{ file: '1.xhtml', body }];
const drm = (algorithm: string, uri: string): Packed => ({
  name: 'META-INF/encryption.xml',
  content: `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod Algorithm="${algorithm}"/><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`,
});
const AES = 'http://www.w3.org/2001/04/xmlenc#aes128-cbc';
const FONTS = 'http://www.idpf.org/2008/embedding';
const bomb = `<p>${'あ'.repeat(22 * 1024 * 1024)}</p>`;
const damaged = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  // In the middle of the last file's bytes.
  const at = copy.lastIndexOf('PK\u0003\u0004') + 60;
  for (let place = at; place < at + 8; place++) copy[place] = (copy[place] ?? 0) ^ 0x5a;
  return copy;
};

describe('a book that cannot be read is one coded problem', () => {
  it.each<[string, string, Uint8Array, RegExp]>([
    ['no archive', 'a.epub', Buffer.from('嵐の夜'), /no sound ZIP archive/],
    ['empty', 'a.docx', Buffer.alloc(0), /no sound ZIP archive/],
    ['cut off', 'a.epub', makeZip(epub3(one('<p>嵐</p>'))).subarray(0, 900), /no sound ZIP/],
    [
      'damaged',
      'a.docx',
      damaged(makeZip(docx(paragraph('嵐の夜。'.repeat(99))))),
      /damaged|unpacked/,
    ],
    ['no EPUB', 'a.epub', makeZip([{ name: 'a.txt', content: 'a' }]), /it is no EPUB/],
    ['no DOCX', 'a.docx', makeZip(epub3(one('<p>嵐</p>'))), /no document of Word/],
    [
      'a lost file',
      'a.epub',
      makeZip(epub3(one('')).filter(({ name }) => name !== 'OEBPS/1.xhtml')),
      /has no file OEBPS\/1\.xhtml/,
    ],
    [
      'DRM',
      'a.epub',
      makeZip(epub3(one('<p>嵐</p>'), [drm(AES, 'OEBPS/1.xhtml')])),
      /protected \(DRM\)/,
    ],
    [
      'an encrypted archive',
      'a.epub',
      makeZip(epub3(one('<p>嵐</p>')).map((file) => ({ ...file, isEncrypted: true }))),
      /is encrypted/,
    ],
    [
      'a password',
      'a.docx',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      /has a password/,
    ],
    [
      'too much text',
      'a.epub',
      makeZip(epub3(one(bomb))),
      /unpacks to more than|more than \d+ characters/,
    ],
    [
      'a size that lies',
      'a.epub',
      makeZip(epub3(one('<p>嵐</p>')).map((file) => ({ ...file, claimedSize: 5 }))),
      /cannot be unpacked/,
    ],
    [
      'a path that leads out',
      'a.epub',
      makeZip([...epub3(one('<p>嵐</p>')), { name: '../../evil', content: 'x' }]),
      /no sound ZIP archive/,
    ],
    ['deep nesting', 'a.epub', makeZip(epub3(one('<b>'.repeat(100_000)))), /nested too deeply/],
    [
      'too many files',
      'a.epub',
      makeZip([
        ...epub3(one('')),
        ...Array.from({ length: 20_001 }, (_, at) => ({ name: `x${at}`, content: '' })),
      ]),
      /at most 20000 files/,
    ],
  ])('%s', async (_, name, bytes, message) => {
    const reading = bookText(name, bytes, MOST);
    await expect(reading).rejects.toMatchObject({
      code: 'file-invalid',
      message: expect.stringMatching(message) as unknown,
    });
    await expect(reading).rejects.toThrow(new RegExp(`^${name} cannot be read: `));
  });

  it('but fonts may be made unreadable, and what no text is may be encrypted', async () => {
    const files = epub3(one('<p>嵐</p>'), [drm(FONTS, 'OEBPS/1.xhtml')]);
    expect(await textOf('a.epub', files)).toBe('嵐\n');
    expect(await textOf('a.epub', epub3(one('<p>嵐</p>'), [drm(AES, 'OEBPS/x.mp3')]))).toBe('嵐\n');
  });

  it('and entities of its own are not expanded, nor files of this machine read', async () => {
    const doctype =
      '<!DOCTYPE html [<!ENTITY a "嵐嵐嵐"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>';
    const files = epub3(one('<p>前&b;&x;後</p>')).map((file) =>
      file.name.endsWith('1.xhtml')
        ? { ...file, content: String(file.content).replace('<!DOCTYPE html>', doctype) }
        : file,
    );
    expect(await textOf('a.epub', files)).toBe('前&b;&x;後\n');
  });
});
