/**
 * What was said, as a block quote: it bounds open blocks of code, and keeps headings inside. HTML is
 * shown as text, since a tag that is left open would reach beyond the quote in a browser.
 */
export function quoted(text: string): string {
  const lines = text
    .toWellFormed()
    .trimEnd()
    .split(/\r\n|\r|\n/);
  const isCode = codeLines(lines);
  return lines
    .map((line, at) => {
      // An entity, since a backslash before it may be escaped itself.
      const safe = isCode[at] === true ? line : line.replaceAll(/<(?=[a-z/!?])/gi, '&lt;');
      return safe === '' ? '>' : `> ${safe}`;
    })
    .join('\n');
}

/**
 * Which lines are code for certain, so that they are left as they are: those between fences that begin
 * their line. Where any other fence makes that doubtful, such as one within a list, none is.
 */
function codeLines(lines: readonly string[]): readonly boolean[] {
  let fence: string | undefined;
  let isDoubtful = false;
  const isCode = lines.map((line) => {
    if (fence === undefined) {
      fence = /^(`{3,})[^`]*$/.exec(line)?.[1] ?? /^(~{3,})/.exec(line)?.[1];
      isDoubtful ||= fence === undefined && /`{3}|~{3}/.test(line);
      return false;
    }
    const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
    if (mark?.startsWith(fence) === true) {
      fence = undefined;
      return false;
    }
    isDoubtful ||= line.includes(fence.slice(0, 3));
    return true;
  });
  return isDoubtful ? [] : isCode;
}
