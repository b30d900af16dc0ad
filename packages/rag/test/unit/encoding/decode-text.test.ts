import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/encoding/decode-text.ts';

const hex = (bytes: string): Uint8Array =>
  Uint8Array.from(Buffer.from(bytes.replaceAll(' ', ''), 'hex'));

/** `吾輩は猫である。\n名前はまだ無い。` */
const TEXT = '吾輩は猫である。\n名前はまだ無い。';
const ENCODED: Readonly<Record<string, Uint8Array>> = {
  'UTF-8': Buffer.from(TEXT),
  'UTF-16, little first': Buffer.from(`\ufeff${TEXT}`, 'utf16le'),
  'UTF-16, big first': Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16(),
  Shift_JIS: hex(
    '8ce1 9479 82cd 944c 82c5 82a0 82e9 8142 0a 96bc 914f 82cd 82dc 82be 96b3 82a2 8142',
  ),
  'EUC-JP': hex(
    'b8e3 c7da a4cf c7ad a4c7 a4a2 a4eb a1a3 0a ccbe c1b0 a4cf a4de a4c0 ccb5 a4a4 a1a3',
  ),
  'ISO-2022-JP': hex(
    '1b2442 3863 475a 244f 472d 2447 2422 246b 2123 1b2842 0a 1b2442 4c3e 4130 244f 245e 2440 4c35 2424 2123 1b2842',
  ),
};

describe('decodeText', () => {
  it.each(Object.entries(ENCODED))('reads %s', (_, bytes) => {
    expect(decodeText(bytes)).toBe(TEXT);
  });

  it.each(Object.entries(ENCODED))('reads the beginning of %s, cut anywhere', (name, bytes) => {
    const head = decodeText(
      bytes.subarray(0, bytes.length - 1 - (name === 'ISO-2022-JP' ? 3 : 0)),
      true,
    );
    expect(TEXT.startsWith(head ?? 'nothing')).toBe(true);
  });

  it.each(['utf16le', 'utf16be'])('reads %s without a byte order mark', (encoding) => {
    for (const text of [TEXT, 'The lamp\r\nwas lit.', `第一章\n\n「もう、①つ」`]) {
      const bytes = Buffer.from(text, 'utf16le');
      expect(decodeText(encoding === 'utf16le' ? bytes : bytes.swap16())).toBe(text);
    }
  });

  it('refuses two encodings in one file, and switches to unknown characters', () => {
    const shiftJis = ENCODED['Shift_JIS'] ?? new Uint8Array();
    expect(decodeText(Buffer.concat([Buffer.from('まずは港へ。\n'), shiftJis]))).toBeUndefined();
    expect(decodeText(Buffer.concat([shiftJis, Buffer.from('\nまずは港へ。')]))).toBeUndefined();
    // JIS X 0213 in ISO-2022-JP-3.
    expect(decodeText(hex('1b24284f 2d21 1b2842'))).toBeUndefined();
    expect(decodeText(Buffer.from('a\0b'))).toBe('a\0b');
  });

  it.each([
    'あいあいあい\u0007',
    '\u001b$ ラベル',
    'もう一度\u0000',
    '\u001b[31mERROR\u001b[0m cannot open the lamp.\n',
    // In UTF-16 `0m` is ね, and small letters are kanji.
    `\u001b[0m${'thelamp'.repeat(8)}`.repeat(4),
  ])('reads UTF-8 with controls: %j', (text) => {
    expect(decodeText(Buffer.from(text))).toBe(text);
    expect(decodeText(Buffer.from(`${text}.`))).toBe(`${text}.`);
  });

  it('refuses what it is not sure of', () => {
    expect(decodeText(hex('93 94'))).toBeUndefined();
    expect(decodeText(Buffer.from('Café à la crème brûlée', 'latin1'))).toBeUndefined();
    expect(decodeText(hex('ff fe 00 d8 00 00'))).toBeUndefined();
    // UTF-32.
    expect(decodeText(hex('ff fe 00 00 6f 70 00 00'))).toBeUndefined();
    expect(decodeText(hex('00 00 fe ff 00 00 70 6f'))).toBeUndefined();
    expect(decodeText(Uint8Array.from({ length: 256 }, (_, byte) => byte))).toBeUndefined();
  });
});

describe('texts with few kana, or characters of one maker', () => {
  /** As Python 3.12 encodes them. */
  it.each([
    ['a title', '第一章　港', '91e688ea8fcd81408d60'],
    ['a list', '1. 人物\n2. 世界\n3. 年表\n', '312e20906c95a80a322e2090a28a450a332e20944e955c0a'],
    ['names', '髙橋、﨑山、①㈱', 'eee08bb48141ed958e5281418740878a'],
    ['half-width kana', 'ﾐﾅﾄは港へ行った。', 'd0c5c482cd8d6082d68d7382c182bd8142'],
  ])('Shift_JIS: %s', (_, text, bytes) => {
    expect(decodeText(hex(bytes))).toBe(text);
  });

  it.each([
    ['ISO-2022-JP: kana between SO and SI', 'ﾐﾅﾄは港へ', '0e5045440f1b2442244f394124581b2842'],
    ['ISO-2022-JP: kana with eight bits', 'aﾐﾅﾄ\nは港へ', '61d0c5c40a1b2442244f394124581b2842'],
    [
      'ISO-2022-JP: kana with eight bits next to kanji',
      'はﾐ\\港',
      '1b2442244f1b2842d05c1b244239411b2842',
    ],
  ])('%s', (_, text, bytes) => {
    expect(decodeText(hex(bytes))).toBe(text);
  });

  it.each([
    ['ﾈｺ', 'c8ba'],
    ['ﾑｶ', 'd1b6'],
    ['ﾊｲ', 'cab2'],
    ['ﾆｭ', 'c6ad'],
    ['ﾃｰ', 'c3b0'],
    ['ﾈｺ ﾃｰ', 'c8ba20c3b0'],
  ])('ISO-2022-JP: kana with eight bits that are UTF-8: %s', (kana, bytes) => {
    const mail = '1b2442244f394124581b2842';
    expect(decodeText(hex(`${mail}0a${bytes}`))).toBe(`は港へ\n${kana}`);
    expect(decodeText(hex(`${bytes}${mail}${bytes}`))).toBe(`${kana}は港へ${kana}`);
  });

  it.each(['café', 'été', 'Ærø', 'à la', 'ł', 'море', '港', 'é ü 港'])(
    'ISO-2022-JP: not what is UTF-8 with switches in it: %s',
    (word) => {
      for (const jis of ['$"', '$O9A$X$O9A$X']) {
        const text = `${word} \u001b$B${jis}\u001b(B`;
        expect(decodeText(Buffer.from(text))).toBe(text);
      }
    },
  );

  it('ISO-2022-JP: kana in a large text, soon', () => {
    const bytes = hex('61d0c5c40a1b2442244f394124581b2842');
    const many = Buffer.concat(Array.from({ length: 400_000 }, () => bytes));
    // Quadratic time would run into the time limit of a test.
    const text = decodeText(many);
    expect(text).toBe('aﾐﾅﾄ\nは港へ'.repeat(400_000));
  });

  it('ISO-2022-JP: half-width kana alone', () => {
    expect(decodeText(hex('1b2849 3132333435 1b2842'))).toBe('ｱｲｳｴｵ');
  });

  it.each([
    ['a Windows text in English', '9348656c6c6f2c9420736865207361696420 93446f6e92742094'],
    ['a Mac text in French', 'd4746573 20 8e748e 20 747282 8f73'],
    ['kanji in EUC-JP, which may be Chinese', 'bdd5b2c6bdaac5df c5ecc0beC6eeCbcc'],
    ['Chinese in GBK', 'b5c6cbfeb5c4d4e7b3bfa3acbaa3c3e6'],
    ['Chinese in Big5', 'a5d0a4a4a4d3ada6'],
    ['half-width kana in EUC-JP alone', '8eb18eb28eb38eb48eb5'],
    ['Russian in KOI8-R', 'f3cdcfd4d2c9d4c5ccd8 20 cdc1d1cbc1'],
  ])('refuses what may be another: %s', (_, bytes) => {
    expect(decodeText(hex(bytes))).toBeUndefined();
  });
});
