/**
 * What was said, as a block quote: it bounds open blocks of code, and keeps headings inside. HTML is
 * shown as text, since a tag that is left open would reach beyond the quote in a browser; so are
 * definitions of links, which hold for the whole document.
 */
export function quoted(text: string): string {
  const lines = text
    .toWellFormed()
    .trimEnd()
    .split(/\r\n|\r|\n/);
  const isCode = codeLines(lines);
  return lines
    .map((line, at) => {
      if (isCode[at] === true) return line;
      // Entities, since a backslash before them may be escaped itself.
      const plain = line.replaceAll(/<(?=[a-z/!?])/gi, '&lt;');
      return mayDefine(lines, at) ? plain.replace('[', '&#91;') : plain;
    })
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** The marks of quotes and of lists, before what a line says. */
const MARKS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/;

/**
 * Whether a line may begin the definition of a link or a footnote. It would not be shown, and would make
 * links of what others say. Its label may go on over several lines.
 */
function mayDefine(lines: readonly string[], at: number): boolean {
  const said = lines[at]?.replace(MARKS, '') ?? '';
  if (!said.startsWith('[')) return false;
  const end = lines.findIndex((line, other) => other > at && line.trim() === '');
  const paragraph = lines.slice(at, end < 0 ? undefined : end);
  return paragraph.some((line) => line.includes(']:'));
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
