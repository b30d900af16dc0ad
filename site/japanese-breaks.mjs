/** Characters of Japanese, between which no space is written. */
const JAPANESE = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/;

/**
 * Joins lines of Japanese without the space that HTML makes of a line break, also where one ends or begins with markup. The
 * package markdown-it-cjk-breaks 2.0.0 throws there.
 *
 * @param md - A parser of markdown-it.
 */
export function japaneseBreaks(md) {
  md.core.ruler.push('japanese-breaks', ({ tokens }) => {
    for (const { children } of tokens) if (children) joinLines(children);
  });
}

function joinLines(parts) {
  for (const [at, part] of parts.entries()) {
    if (part.type !== 'softbreak') continue;
    const before = parts.slice(0, at).findLast(hasText)?.content.at(-1) ?? '';
    const after =
      parts
        .slice(at + 1)
        .find(hasText)
        ?.content.at(0) ?? '';
    if (!JAPANESE.test(before) || !JAPANESE.test(after)) continue;
    part.type = 'text';
    part.content = '';
  }
}

function hasText({ content }) {
  return content !== '';
}
