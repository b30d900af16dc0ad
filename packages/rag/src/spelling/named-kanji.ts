import { JIS_LEVELS } from './jis-levels-table.ts';

/** A character that Aozora Bunko describes, with its code point or its place in JIS X 0213: ※［＃「區＋鳥」、第3水準1-94-69］. */
const NAMED =
  /※［＃(?=[^［］\n]{1,120}］)(?:[^［］\n]{0,110}?[、，])?(?:U\+(?<code>[\dA-Fa-f]{4,6}(?![\dA-Fa-f]))|(?:第[34３４]水準)?(?<plane>[12])-(?<row>\d{1,2})-(?<cell>\d{1,2}))[^［］\n]{0,40}］/uy;
const CELLS = 94;
/** Kanji are in planes up to this one, signs too. */
const LAST_CODE = 0x3ffff;
/** Characters that are not printed: half of a pair, controls, line breaks, fillers, private ones, none. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

let rows: ReadonlyMap<number, readonly string[]> | undefined;

/** Returns the character that a note at an offset describes, and how long the note is. */
export function namedKanjiAt(
  text: string,
  at: number,
): { readonly length: number; readonly shown: string } | undefined {
  NAMED.lastIndex = at;
  const { 0: all = '', groups } = NAMED.exec(text) ?? { groups: undefined };
  if (!groups) return undefined;
  const { code, plane, row, cell } = groups;
  const shown =
    code === undefined
      ? characterIn(Number(plane), Number(row), Number(cell))
      : characterOf(Number.parseInt(code, 16));
  return shown === undefined ? undefined : { length: all.length, shown };
}

function characterOf(code: number): string | undefined {
  if (code > LAST_CODE) return undefined;
  const character = String.fromCodePoint(code);
  return UNSEEN.test(character) ? undefined : character;
}

function characterIn(plane: number, row: number, cell: number): string | undefined {
  if (row < 1 || row > CELLS || cell < 1 || cell > CELLS) return undefined;
  rows ??= new Map(
    Array.from(JIS_LEVELS.matchAll(/(\d{3}) ([^ ]+) /gu), ([, place = '', cells = '']) => {
      return [Number(place), Array.from(cells)] as const;
    }),
  );
  const kanji = rows.get(100 * plane + row)?.[cell - 1];
  if (kanji !== undefined && kanji !== '\u3000') return kanji;
  return plane === 1 ? inJis0208(row, cell) : undefined;
}

/** Signs, and kanji that JIS X 0208 has as well. */
function inJis0208(row: number, cell: number): string | undefined {
  const decoded = new TextDecoder('euc-jp').decode(Uint8Array.of(0xa0 + row, 0xa0 + cell));
  return decoded.includes('\ufffd') ? undefined : decoded;
}
