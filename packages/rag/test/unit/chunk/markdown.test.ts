import { describe, expect, it } from 'vitest';
import { MarkdownChunkingStrategy } from '@vizprompt/rag';
import { chunk, expectSizes, ownText } from '../../support/chunk-checks.ts';
import { chapter, NOTES } from '../../support/sample-texts.ts';

const strategy = new MarkdownChunkingStrategy();
const fence = (lines: number) =>
  `\`\`\`ts\n${Array.from({ length: lines }, (_, index) => `const value${index} = ${index};`).join('\n')}\n\`\`\``;

describe('MarkdownChunkingStrategy', () => {
  it('opens a section at each heading and keeps the heading in front of its text', async () => {
    const chunks = await chunk(strategy, NOTES);
    expect(chunks.map(({ headingPath, startLine }) => [headingPath.join('/'), startLine])).toEqual([
      ['灯台の島/登場人物/美咲', 6],
      ['灯台の島/登場人物/船長', 18],
      ['灯台の島/無口な男', 20],
      ['灯台の島/無口な男/持ち物', 25],
    ]);
    expect(chunks[0]?.content).toMatch(/^# 登場人物\n\n## 美咲\n\n- \*\*年齢/);
    expect(chunks[3]?.content).toContain('<!-- 第三章');
  });

  it('takes title and tags from the front matter', async () => {
    const [first] = await strategy.chunk({
      novelId: 'n',
      filePath: 'a.md',
      text: '---\ntitle: "灯台の島" # 仮題\ntags:\n  - 設定\n  - \'人物\'\n---\n本文。',
      tags: ['memo', '設定'],
    });
    expect(first?.title).toBe('灯台の島');
    expect(first?.headingPath).toEqual(['灯台の島']);
    expect(first?.tags).toEqual(['memo', '設定', '人物']);
  });

  it('has no front matter in a chunk, and the lines as they are in the file', async () => {
    const front =
      '---\ntitle: 灯台の島\ndescription: |\n  秘密の\n\n  メモ\n# 未定\n"公開日": 2020\n---\n';
    for (const end of ['\n', '\r\n', '\r']) {
      const text = `\uFEFF${front}\n\n霧が出た。\n\n# 第一章\n\n船が来た。\n`.replaceAll('\n', end);
      const chunks = await chunk(strategy, text);
      expect(
        chunks.map(({ content, headingPath, startLine, endLine }) => {
          return [content.replaceAll(end, '\n'), headingPath.join('/'), startLine, endLine];
        }),
      ).toEqual([
        ['霧が出た。', '灯台の島', 12, 12],
        ['# 第一章\n\n船が来た。', '灯台の島/第一章', 14, 16],
      ]);
    }
  });

  it('keeps the ids of all chunks when front matter is changed that gives no title', async () => {
    const ids = async (front: string): Promise<string[]> =>
      (await chunk(strategy, `${front}${chapter(3000, 4).join('\n\n')}`)).map(({ id }) => id);
    const expected = await ids('');
    expect(expected.length).toBeGreaterThan(3);
    expect(await ids('---\ntags: [港]\n---\n')).toEqual(expected);
    expect(await ids('---\ntags: [港, 霧]\ndate: 2020-01-01\n---\n\n\n')).toEqual(expected);
  });

  it.each([
    ['two rules around a text', '---\n霧が出た。\n---\n\n船が来た。'],
    ['two rules around a talk', '---\n太郎：船だ。\n花子：まさか。\n---\n\n船が来た。'],
    ['two rules around a heading', '---\n# 第一章\n---\n\n船が来た。'],
    ['a key and a text', '---\ntitle: 霧\n船はまだ来ない。\n---\n\n船が来た。'],
    ['an indented text', '---\n　霧が出た。\n---\n\n船が来た。'],
    ['two colons in a line', '---\ntitle: bad: : yaml\n---\n\n船が来た。'],
    ['a list that is not closed', '---\ntags: [a\n---\n\n船が来た。'],
    ['a list', '---\n- 霧\n- 船\n---\n\n船が来た。'],
    ['a fence that is not closed', '---\ntitle: 霧\n\n船が来た。'],
    ['front matter behind a line', '霧。\n\n---\ntitle: 霧\n---\n\n船が来た。'],
    ['nothing but front matter', '---\ntitle: 霧\n作者: 島 渚\n---\n\n'],
  ])('loses no text that only looks like front matter: %s', async (_, text) => {
    const chunks = await chunk(strategy, text);
    expect(chunks.map(ownText).join('\n')).toContain(text.split('\n')[1]);
    expect(chunks[0]?.startLine).toBe(1);
  });

  it.each([
    ['tags: [a, "b, c", d]', ['a', 'b, c', 'd']],
    ['tags: 港, 霧', ['港', '霧']],
    ['tags: "#港"', ['港']],
    ['Tags: 一つ', ['一つ']],
    ['{"tags": [港], title: 霧}', ['港']],
    ['tags: [2020, 007, ~, true]', ['2020', '007', 'true']],
    ['tags:\n- 港, 霧\n- >\n  夜の\n  海', ['港, 霧', '夜の 海']],
    ['母港: &h [港]\ntags: *h', ['港']],
    ['tags:', []],
    ['tags: ~', []],
  ])('reads %s', async (yaml, tags) => {
    const [first] = await chunk(strategy, `---\n${yaml}\n---\n\n本文。`);
    expect(first?.tags).toEqual(tags);
  });

  it.each([
    ['title: >\n  灯台の\n  島', '灯台の 島'],
    ['title: |-\n  灯台の\n\n  島', '灯台の 島'],
    ['title:\n  "灯\\u53f0" # 仮題', '灯台'],
    ['title: 1984', '1984'],
    ['title: null', ''],
  ])('reads %j', async (yaml, title) => {
    const [first, ...others] = await chunk(strategy, `---\n${yaml}\n---\n\n本文。`);
    expect(others).toEqual([]);
    expect([first?.title ?? '', first?.content]).toEqual([title, '本文。']);
    expect(first?.startLine).toBe(yaml.split('\n').length + 4);
  });

  it.each([
    [
      'aliases of aliases',
      Array.from({ length: 40 }, (_, at) => `k${at + 1}: &k${at + 1} [${`*k${at}, `.repeat(9)}]`)
        .toSpliced(0, 0, 'k0: &k0 笑')
        .join('\n'),
    ],
    ['lists in lists', `a: ${'['.repeat(20_000)}`],
    ['very many lines', '鍵: 値\n'.repeat(12_000).trimEnd()],
  ])('takes %s for text', async (_, yaml) => {
    const [first] = await chunk(strategy, `---\n${yaml}\n---\n\n船が来た。`);
    expect([first?.startLine, first?.content.slice(0, 10)]).toEqual([
      1,
      `---\n${yaml.slice(0, 6)}`,
    ]);
  });

  it('removes markup from headings', async () => {
    const text = '## **美咲** と [船長](./a.md) `code` \\# ##\n\n本文。\n\n# 終 #\n\n本文。';
    const chunks = await chunk(strategy, text);
    expect(chunks.map(({ title }) => title)).toEqual(['美咲 と 船長 code #', '終']);
  });

  it('gives a heading without text to the heading below it, and never to one next to it', async () => {
    const chunks = await chunk(
      strategy,
      '# 上\n\n## 中\n\n本文。\n\n## 空\n\n## 次\n\n本文。\n\n## 終',
    );
    expect(chunks.map(({ headingPath, content }) => [headingPath.join('/'), content])).toEqual([
      ['上/中', '# 上\n\n## 中\n\n本文。'],
      ['上/空', '## 空'],
      ['上/次', '## 次\n\n本文。'],
      ['上/終', '## 終'],
    ]);
  });

  it('keeps code and tables whole up to twice the size, and cuts longer ones at lines', async () => {
    const lead = '説明の文。'.repeat(30);
    const [whole, ...others] = (
      await chunk(strategy, `# 題\n\n${lead}\n\n${fence(60)}\n\n${lead}`)
    ).filter(({ content }) => content.includes('const '));
    expect(others).toEqual([]);
    expect(whole?.content).toContain(fence(60));
    const pieces = await chunk(strategy, `# 題\n\n${fence(400)}\n\n${lead}`);
    expect(pieces.length).toBeGreaterThan(4);
    expectSizes(pieces);
    for (const piece of pieces.slice(1, -2)) expect(ownText(piece)).toMatch(/^const [^]*;$/);
    const table = `| 名 | 値 |\n|---|---|\n${'| 羅針盤 | 北を指さない |\n'.repeat(30)}`;
    const tables = await chunk(strategy, `# 表\n\n${table}\n本文。`);
    expect(tables[0]?.content.match(/羅針盤/g)?.length).toBe(30);
  });

  it('cuts lists at items, outer ones first', async () => {
    const items = Array.from(
      { length: 40 },
      (_, index) =>
        `- 項目${index}は少し長い説明を持つ。続きもある。\n  - 内側の${index}。\n  - もう一つの${index}。`,
    );
    const chunks = await chunk(new MarkdownChunkingStrategy({ overlap: 0 }), items.join('\n'));
    expect(chunks.length).toBeGreaterThan(3);
    expectSizes(chunks);
    for (const { content } of chunks) expect(content).toMatch(/^- 項目/);
    const equal = await chunk(
      new MarkdownChunkingStrategy({ overlap: 0 }),
      '- 同じ項目。続きの文。\n'.repeat(99),
    );
    for (const { content } of equal) expect(content).toMatch(/^- 同じ[^]*続きの文。$/);
  });

  it('prefers a change of scene as the end of a chunk', async () => {
    const paragraphs = chapter(2400, 12);
    for (const mark of ['***', '＊　＊　＊', '◇']) {
      const text = [...paragraphs.slice(0, 12), mark, ...paragraphs.slice(12)].join('\n\n');
      const chunks = await chunk(
        new MarkdownChunkingStrategy({ overlap: 0, maxTokens: 700 }),
        text,
      );
      expect(chunks.some(({ content }) => content.endsWith(mark))).toBe(true);
    }
  });

  it('repeats whole sentences of the chunk before, and marks them', async () => {
    const chunks = await chunk(strategy, chapter(6000, 5).join('\n\n'));
    expectSizes(chunks);
    expect(chunks[0]?.overlap).toBe(0);
    const repeating = chunks.filter(({ overlap }) => overlap > 0);
    expect(repeating.length).toBeGreaterThan(chunks.length / 2);
    for (const piece of repeating) {
      const before = chunks[piece.chunkIndex - 1];
      const repeated = piece.content.slice(0, piece.overlap).trimEnd();
      expect(before?.content.endsWith(repeated)).toBe(true);
      const rest = before?.content.slice(0, -repeated.length) ?? '';
      expect(rest).toMatch(/[。」！？]\s*$/u);
    }
    const none = await chunk(
      new MarkdownChunkingStrategy({ overlap: 0 }),
      chapter(6000, 5).join('\n\n'),
    );
    expect(none.every(({ overlap }) => overlap === 0)).toBe(true);
  });
});
