import { describe, expect, it } from 'vitest';
import { toNormalText, toShownText } from '../../src/analyze/normal-text.ts';
import type { SearchBackend } from '../../src/index.ts';
import { BACKENDS } from '../support/backends.ts';
import { openCompact } from '../support/compact-analyzer.ts';
import { smallSetChunks } from '../support/relevance/small-set.ts';

/** Returns a sequence that is the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

async function filesWith(backend: SearchBackend, query: string): Promise<readonly string[]> {
  const files = new Set<string>();
  for await (const hit of backend.searchAll(query, { k: 50 })) files.add(hit.payload.file);
  return [...files].toSorted();
}

async function openWith(
  open: (typeof BACKENDS)[string],
  texts: readonly string[],
): Promise<SearchBackend> {
  const backend = await open(await openCompact());
  for (const [at, text] of texts.entries()) {
    await backend.updateFile({ novelId: 'n', filePath: `${at}.txt`, text });
  }
  return backend;
}

function withPiece(texts: readonly string[], piece: string): readonly string[] {
  const isIn = (text: string): boolean => fold(text).includes(fold(piece));
  return texts.flatMap((text, at) => (isIn(text) ? [`${at}.txt`] : [])).toSorted();
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
const PLAIN = /^[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff、。]+$/;

/** Ways to write a piece of a text that do not change what is read. */
const MARKS: Readonly<Record<string, (middle: string) => string>> = {
  'a line break': (middle) => `\n${middle}`,
  'an unseen character': (middle) => `\u200b${middle}`,
  ruby: (middle) => `｜${middle}《よみ》`,
  'ruby in other brackets': (middle) => `｜${middle}≪よみ≫`,
  'ruby of HTML': (middle) => `<ruby>${middle}<rt>よみ</rt></ruby>`,
  'a tag': (middle) => `<b>${middle}</b>`,
  'a break of HTML': (middle) => `<br>${middle}`,
  entities: (middle) => Array.from(middle, (each) => `&#${each.codePointAt(0)};`).join(''),
  'strong text': (middle) => `**${middle}**`,
  'strong text with low lines': (middle) => `__${middle}__`,
  'emphasis with low lines': (middle) => `_${middle}_`,
  code: (middle) => `\`${middle}\``,
  'ruby of AlphaPolis': (middle) => `#${middle}__よみ__#`,
  'ruby of a wiki': (middle) => `{{ruby|${middle}|よみ}}`,
  'a link': (middle) => `[${middle}](https://example.com/a_(b) "題")`,
  'a link by name': (middle) => `[${middle}][名]`,
  'a link of a wiki': (middle) => `[[頁|${middle}]]`,
  'a link of pixiv': (middle) => `[[jumpuri:${middle} > https://example.com/a]]`,
  'a picture': (middle) => `![絵](a.png)${middle}`,
  'a footnote': (middle) => `[^1]${middle}`,
  'a break of one carriage return': (middle) => `\r${middle}`,
  'a break that a backslash marks': (middle) => `\\\n${middle}`,
  'a line that is quoted': (middle) => `\n> ${middle}`,
  'a form feed': (middle) => `\f${middle}`,
  'a byte order mark': (middle) => `\ufeff${middle}`,
  'forms of characters': (middle) => middle.replaceAll(/\p{sc=Han}/gu, '$&\u{e0100}'),
  'an unseen entity': (middle) => `&zwnj;${middle}`,
  'emphasis of novels': (middle) => `《《${middle}》》`,
};

// Without reading them in linear time the limit of the tier ends it.
it('reads 400,000 marks of code that none closes', () => {
  const ticks = '`'.repeat(400_000);
  expect(toShownText(ticks).text).toBe(ticks);
});

describe.each(Object.entries(BACKENDS))('%s', (_, open) => {
  it('finds a quoted piece in every text that has it, and in no other', async () => {
    const texts = smallSetChunks()
      .slice(0, 20)
      .map(({ content }) => content.replaceAll(/\s+/g, ''));
    const backend = await openWith(open, texts);
    const below = randomNumbers(7);
    for (let round = 0; round < 25; round++) {
      const text = texts[below(texts.length)] ?? '';
      const length = 1 + below(9);
      const at = below(Math.max(1, text.length - length));
      const piece = text.slice(at, at + length);
      if (!PLAIN.test(piece)) continue;
      expect([piece, await filesWith(backend, `"${piece}"`)]).toEqual([
        piece,
        withPiece(texts, piece),
      ]);
    }
    await backend.close();
  });

  it.each(Object.keys(MARKS))('finds it across %s', async (name) => {
    const plain = smallSetChunks()
      .slice(0, 4)
      .map(({ content }) =>
        content.replaceAll(/[^\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff、。]/g, ''),
      );
    const below = randomNumbers(11);
    const marked = MARKS[name];
    const places = plain.map((text) => 1 + below(Math.max(1, text.length - 8)));
    const written = plain.map((text, number) => {
      const at = places[number] ?? 0;
      const [front, middle, back] = [text.slice(0, at), text.slice(at, at + 4), text.slice(at + 4)];
      return front + (marked?.(middle) ?? middle) + back;
    });
    const backend = await openWith(open, written);
    let across = 0;
    for (let round = 0; round < 8; round++) {
      const number = below(plain.length);
      const text = plain[number] ?? '';
      const length = 2 + below(9);
      // Each touches the marked piece.
      const at = Math.max(0, (places[number] ?? 0) - length + 1 + below(length + 3));
      const piece = text.slice(at, at + length);
      if (!written.some((each) => each.includes(piece))) across += 1;
      expect([piece, await filesWith(backend, `"${piece}"`)]).toEqual([
        piece,
        withPiece(plain, piece),
      ]);
    }
    expect(across).toBeGreaterThan(0);
    await backend.close();
  });

  it('does not depend on other texts, and marks what was found', async () => {
    const backend = await openWith(open, [
      '関西国際空港の便',
      '国際会議が開かれた。',
      'これは**巨大な**飛躍である。',
    ]);
    expect(await filesWith(backend, '"国際"')).toEqual(['0.txt', '1.txt']);
    const { hits } = await backend.search('"巨大な飛躍"');
    const [hit] = hits;
    expect(hit?.match.highlights.map(([start, end]) => hit.match.text.slice(start, end))).toEqual([
      '巨大な**飛躍',
    ]);
    await backend.close();
  });

  it('reads kanji that are described, and marks that repeat syllables', async () => {
    const backend = await openWith(open, [
      '森※［＃「區＋鳥」、第3水準1-94-69］外の※［＃「口＋愛」、第3水準1-15-23］《おくび》',
      'ところ／″＼でいろ〳〵と思ひ／＼に、チョイ／＼むしゃ／＼さま〴〵',
      '※［＃「てへん＋劣」、補助1234］や ※［＃「王＋民」、U+73C9、123-4］ A／B＼C 1-2-3',
    ]);
    for (const [piece, files] of [
      ['森鷗外の噯', ['0.txt']],
      ['ところどころでいろいろと思ひ思ひに', ['1.txt']],
      ['チョイチョイむしゃむしゃさまざま', ['1.txt']],
      ['いろ〳〵と', ['1.txt']],
      ['珉 A／B＼C', ['2.txt']],
    ] as const) {
      expect([piece, await filesWith(backend, `"${piece}"`)]).toEqual([piece, files]);
    }
    expect(await filesWith(backend, '森鴎外')).toEqual(['0.txt']);
    expect(await filesWith(backend, 'いろいろ')).toEqual(['1.txt']);
    await backend.close();
  });

  it('takes signs for one that encodings have one code for', async () => {
    const texts = ['〜夜〜の−５度―昼', '～夜～の－５度—昼', '~夜~の-5度─昼', '夜の5度昼'];
    const backend = await openWith(open, texts);
    for (const text of texts.slice(0, 3)) {
      expect(await filesWith(backend, `"${text}"`)).toEqual(['0.txt', '1.txt', '2.txt']);
    }
    const { hits } = await backend.search('"−５度"');
    expect(
      hits.map(({ match: { text, highlights } }) => text.slice(...(highlights[0] ?? []))),
    ).toHaveLength(3);
    expect(hits.every(({ match }) => match.highlights.length > 0)).toBe(true);
    await backend.close();
  });

  it('takes signs that are no marks as they are', async () => {
    const texts = ['a[i][j] = snake_case_name;', '［注］（あとで書く）', '2 * 3 `', 'C:\\\\temp'];
    const backend = await openWith(open, texts);
    expect(await filesWith(backend, '"a[i][j]"')).toEqual(['0.txt']);
    expect(await filesWith(backend, '"ai"')).toEqual([]);
    expect(await filesWith(backend, '"snakecase"')).toEqual([]);
    expect(await filesWith(backend, '"注あとで"')).toEqual([]);
    expect(await filesWith(backend, '"［注］（あとで"')).toEqual(['1.txt']);
    await backend.close();
  });

  it('finds it across a line that ends or begins with a sign or a digit', async () => {
    const texts = [
      '「何だって！\n　彼は叫んだ',
      '西暦2025\n年の春',
      '彼は笑った（笑）\n犬も**笑った**',
      'a\nb',
    ];
    const backend = await openWith(open, texts);
    expect(await filesWith(backend, '"だって！彼は"')).toEqual(['0.txt']);
    expect(await filesWith(backend, '"2025年の"')).toEqual(['1.txt']);
    expect(await filesWith(backend, '"2025 年の"')).toEqual(['1.txt']);
    expect(await filesWith(backend, '"（笑）犬も笑った"')).toEqual(['2.txt']);
    expect(await filesWith(backend, '"ab"')).toEqual([]);
    await backend.close();
  });

  it('finds a mark of repetition that is a word alone', async () => {
    const texts = ['奈良人々旧彼女が', 'ますサーバーの々ガ', '灯台々人々', '猫が鳴く'];
    const backend = await openWith(open, texts);
    expect(await filesWith(backend, '"人々旧"')).toEqual(['0.txt']);
    expect(await filesWith(backend, '"の々"')).toEqual(['1.txt']);
    expect(await filesWith(backend, '"台々"')).toEqual(['2.txt']);
    expect(await filesWith(backend, '"々"')).toEqual(['0.txt', '1.txt', '2.txt']);
    await backend.close();
  });

  it('leaves out the text of several words, not chunks that have them apart', async () => {
    const backend = await openWith(open, ['灯台守の娘の朝', '朝、娘は灯台守を呼んだ。', '朝の鐘']);
    expect(await filesWith(backend, '朝 -灯台守の娘')).toEqual(['1.txt', '2.txt']);
    expect(await filesWith(backend, '朝 -娘')).toEqual(['2.txt']);
    await backend.close();
  });

  it('leaves out what has the text of a word with a minus', async () => {
    const backend = await openWith(open, ['関西国際空港の便', '朝の便に乗る。']);
    expect(await filesWith(backend, '-国際 便')).toEqual(['1.txt']);
    expect(await filesWith(backend, '-"際空" 便')).toEqual(['1.txt']);
    await backend.close();
  });
});

it.each([
  ['花がひらり／＼と', '花がひらりひらりと'],
  ['「ころり／＼」', '「ころりころり」'],
  ['さあ、おどろ／＼', 'さあ、おどろおどろ'],
  ['行くとしよう／＼と', '行くとしようしようと'],
  ['「さうか」とにこ／＼笑つた', '「さうか」とにこにこ笑つた'],
  ['『雪国』をたび／＼', '『雪国』をたびたび'],
  ['「や」とにこ〳〵', '「や」とにこにこ'],
  ['（彼）はいろ／＼', '(彼)はいろいろ'],
  ['「A」のそれ／＼', '「A」のそれそれ'],
  ['「花」ひらり／＼', '「花」ひらりひらり'],
  ['……とにこ／＼', '……とにこにこ'],
  ['さうか、とにこ／＼', 'さうか、とにこにこ'],
  ['毎日一歩／＼', '毎日一歩一歩'],
  ['時々／＼', '時々時々'],
  ['花がちら／＼', '花がちらちら'],
  ['髪がちり／＼', '髪がちりちり'],
  ['ここにとり／＼', 'ここにとりとり'],
  ['三角形／＼と', '三角形/\\と'],
  ['x※［＃U+20B9F］y', 'x\u{20b9f}y'],
  ['x※［＃「口＋愛」、U+566F、1-2］y', 'x噯y'],
  ['x※［＃U+D800］y', 'x※y'],
  ['x※［＃U+DC00］y', 'x※y'],
  ['x※［＃U+000A］y', 'x※y'],
  ['x※［＃U+2028］y', 'x※y'],
  ['x※［＃U+202E］y', 'x※y'],
  ['x※［＃U+10FFFF］y', 'x※y'],
  ['x※［＃U+1F600A］y', 'x※y'],
  ['x※［＃U+FFFF］y', 'x※y'],
  ['x※［＃U+0378］y', 'x※y'],
  ['x※［＃U+3164］y', 'x※y'],
  ['x※［＃U+FE00］y', 'x※y'],
])('%s is read as %s', (text, read) => {
  expect(toNormalText(text).text).toBe(read);
});
