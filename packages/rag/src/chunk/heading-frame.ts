/** Brackets around a heading, and marks next to it. */
const FRAME =
  /^(?:【(?<a>[^【】]+)】|〈(?<b>[^〈〉]+)〉|《(?<c>[^《》]+)》|［(?<d>[^［］]+)］|〔(?<e>[^〔〕]+)〕|\[(?<f>[^[\]]+)\]|<(?<g>[^<>]+)>|＜(?<h>[^＜＞]+)＞|≪(?<i>[^≪≫]+)≫|（(?<j>[^（）]+)）)(?<rest>.*)$/u;
const SIGN = '■□◆◇●○◎★☆▼▽▲△♦♢✦✧❖§†‡＊*＃#・~～―—–－=＝〜_-';
const SIGNS_BEFORE = new RegExp(`^[${SIGN}]{1,10}\\s*`, 'u');
/** Matches the marks after what a heading says. */
export const SIGNS_AFTER: RegExp = new RegExp(`\\s*[${SIGN}]{1,10}$`, 'u');

/** Returns a line without the brackets and marks around what it says. */
export function withoutFrame(text: string): string {
  const bare = text.replace(SIGNS_BEFORE, '').replace(SIGNS_AFTER, '');
  const groups = FRAME.exec(bare)?.groups;
  if (groups === undefined) return bare;
  const { rest = '', ...inner } = groups;
  const inside = Object.values(inner).find((each) => each !== undefined) ?? '';
  return `${inside.trim()}${rest.trim() === '' ? '' : ` ${rest.trim()}`}`;
}
