import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { compileThesaurus, openThesaurus } from '../../src/index.ts';
import { WEIGHTS } from '../../src/rank/weights.ts';
import { parseThesaurus } from '../../src/thesaurus/compile-thesaurus.ts';
import type { MorphologicalAnalyzer } from '../../src/analyze/morphological-analyzer.ts';
import { openCompact } from '../support/compact-analyzer.ts';
import { openBackend, scriptAnalyzer, temporaryFolder } from '../support/search-index.ts';

/** In the format of SudachiDict, with words of our own. */
const LIST = `000001,1,0,1,0,0,0,(),灯台,,
000001,1,0,2,0,0,0,(),航路標識,,
000001,1,1,3,0,0,0,(),ライトハウス,,
000001,1,2,4,0,0,0,(),塔,,

000002,2,0,1,0,0,0,(),叫ぶ,,
000002,2,0,2,0,0,0,(),怒鳴る,,
000003,1,0,1,0,0,0,(),犬,,
000003,1,0,2,0,0,0,(),"ワンちゃん",,
000004,1,0,1,0,0,0,(),独り,,
`;

describe('a thesaurus', () => {
  test('in the format of SudachiDict has groups, and words that are only found', () => {
    expect(parseThesaurus(LIST)).toEqual([
      [
        { word: '灯台', isAsked: true },
        { word: '航路標識', isAsked: true },
        { word: 'ライトハウス', isAsked: false },
      ],
      [
        { word: '叫ぶ', isAsked: true },
        { word: '怒鳴る', isAsked: true },
      ],
      [
        { word: '犬', isAsked: true },
        { word: 'ワンちゃん', isAsked: true },
      ],
    ]);
  });

  test('may be a file of synonyms', () => {
    expect(parseThesaurus('# 動物\n犬, 猟犬\n')).toEqual([
      [
        { word: '犬', isAsked: true },
        { word: '猟犬', isAsked: true },
      ],
    ]);
  });

  test('is refused where a line has another format', () => {
    expect(() => parseThesaurus(`${LIST}\n犬,猫\n`)).toThrow(
      expect.objectContaining({ code: 'invalid-input', context: { line: 12 } }),
    );
  });
});

describe('a compiled thesaurus', () => {
  let analyzer: MorphologicalAnalyzer;
  beforeAll(async () => {
    analyzer = await openCompact();
  });

  function compile(source: string, notice?: string): string {
    const path = join(temporaryFolder(), 'thesaurus.bin');
    compileThesaurus({ source, analyzer, path, notice });
    return path;
  }

  function expand(path: string, query: string): unknown {
    return openThesaurus({ path, analyzer })
      .expand(analyzer.words(query), query)
      .map(({ start, end, alternatives }) => [query.slice(start, end), alternatives]);
  }

  it('leads from a word to the others of its groups', () => {
    const path = compile(LIST);
    expect(expand(path, '灯台で叫んだ')).toEqual([
      [
        '灯台',
        [
          ['航路', '標識'],
          ['ライト', 'ハウス'],
        ],
      ],
      ['叫ん', [['怒鳴る']]],
    ]);
    expect(expand(path, '航路標識')).toEqual([['航路標識', [['灯台'], ['ライト', 'ハウス']]]]);
    expect(expand(path, 'ライトハウスと塔と独り')).toEqual([]);
  });

  it('has the words of all groups of a word once', () => {
    expect(expand(compile('先生, 師匠, 教師\n先生, 教師, 医師\n'), '先生')).toEqual([
      ['先生', [['師匠'], ['教師'], ['医師']]],
    ]);
  });

  it('keeps the notice of its source, and reports its size', () => {
    const path = compile(LIST, 'Apache-2.0, someone');
    expect(openThesaurus({ path, analyzer }).facts).toEqual({
      groups: 3,
      words: 6,
      analyzer: analyzer.id,
      notice: 'Apache-2.0, someone',
    });
    expect(openThesaurus({ path, analyzer }).size).toBe(3);
  });

  it.each([
    ['is missing', (path: string) => `${path}.none`, 'ENOENT'],
    [
      'is another file',
      (path: string) => {
        writeFileSync(path, LIST);
        return path;
      },
      'it is no such file',
    ],
    [
      'is damaged',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes[bytes.length - 40] = (bytes[bytes.length - 40] ?? 0) ^ 1;
        writeFileSync(path, bytes);
        return path;
      },
      'sum',
    ],
  ])('is refused if it %s', (_name, change, problem) => {
    const path = change(compile(LIST));
    expect(() => openThesaurus({ path, analyzer })).toThrow(
      expect.objectContaining({
        code: 'dictionary-failed',
        message: expect.stringMatching(new RegExp(`${problem}.*dialogoi thesaurus`, 's')) as string,
      }),
    );
  });

  it('is refused with another analyzer', () => {
    const path = compile(LIST);
    expect(() => openThesaurus({ path, analyzer: scriptAnalyzer() })).toThrow(
      expect.objectContaining({ message: expect.stringContaining(analyzer.id) as string }),
    );
  });
});

describe('a search with a thesaurus', () => {
  const TEXTS = [
    '男は丘の上で怒鳴る。風が強い。',
    '少女は海辺で叫ぶ。空が青い。',
    '老人は森で眠る。鳥が鳴いた。',
    '子どもは庭で遊ぶ。花が咲いた。',
  ];

  async function search(query: string, source = LIST): Promise<readonly string[]> {
    const analyzer = await openCompact();
    const path = join(temporaryFolder(), 'thesaurus.bin');
    compileThesaurus({ source, analyzer, path });
    const thesaurus = openThesaurus({ path, analyzer });
    const backend = await openBackend({ analyzer, thesaurus });
    await backend.updateFile({ novelId: '本', filePath: 'a.md', text: TEXTS.join('\n\n') });
    return (await backend.search(query)).hits.map(({ content }) => content);
  }

  it('finds other words where texts have little of the query', async () => {
    const source = '絶叫する, 怒鳴る\n丘, 高台\n';
    expect(await search('高台')).toEqual([]);
    expect(await search('高台', source)).toEqual([TEXTS[0]]);
  });

  it('leaves them out where a text has what the query says', async () => {
    expect(await search('叫ぶ')).toEqual([TEXTS[1]]);
    expect(await search('怒鳴る')).toEqual([TEXTS[0]]);
  });

  it('leaves them out of words that must be there, or must not', async () => {
    expect(await search('+高台', '丘, 高台\n')).toEqual([]);
    expect(await search('鳥 -小鳥', '鳥, 小鳥\n')).toEqual([TEXTS[2]]);
  });

  it('puts the word itself before those that mean about the same', async () => {
    const [first, second] = await search(
      '海辺 砂浜 波打ち際 入り江 怒鳴る',
      '叫ぶ, 怒鳴る\n海辺, 丘\n',
    );
    expect([first, second]).toEqual([TEXTS[0], TEXTS[1]]);
    expect(WEIGHTS.thesaurus).toBeLessThan(1);
  });
});
