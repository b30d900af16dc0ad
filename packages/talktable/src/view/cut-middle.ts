import type { TokenCounter } from '@vizprompt/providers';

/** A text that is too long, without its middle; its beginning and end say most. */
export function cutMiddle(
  text: string,
  tokens: number,
  counter: TokenCounter,
  mark: string,
): string {
  let room = tokens;
  // The density of a text differs from place to place: a few rounds come near enough.
  for (let round = 0; round < 8; round++) {
    const share = room / Math.max(1, counter.count(text).tokens);
    const side = Math.max(0, Math.floor((text.length * share) / 2) - mark.length);
    const cut = `${head(text, side)}${mark}${tail(text, side)}`;
    if (side === 0 || counter.count(cut).tokens <= tokens) return cut;
    room *= 0.85;
  }
  return mark;
}

/** Never half of a character. */
function head(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

function tail(text: string, length: number): string {
  return length === 0 ? '' : text.slice(-length).replace(/^[\udc00-\udfff]/, '');
}
