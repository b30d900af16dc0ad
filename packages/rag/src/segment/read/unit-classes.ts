import { expansionOf, foldOf, LINE_BREAK, SIGNS } from '../../rank/fold-text.ts';

function unitsIn(text: string): ReadonlySet<number> {
  return new Set(Array.from(text, (unit) => unit.charCodeAt(0)));
}

export const ITERATION: ReadonlySet<number> = unitsIn('ゝゞヽヾ');
/** They may be read as a long vowel. A new dash belongs in `SAME_SIGNS` of fold-text.ts, too. */
const DASHES = unitsIn('―‐−～〜－—─‑');
export const OPENING: ReadonlySet<number> = unitsIn('《≪（(');
export const CLOSING: ReadonlySet<number> = unitsIn('》≫）)');
export const BASE: ReadonlySet<number> = unitsIn('｜|');
/** Those that may begin or be other markup. */
const MARKUP = unitsIn('［］[]*~=_`\\<>&{}#＊＝～＿｀＜＞＆｛｝＃〔〕＼〱〲〳〴〵');
/** Characters that are read as they are, and have no marks, directions or joiners among them. */
const READ_AS_WRITTEN =
  /^[!-~\u00a1-\u00ac\u00ae-\u036f\u0391-\u0482\u048a-\u0556\u2010-\u2027\u2030-\u205e\u2070-\u20cf\u2100-\u2bff\u3001-\u3029\u3030-\u3098\u309b-\u30ff\u3105-\u318e\u31f0-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff9d\uffe0-\uffee]$/u;

/** The classes of units. */
export const SETTLED = 1;
export const WHITE = 2;
export const BREAKING = 3;
/** An iteration mark. */
export const REPEATING = 4;
export const DASH = 5;
/** Its fold is several units. */
export const SEVERAL = 6;
/** Its reading depends on the characters around it. */
export const OPEN_ENDED = 7;

/** It is white and unseen at once. */
const BYTE_ORDER_MARK = 0xfeff;
/** The class of each unit that was asked for, or 0. */
const classes = new Uint8Array(65_536);

/** Returns the class of a UTF-16 unit. */
export function classOf(unit: number): number {
  const known = classes[unit] ?? 0;
  return known > 0 ? known : (classes[unit] = findClass(unit));
}

function findClass(unit: number): number {
  const character = String.fromCharCode(unit);
  if (unit === BYTE_ORDER_MARK) return OPEN_ENDED;
  if (/\s/u.test(character)) return LINE_BREAK.test(character) ? BREAKING : WHITE;
  if (ITERATION.has(unit)) return REPEATING;
  if (!READ_AS_WRITTEN.test(character) || MARKUP.has(unit)) return OPEN_ENDED;
  if (OPENING.has(unit) || CLOSING.has(unit) || BASE.has(unit)) return OPEN_ENDED;
  if (foldOf(unit) < SIGNS) return DASHES.has(unit) ? DASH : SETTLED;
  const isSolid = expansionOf(unit)?.every((one) => classOf(one) === SETTLED) ?? false;
  return isSolid ? SEVERAL : OPEN_ENDED;
}
