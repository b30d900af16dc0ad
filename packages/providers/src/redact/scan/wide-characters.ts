/** Characters of other scripts, and the ASCII ones that mean the same to a reader. */
const SAME: readonly (readonly [ascii: string, others: string])[] = [
  [
    '"',
    '\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\u3008\u3009\u300a\u300b\uff62\uff63\u301d\u301e\u301f',
  ],
  ["'", '\u2018\u2019\u201a\u201b\u2039\u203a'],
  [' ', '\u00a0\u3000\u2002\u2003\u2007\u2009\u202f'],
  ['|', '\u2502\u2503\u2551\u258f'],
  ['[', '\u3010\u3014'],
  // A heading in brackets is followed by what it names: \u3010API_KEY\u3011abc.
  [':', '\u3011\u3015\u2236\ufe55'],
  ['-', '\u2010\u2011\u2212'],
];

/** Zero-width characters and the byte order mark, which come with copied text. */
const NOTHING = '\u200b\u200c\u200d\u2060\ufeff\u00ad';

const FIRST_FULL_WIDTH = 0xff01;
const LAST_FULL_WIDTH = 0xff5e;
const FULL_WIDTH_OFFSET = 0xfee0;
const KNOWN = 0x80;

/** For each UTF-16 unit: 0, or 128 plus the ASCII character that it represents, or 128 if it represents none. */
export const WIDE: Uint8Array = tableOfWide();

function tableOfWide(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let code = FIRST_FULL_WIDTH; code <= LAST_FULL_WIDTH; code++) {
    table[code] = KNOWN | (code - FULL_WIDTH_OFFSET);
  }
  for (const [ascii, others] of SAME) {
    for (const other of others) table[other.charCodeAt(0)] = KNOWN | ascii.charCodeAt(0);
  }
  for (const character of NOTHING) table[character.charCodeAt(0)] = KNOWN;
  return table;
}
