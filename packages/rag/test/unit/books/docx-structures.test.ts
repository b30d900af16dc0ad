import { describe, expect, it } from 'vitest';
import { bookText } from '../../../src/books/book-text.ts';
import { fieldText } from '../../../src/books/docx-text.ts';
import { formatNumber } from '../../../src/books/docx-numbering.ts';
import { BookChunkingStrategy } from '../../../src/chunk/book-chunking-strategy.ts';
import { docx, makeZip, paragraph, type Packed } from '../../support/make-books.ts';

const textOf = (files: readonly Packed[]): Promise<string> =>
  bookText('稿.docx', makeZip(files), 1_000_000);
const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const block = (content: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const style = (id: string, name: string, rest = ''): string =>
  `<w:style w:styleId="${id}"><w:name w:val="${name}"/>${rest}</w:style>`;
const withStyles = (styles: string, body: string, more: readonly Packed[] = []): Packed[] =>
  docx(body, more).map((file) =>
    file.name === 'word/styles.xml' ? { ...file, content: `<w:styles>${styles}</w:styles>` } : file,
  );

const level = (at: number, format: string, text: string, rest = ''): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${rest}<w:lvlText w:val="${text}"/></w:lvl>`;
const NUMBERING: Packed = {
  name: 'word/numbering.xml',
  content: `<w:numbering>
<w:abstractNum w:abstractNumId="0">${level(0, 'japaneseCounting', '第%1章', '<w:pStyle w:val="h1"/><w:suff w:val="space"/>')}${level(1, 'decimal', '%1の%2', '<w:pStyle w:val="h2"/><w:isLgl/>')}</w:abstractNum>
<w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}</w:abstractNum>
<w:abstractNum w:abstractNumId="2">${level(0, 'bullet', '●')}</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>`,
};
const numbered = (id: number): string =>
  `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${id}"/></w:numPr>`;
const field = (code: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;

describe('a DOCX', () => {
  it('has the numbers that Word writes before headings and lists', async () => {
    const heading = (id: string, name: string): string =>
      style(id, name, '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>');
    const body = [
      block(run('序'), `<w:pStyle w:val="h1"/>${numbered(0)}`),
      paragraph('嵐', 'h1'),
      paragraph('港', 'h2'),
      paragraph('箱', 'h2'),
      paragraph('朝', 'h1'),
      paragraph('鍵', 'h2'),
      ...[2, 2, 3, 4].map((id) => block(run('項'), numbered(id))),
    ].join('');
    const styles = heading('h1', 'heading 1') + heading('h2', 'heading 2');
    expect(await textOf(withStyles(styles, body, [NUMBERING]))).toBe(
      '# 序\n# 第一章 嵐\n## 1の1 港\n## 1の2 箱\n# 第二章 朝\n## 2の1 鍵\n1.\t項\n2.\t項\n項\n7.\t項\n',
    );
  });

  it.each([
    ['japaneseCounting', 2011, '二千十一'],
    ['japaneseLegal', 12, '壱拾弐'],
    ['japaneseDigitalTenThousand', 203, '二〇三'],
    ['decimalFullWidth', 12, '１２'],
    ['decimalEnclosedCircle', 21, '㉑'],
    ['aiueoFullWidth', 6, 'カ'],
    ['irohaFullWidth', 4, 'ニ'],
    ['ideographTraditional', 3, '丙'],
    ['upperRoman', 1994, 'MCMXCIV'],
    ['lowerLetter', 28, 'bb'],
    ['decimalZero', 7, '07'],
    ['constructor', 5, '5'],
    ['upperRoman', 99_999, '99999'],
  ])('writes numbers in %s', (format, number, text) => {
    expect(formatNumber(number, format)).toBe(text);
  });

  it('with tracked changes is as it is when they are accepted', async () => {
    const removed = (text: string): string =>
      `<w:del><w:r><w:delText>${text}</w:delText></w:r></w:del>`;
    const mark = (name: string): string => `<w:rPr><w:${name} w:id="1"/></w:rPr>`;
    const body = [
      block(run('灯台'), mark('del')),
      block(run('の朝')),
      block(removed('消した'), mark('del')),
      block(`<w:moveFrom>${run('移した')}</w:moveFrom>`, mark('moveFrom')),
      paragraph('章', '1'),
      block(`<w:moveTo>${run('移した')}</w:moveTo>`, mark('ins')),
      block(run('終'), mark('del')),
    ].join('');
    expect(await textOf(docx(body))).toBe('灯台の朝\n# 章\n移した\n終\n');
  });

  it.each([
    [
      String.raw`EQ \* jc2 \* "Font:ＭＳ 明朝" \* hps10 \o\ad(\s\up 9(たそがれ),黄昏)`,
      '｜黄昏《たそがれ》',
    ],
    [String.raw` eq \o\ac(○,秘) `, '秘'],
    [String.raw`eq \o\ac(○,\s\do2(秘))`, '秘'],
    ['PAGE', ''],
    ['XE "灯台"', ''],
  ])('shows what fields are that have no result: %s', (code, text) => {
    expect(fieldText(code)).toBe(text);
  });

  it.each([
    ['drop', '灯台の朝\n次\n'],
    ['margin', '灯台の朝\n次\n'],
    ['none', '灯\n台の朝\n次\n'],
  ])('has a large first letter at the beginning of its paragraph: %s', async (kind, text) => {
    const first = block(run('灯'), `<w:framePr w:dropCap="${kind}" w:lines="3"/>`);
    expect(await textOf(docx(first + paragraph('台の朝') + paragraph('次')))).toBe(text);
  });

  it('has ruby in fields, symbols, results of fields; no contents, no hidden styles', async () => {
    const styles = [
      style('h1', 'heading 1'),
      style('t1', 'toc 1'),
      style('t2', 'TOC Heading', '<w:basedOn w:val="h1"/>'),
      style('hidden', '隠', '<w:rPr><w:vanish/></w:rPr>'),
    ].join('');
    const body = [
      paragraph('目次', 't2'),
      paragraph('嵐\t3', 't1'),
      paragraph('嵐', 'h1'),
      block(
        field(String.raw`EQ \o\ad(\s\up 9(たそがれ),黄昏)`) +
          run('の') +
          run('秘', '<w:rStyle w:val="hidden"/>') +
          '<w:r><w:sym w:font="ＭＳ 明朝" w:char="2460"/><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>',
      ),
    ].join('');
    expect(await textOf(withStyles(styles, body))).toBe('# 嵐\n｜黄昏《たそがれ》の①\n');
  });

  it('has no table of contents that is made without styles, and other controls', async () => {
    const control = (gallery: string, text: string): string =>
      `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="${gallery}"/></w:docPartObj></w:sdtPr>` +
      `<w:sdtContent>${paragraph(text)}</w:sdtContent></w:sdt>`;
    const body = `${control('Table of Contents', '嵐 3')}${control('Cover Pages', '表紙')}${paragraph('嵐')}`;
    expect(await textOf(withStyles('', body))).toBe('表紙\n嵐\n');
  });

  it('finds its parts by their relationships, and passes over marks of notes', async () => {
    const notes = `<w:footnotes><w:footnote w:type="continuationNotice" w:id="1">${paragraph('続く')}</w:footnote><w:footnote w:id="2">${paragraph('注')}</w:footnote></w:footnotes>`;
    const renamed = docx(paragraph('章', '1')).map((file) => ({
      ...file,
      name: file.name.replace(/(?<=word\/\w+)\.xml/, '2.xml'),
      content: String(file.content).replace('"word/document.xml"', '"/word/document2.xml"'),
    }));
    const relation = (kind: string, target: string): string =>
      `<Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;
    const files: Packed[] = [
      ...renamed,
      { name: 'word/footnotes2.xml', content: notes },
      {
        name: 'word/_rels/document2.xml.rels',
        content: `<Relationships>${relation('styles', 'styles2.xml')}${relation('footnotes', '/word/footnotes2.xml')}</Relationships>`,
      },
    ];
    expect(await textOf(files)).toBe('# 章\n\n注\n');
  });

  it('has no notes of what was deleted', async () => {
    const reference = (id: number): string => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
    const note = (id: number): string =>
      `<w:footnote w:id="${id}">${paragraph(`注${id}`)}</w:footnote>`;
    const body = [
      block(run('文') + reference(1) + `<w:del>${reference(2)}</w:del>`),
      block(`<w:moveFrom>${reference(3)}</w:moveFrom>`),
      block(`<w:moveTo>${run('移') + reference(3)}</w:moveTo>`),
    ].join('');
    const notes = `<w:footnotes>${[1, 2, 3].map(note).join('')}</w:footnotes>`;
    const files = docx(body, [{ name: 'word/footnotes.xml', content: notes }]);
    expect(await textOf(files)).toBe('文\n移\n\n注1\n注3\n');
  });

  it('with a style for its title alone has the chapters that its lines name', async () => {
    const lines = ['第一章　港', '船が来た。', '第二章　箱', '終わり。'].map((line) =>
      paragraph(line),
    );
    const text = await textOf(docx([paragraph('灯台', '1'), ...lines].join('')));
    const chunks = await new BookChunkingStrategy().chunk({
      novelId: 'p',
      filePath: 'contents/稿.docx',
      text,
    });
    expect(chunks.map(({ headingPath }) => headingPath.join('/'))).toEqual([
      '灯台/第一章 港',
      '灯台/第二章 箱',
    ]);
  });

  it.each([
    ['# 第一章 嵐\n嵐が来た。\n', ['第一章 嵐']],
    ['# プロローグ\n嵐が来た。\n', ['プロローグ']],
    [
      '# 第一部 海\n第一章 嵐\n嵐が来た。\n第二章 凪\n凪が来た。\n',
      ['第一部 海/第一章 嵐', '第一部 海/第二章 凪'],
    ],
    ['# 第一章 嵐\n嵐が来た。\n第二章 凪\n凪が来た。\n', ['第一章 嵐', '第二章 凪']],
    ['# 第一部 海\n第一章 嵐\n嵐。\n第二部 空\n凪。\n', ['第一部 海/第一章 嵐', '第二部 空']],
    ['# Chapter 1\nA storm came.\nchapter 2\nIt left.\n', ['Chapter 1', 'chapter 2']],
    ['# 第一章 嵐\n嵐が来た。\nエピローグ\n凪。\n', ['第一章 嵐', 'エピローグ']],
    ['# 序章\n嵐が来た。\n第一章 凪\n凪。\n', ['序章', '第一章 凪']],
    ['# プロローグ\n嵐が来た。\n第一章 凪\n凪。\n', ['プロローグ', '第一章 凪']],
    ['# 登場人物\n澪 灯台守。\n第一章 凪\n凪。\n', ['登場人物', '第一章 凪']],
    ['# 番外編 夏\n嵐。\n番外編 冬\n凪。\n', ['番外編 夏', '番外編 冬']],
  ])('with a heading in its first line alone has it once: %j', async (text, paths) => {
    const chunks = await new BookChunkingStrategy().chunk({
      novelId: 'p',
      filePath: 'contents/稿.docx',
      text,
    });
    expect(chunks.map(({ headingPath }) => headingPath.join('/'))).toEqual(paths);
  });

  it.each([
    '番外編 夏の夜',
    '外伝',
    '外伝 二',
    '後日談 海',
    '短編',
    '特別編',
    '登場人物',
    '用語集',
    '第三話 海',
    '第一夜',
    'エピソード3',
    'Episode 3',
    'SS2',
  ])('has a title above its chapters that is named as they are: %s', async (title) => {
    const chunks = await new BookChunkingStrategy().chunk({
      novelId: 'p',
      filePath: 'contents/稿.docx',
      text: `# ${title}\n第一章 嵐\n嵐が来た。\n第二章 凪\n凪が来た。\nエピローグ\n海。\n`,
    });
    expect(chunks.map(({ headingPath }) => headingPath.join('/'))).toEqual(
      ['第一章 嵐', '第二章 凪', 'エピローグ'].map((chapter) => `${title}/${chapter}`),
    );
  });

  it('without styles of headings has the chapters that its lines name', async () => {
    const lines = ['第一章　港', '船が来た。', '1. 鍵', '第二章　箱', '第三の男が来た。'];
    const text = await textOf(docx(lines.map((line) => paragraph(line)).join('')));
    const chaptersOf = async (chapters: boolean): Promise<readonly string[]> => {
      const strategy = new BookChunkingStrategy({ chapters });
      const chunks = await strategy.chunk({ novelId: 'p', filePath: 'contents/稿.docx', text });
      return chunks.map(({ headingPath }) => headingPath.join('/'));
    };
    expect(await chaptersOf(true)).toEqual(['第一章 港', '第二章 箱']);
    expect(await chaptersOf(false)).toEqual(['']);
  });
});
