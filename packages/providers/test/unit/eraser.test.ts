import { type JsonValue } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERASED, Eraser } from '../../src/erase/eraser.ts';
import { ErasureCounts } from '../../src/erase/erasure.ts';
import { objectOf } from '../../src/json/fields.ts';

const SAID = 'The vault code is "4711-é".\nAsk Rosa\\Ana & <Bo>.\n金庫の番号は四七一一';

const wide = (sign: string): string => String.fromCharCode(sign.charCodeAt(0) + 0xfee0);

function eraserOf(...texts: readonly string[]): Eraser {
  const eraser = new Eraser('Alice');
  for (const text of texts) eraser.learn(text);
  return eraser;
}

const LETTER = `Don't tell him - "no pets" at Größenweg 12... the café 🐈\uFE0F of 葛\u{E0100}城 knows it`;

const bytesOf = (text: string, escape: (hex: string, byte: number) => string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte < 0x80 ? String.fromCharCode(byte) : escape(byte.toString(16).toUpperCase(), byte),
    )
    .join('');
const pointsOf = (text: string, escape: (point: number) => string): string =>
  text.replaceAll(/[^\0-\x7F]/gu, (sign) => escape(sign.codePointAt(0) ?? 0));
const linesOf = (mark: string) => (text: string) =>
  mark + text.replaceAll(' him ', ` him\n${mark}`);

const COPIES: readonly (readonly [how: string, copy: (said: string) => string])[] = [
  ...['# ', '// ', ' * ', '+', '-', '+    // ', '; ', '% ', '-- '].map(
    (mark) => [`with ${JSON.stringify(mark)} before its lines`, linesOf(mark)] as const,
  ),
  ['with typographic quotes', (text) => text.replace("'", '’').replace(/"([^"]*)"/, '“$1”')],
  ['with a dash and an ellipsis', (text) => text.replace('-', '—').replace('...', '…')],
  ['in upper case', (text) => text.toUpperCase()],
  ['with places to break', (text) => text.replaceAll('e', 'e\u200B').replace('him', 'hi\u00ADm')],
  [
    'in a quotation within JSON of Python',
    (text) =>
      text.replace(' him ', String.raw` him\n> `).replaceAll(/[^\0-\x7F]/g, (unit) => {
        return String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0');
      }),
  ],
  ['without selectors of variants', (text) => text.replaceAll(/\uFE0F|\u{E0100}/gu, '')],
  ['in an address', encodeURIComponent],
  ['in quoted-printable', (text) => bytesOf(text, (hex) => `=${hex}`).replace('pets', 'pe=\r\nts')],
  ['as bytes of Python', (text) => bytesOf(text, (hex) => String.raw`\x${hex.toLowerCase()}`)],
  ['in octal', (text) => bytesOf(text, (_, byte) => `\\${byte.toString(8)}`)],
  ['in JavaScript', (text) => pointsOf(text, (point) => `\\u{${point.toString(16)}}`)],
  ['in Python', (text) => pointsOf(text, (point) => `\\U${point.toString(16).padStart(8, '0')}`)],
  ['in HTML by numbers', (text) => pointsOf(text, (point) => `&#${point};`)],
  ['in HTML by names', (text) => text.replace('ö', '&ouml;').replace('é', '&eacute;')],
  ['as a value of SQL', (text) => text.replaceAll("'", "''")],
  ['as a cell of CSV', (text) => text.replaceAll('"', '""')],
  ['as an argument of a shell', (text) => text.replaceAll("'", String.raw`'\''`)],
  ['in lines that a shell joins', (text) => text.replaceAll(' at ', ' at \\\n')],
];

describe('Eraser', () => {
  it.each([
    ['as it is', SAID],
    ['in a text', `before ${SAID} after`],
    [
      'line by line in a quote',
      SAID.split('\n')
        .map((line) => `> ${line}`)
        .join('\n'),
    ],
    ['indented, with other line ends', SAID.replaceAll('\n', '\r\n   ')],
    ['as JSON', JSON.stringify({ quote: SAID })],
    ['as JSON in JSON in JSON', JSON.stringify(JSON.stringify(JSON.stringify([SAID])))],
    [
      'as JSON of ASCII',
      JSON.stringify([SAID]).replaceAll(
        /[^\0-\x7F]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    ],
    ['as XML', SAID.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')],
    [
      'as XML in XML',
      SAID.replaceAll('&', '&amp;amp;').replaceAll('<', '&amp;lt;').replaceAll('"', '&amp;quot;'),
    ],
    ['as an address', `https://a.example/?q=${encodeURIComponent(SAID)}`],
    ['as an address in an address', encodeURIComponent(encodeURIComponent(SAID))],
    ['as a form of a page', `q=${encodeURIComponent(SAID).replaceAll('%20', '+')}`],
    ['in Base64', `data:text/plain;base64,${Buffer.from(SAID).toString('base64')}`],
    ['in hex', Buffer.from(`before: ${SAID}`).toString('hex')],
    ['wrapped at another width', SAID.replaceAll(' ', '\n  ').replace('の', 'の\n')],
    ['wrapped in a quotation', SAID.replaceAll(' ', '\n> ').replace('の', 'の\n> ')],
    ['wrapped, as JSON', JSON.stringify(SAID.replaceAll(' ', '\n> '))],
    ['in decomposed characters, as files of a Mac', SAID.normalize('NFD')],
    ['in another case', SAID.toUpperCase().replace('ROSA', 'rosa')],
    ['in full-width letters', SAID.replaceAll(/[!-~]/g, (sign) => wide(sign))],
    ['with spaces that do not break', SAID.replaceAll(' ', '\u00a0')],
    ['as JSON in a text', `input:\n${JSON.stringify([SAID], null, 2)}`],
  ])('replaces what was said, %s', (_, text) => {
    const cleaned = eraserOf(SAID).clean(text);
    for (const word of ['4711', 'rosa', '金庫'])
      for (const form of [word, encodeURIComponent(word), Buffer.from(word).toString('hex')])
        expect(cleaned.normalize('NFKC').toLowerCase()).not.toContain(form.toLowerCase());
    const decoded = Buffer.from(cleaned.split(',')[1] ?? '', 'base64').toString();
    expect(decoded).not.toContain('4711');
    expect(cleaned).toContain(ERASED);
  });

  it.each([
    ['a quote near its beginning, as JSON', 'a "b" is the code', '["a \\"b\\" is the code"]'],
    ['an entity, as it stands', 'write &lt;b&gt; in it', 'say: write &lt;b&gt; in it.'],
    ['an entity, as XML', 'write &lt;b&gt; in it', 'write &amp;lt;b&amp;gt; in it'],
    ['an ampersand, as XML', 'Tom &amp; Jerry', 'Tom &amp;amp; Jerry'],
    ['an apostrophe, by its number', "it's Rosa's", '<p>it&#39;s Rosa&#x27;s</p>'],
    ['spaces that are not broken', 'the vault is deep', '<p>the&nbsp;vault&amp;nbsp;is deep</p>'],
  ])('replaces %s', (_, said, text) => {
    const cleaned = eraserOf(said).clean(text);
    expect(cleaned).toContain(ERASED);
    expect(cleaned).toMatch(/^\W*(?:say: |p>)?\[erased\]\W*p?\W*$/u);
  });

  it.each(COPIES)('replaces a copy %s', (_, copy) => {
    const cleaned = eraserOf(LETTER).clean(`x\n${copy(LETTER)}\ny`);
    expect(cleaned.replaceAll(/["'\s>#*+/;%-]/g, '')).toBe(`x${ERASED}y`);
  });

  it.each([
    ['an assignment', 'pin =\n4711 xy', '> pin =\n> 4711 xy'],
    ['an assignment in a file of Windows', 'pin =\r\n4711 xy', 'PIN =\r\n4711\r\nxy'],
    ['quotes of CSV at an edge', 'say “hi” “the cat”', 'x,"say ""hi"" ""the cat"""'],
    ['pairs of quotes', `he "" said ''' so it`, `he """" said '''''' so it`],
    ['a line of quotes', `Cats\n${'"'.repeat(80)}\nb x`, `> Cats\n> ${'"'.repeat(80)}\n> b x`],
    ['quotes of a shell', `a ${"'".repeat(50)} cats b`, `A ${String.raw`'\''`.repeat(50)} cats b`],
    [
      'a long run that is not seen',
      `cats${'\u200B'.repeat(90)} say no`,
      `CATS${'\u200B'.repeat(90)} say no`,
    ],
    ['lines of dashes', `a ${'- '.repeat(80)}b`, `a${'\n- - - -'.repeat(20)}\nb`],
  ])('replaces %s', (_, said, copy) => {
    expect(eraserOf(said).clean(copy)).toMatch(/^(?:> |x,")?\[erased\]"*$/);
  });

  it.each([
    ['a heading of a mail', 'the vault is deep', 'Subject: =E8=9C=9C a vault is deep'],
    ['a list', 'buy two ferrets', '- buy\n- two\n- cages'],
    ['a subtraction', 'first + second', 'first\nsecond'],
  ])('leaves %s that is another text', (_, said, text) => {
    expect(eraserOf(said).clean(text)).toBe(text);
  });

  it('replaces any text, however often it was escaped', () => {
    const xml = (text: string): string =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    const json = (text: string): string => JSON.stringify(text).slice(1, -1);
    const ofGo = (text: string): string =>
      json(text).replaceAll('&', '\\u0026').replaceAll('<', '\\u003c');
    const escapes = [json, xml, ofGo];
    const said = fc.stringMatching(/^[a猫]{2}[a猫 "'\\&<>;ltu0mp]{6,20}[a猫]{2}$/);
    fc.assert(
      fc.property(said, fc.array(fc.constantFrom(...escapes), { maxLength: 4 }), (text, ways) => {
        let escaped = text;
        for (const escape of ways) escaped = escape(escaped);
        const rest = eraserOf(text, 'other words', `${text.slice(0, 9)} and more`).clean(escaped);
        expect(rest).toBe(ERASED);
      }),
    );
  });

  it.each([
    ['decomposed Hangul', '한국어 비밀 문장입니다'.normalize('NFD')],
    ['decomposed Tamil', 'தொகொ கொடொ பொகொ'.normalize('NFD')],
    ['a letter with five marks', 'a\u0301\u0302\u0303\u0304\u0305 secret'],
    ['characters that composing takes apart', '\uFB2B\u0F69 a secret'],
    ['half-width voiced marks', 'ｶﾞｶﾞｶﾞｶﾞｶﾞ'],
    ['a wide backslash', '全角＼の文字列です'],
    ['spaces around a backslash', String.raw`a \ b \ secret`],
    ['a command of TeX', String.raw`the \textbf{word} and \newline`],
    ['many backslashes', `secret${'\\'.repeat(200)}words`],
  ])('replaces %s verbatim and as JSON of ASCII', (_, said) => {
    const ascii = JSON.stringify(said).replaceAll(
      /[^\0-\x7F]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const eraser = eraserOf(said);
    expect(eraser.clean(`x ${said} y`)).toBe(`x ${ERASED} y`);
    expect(eraser.clean(`x ${ascii} y`)).toBe(`x "${ERASED}" y`);
  });

  it.each([
    ['composed', '한국어 비밀 문장입니다', '한국어 비밀 문장입니다'.normalize('NFD')],
    ['decomposed', '한국어 비밀 문장입니다'.normalize('NFD'), '한국어 비밀 문장입니다'],
  ])('replaces Hangul that was said %s, in the other form', (_, said, copy) => {
    expect(eraserOf(said).clean(`x ${copy} y`)).toBe(`x ${ERASED} y`);
  });

  it.each([
    ['OK         1', 'The book 12'],
    ['x        =', 'let x = 5; max = 6'],
    ['あ　　　　　い', 'あ い、あ\nい'],
    ['- [ ]    x', '- [ ] x'],
    ['i     =   0', 'let i = 0'],
    ['＼＼＼＼＼＼＼＼ab', 'table'],
    ['e\u0301e\u0301e\u0301e\u0301', 'éééé'],
    ['＼＼＼＼＼＼＼＼', 'some words that are long enough'],
  ])('leaves what says little without its spaces and marks: %j', (said, text) => {
    expect(eraserOf(said).clean(text)).toBe(text);
    expect(eraserOf(said).isHeldIn(text)).toBe(false);
    expect(eraserOf(said).isHeldIn(text.replaceAll(' ', ' '.repeat(20)))).toBe(false);
  });

  it('takes time in line with the text', () => {
    const eraser = eraserOf(SAID, 'a b c d e f', '%25 and +');
    const backslashes = '\\'.repeat(400_000);
    expect(eraser.clean(backslashes)).toBe(backslashes);
    for (const sign of [
      ' ',
      '\n> ',
      '%25',
      '+',
      '&amp;',
      String.raw`\n`,
      'か\n',
      '＼',
      '%5C',
      '＼\\',
    ])
      expect(eraser.clean(sign.repeat(50_000)).length).toBe(sign.length * 50_000);
  });

  it('keeps many escaped breaks where no piece has a space', () => {
    const said = 'n'.repeat(300);
    const breaks = String.raw`\n`.repeat(10_000);
    expect(eraserOf(`${said}x`).clean(breaks)).toBe(breaks);
  });

  it('gives the same string where there is nothing', () => {
    const text = 'The vault is closed.';
    expect(eraserOf(SAID).clean(text)).toBe(text);
    expect(new Eraser('Alice').clean(SAID)).toBe(SAID);
  });

  it('leaves words that anyone says', () => {
    const eraser = eraserOf('yes', 'はい', 'OK.', '', String.raw`a\\\\\\\\b`);
    expect(eraser.clean('yes. はい。 OK. ab')).toBe('yes. はい。 OK. ab');
  });

  it('prefers the longest piece, and does not learn its own mark', () => {
    const eraser = eraserOf('secret one', 'secret one and two', ERASED);
    expect(eraser.clean('secret one and two!')).toBe(`${ERASED}!`);
    expect(eraser.clean(`${ERASED} stays`)).toBe(`${ERASED} stays`);
  });

  it.each([
    ['alice', true],
    [' ALICE ', true],
    ['Ａｌｉｃｅ', true],
    ['Alice B.', false],
    ['', false],
    [undefined, false],
  ])('takes %j for the speaker: %s', (name, is) => {
    expect(new Eraser('Alice').isSpeaker(name)).toBe(is);
  });

  it.each([
    ['Ann', 'Ann said so, Anna did not. ANN!', `${ERASED} said so, Anna did not. ${ERASED}!`],
    ['佐藤', '佐藤さんと佐藤氏', `${ERASED}さんと${ERASED}氏`],
    ['Ann', '同席者はAnn、Annaです', `同席者は${ERASED}、Annaです`],
    ['a+b', 'a+b aab', `${ERASED} aab`],
  ])('replaces mentions of %s if asked to', (name, text, expected) => {
    expect(new Eraser(name, { mentions: true }).clean(text)).toBe(expected);
    expect(new Eraser(name).clean(text)).toBe(text);
    expect(new Eraser(name).isMentioned(text)).toBe(true);
  });

  it.each([
    ['Alice: hello', `${ERASED}: hello`],
    ['[user]\n**Alice**: hello', `[user]\n**${ERASED}**: hello`],
    ['> 【ALICE】：やあ', `> 【${ERASED}】：やあ`],
    ['[system]\\nAlice: as JSON', `[system]\\n${ERASED}: as JSON`],
    ['I told Alice: no', 'I told Alice: no'],
    ['Alice said', 'Alice said'],
  ])('replaces the name where it labels a line: %j', (text, expected) => {
    expect(new Eraser('Alice').clean(text)).toBe(expected);
  });

  it('knows titles that were taken from what was said', () => {
    const eraser = eraserOf('How do I open the vault at night?');
    expect(eraser.isTakenFrom('How do I open the…')).toBe(true);
    expect(eraser.isTakenFrom('the vault at night')).toBe(true);
    expect(eraser.isTakenFrom('vault')).toBe(false);
    expect(eraser.isTakenFrom('Another title')).toBe(false);
  });

  it('cleans values, their short keys left, and is safe with __proto__', () => {
    const value = JSON.parse(
      '{"__proto__": {"x": "secret words"}, "a": ["secret words", 1, null]}',
    );
    const eraser = new Eraser('A');
    eraser.learnJson(['secret words', { deep: 'other secrets' }] satisfies JsonValue);
    expect(JSON.stringify(eraser.cleanJson(value))).toBe(
      `{"__proto__":{"x":"${ERASED}"},"a":["${ERASED}",1,null]}`,
    );
    expect(eraser.clean('other secrets')).toBe(ERASED);
  });

  it('cleans names of fields that are words, and keeps every value', () => {
    const eraser = eraserOf(
      'Which vault is the deepest one?',
      '蜜柑畑の秘密は北にある',
      'description',
    );
    const value = {
      answers: {
        'Which vault is the deepest one?': 'B',
        蜜柑畑の秘密は北にある: 'C',
        [ERASED]: 'D',
      },
      description: 1,
      'a b': 2,
    };
    expect(eraser.cleanJson(value)).toEqual({
      answers: { [ERASED]: 'B', [`${ERASED} 2`]: 'C', [`${ERASED} 3`]: 'D' },
      description: 1,
      'a b': 2,
    });
  });

  it.each([
    ['Alice  Smith', 'alice smith'],
    ['\u200E\u202AAlice\u202C', 'Alice'],
    ['Ali\u00ADce', 'ALICE'],
    ['Strau\u00DF', 'STRAUSS'],
    ['Jose\u0301', 'Jos\u00E9'],
  ])('takes %j for %j', (name, speaker) => {
    expect(new Eraser(speaker).isSpeaker(name)).toBe(true);
  });

  it.each([
    ['Alice Smith', 'AliceSmith'],
    ['Alice', 'Alicia'],
    ['Jose', 'Jos\u00E9'],
    ['\u200B', 'Alice'],
  ])('does not take %j for %j', (name, speaker) => {
    expect(new Eraser(speaker).isSpeaker(name)).toBe(false);
  });

  it('keeps every one of many fields whose names become alike', () => {
    const lines = Array.from({ length: 40_000 }, (_, at) => `the line number ${at} of a text`);
    const eraser = eraserOf(...lines);
    const cleaned = eraser.cleanJson(Object.fromEntries(lines.map((line, at) => [line, at])));
    const names = Object.keys(objectOf(cleaned));
    expect(names).toHaveLength(lines.length);
    expect(names.slice(0, 3)).toEqual([ERASED, `${ERASED} 2`, `${ERASED} 3`]);
  });

  it.each([
    ['/w/src/parser.ts', '/w/src/parser.ts'],
    ['/w/the code of the vault.md', `/w/${ERASED}.md`],
  ])('makes of the path %s %s', (path, expected) => {
    expect(eraserOf('src/parser.ts', 'the code of the vault').path(path)).toBe(expected);
  });

  it('finds each of many pieces that begin alike', () => {
    const eraser = new Eraser('A');
    for (let index = 0; index < 500; index++)
      eraser.learn(`sentence number ${index} of the speaker`);
    const text = Array.from(
      { length: 500 },
      (_, index) => `quote: sentence number ${index} of the speaker`,
    );
    expect(eraser.clean(text.join('\n'))).not.toContain('sentence');
  });
});

describe('ErasureCounts', () => {
  it('adds up by place', () => {
    const counts = new ErasureCounts();
    expect(counts.isEmpty).toBe(true);
    counts.add('nodes');
    counts.add('history', 0);
    counts.add('nodes', 2);
    expect(counts.list()).toEqual([{ place: 'nodes', count: 3 }]);
  });

  const PLAN = 'the plan is zebraquartz at noon';
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  it.each<[string, JsonValue]>([
    ['as it is', { deep: [`past: ${PLAN}.`] }],
    ['as the name of a field', { [PLAN]: 1 }],
    ['wrapped', PLAN.replaceAll(' ', '\n  ')],
    ['cut off', `${PLAN.slice(0, -3)}…`],
    ['as an address', `https://example.com/?q=${encodeURIComponent(PLAN)}`],
    ['as Base64', base64(PLAN)],
    ['as Base64 of JSON', `data: ${base64(JSON.stringify({ id: 12, said: PLAN }))}`],
    ['as hex', Buffer.from(PLAN).toString('hex')],
    ['as Base64 of UTF-16', Buffer.from(PLAN, 'utf16le').toString('base64')],
  ])('finds what was said in a value, %s', (_, value) => {
    expect(eraserOf(PLAN).isHeldIn(value)).toBe(true);
    expect(eraserOf('other words altogether').isHeldIn(value)).toBe(false);
  });

  it.each<JsonValue>([
    { mode: 'the plan' },
    'the plan is another one',
    base64('something else, of some length'),
  ])('finds nothing of it in %j', (value) => expect(eraserOf(PLAN).isHeldIn(value)).toBe(false));

  it('reads long runs of white space once, also for a piece of many words', () => {
    const eraser = eraserOf(`${'n '.repeat(1000)}x`, 'the code of the vault');
    const text = `${String.raw`\n`.repeat(20_000)} the code of${' '.repeat(300)}\n> | ${'\n'.repeat(300)}the vault`;
    const erased = eraser.clean(text);
    expect(erased).not.toContain('vault');
  });

  it.each([
    ['Zebraquartz at lunch', true],
    ['A plan for noon', false],
    ['金庫の番号', true],
    ['鞄について', false],
  ])('a title that has a word of it: %s', (title, isShared) => {
    expect(eraserOf(PLAN, SAID).sharesWord(title)).toBe(isShared);
  });
});
