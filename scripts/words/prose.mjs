// Comments of programs, and paragraphs of pages, with the line where each begins.
import { withoutCode } from '../markdown.mjs';

const BLOCK_START = /^\s*\/\*\*?/;
const LINE = /^\s*(?:\/\/+(?!#| #)|#(?![!\w]))\s?(.*)$/;
const TRAILING = /[;,{}()\]>\w'"`] +\/\/ (.*)$/;

/** Lists the comments of a program. Lines that follow each other are one comment. */
export function commentsIn(text) {
  const comments = [];
  let current;
  let isBlock = false;
  const end = () => {
    if (current !== undefined)
      comments.push({ prose: current.lines.join('\n'), line: current.line });
    current = undefined;
  };
  text.split('\n').forEach((line, index) => {
    if (isBlock || BLOCK_START.test(line)) {
      if (!isBlock) end();
      current ??= { lines: [], line: index + 1 };
      isBlock = !line.includes('*/');
      const inner = line.replace(/^\s*(?:\/\*\*?|\*(?!\/))?\s?/, '').replace(/\s*\*\/.*$/, '');
      // A tag begins a sentence of its own: `@param id - The id.`
      current.lines.push(
        inner.replace(
          /^@\w+ (?:\[?[\w.]+\]?(?:=\S+)? - |\{[^}]*\} )?/,
          (tag) => `${tag.split(' ')[0]}: `,
        ),
      );
      if (!isBlock) end();
      return;
    }
    const whole = LINE.exec(line);
    if (whole) {
      current ??= { lines: [], line: index + 1 };
      current.lines.push(whole[1]);
      return;
    }
    end();
    const trailing = TRAILING.exec(line);
    if (trailing) comments.push({ prose: trailing[1], line: index + 1 });
  });
  end();
  return comments;
}

/** Lists the prose of a page: headings, paragraphs, items of lists and cells of tables. */
export function paragraphsIn(text) {
  const paragraphs = [];
  let current;
  const end = () => {
    if (current !== undefined)
      paragraphs.push({ prose: current.lines.join('\n'), line: current.line });
    current = undefined;
  };
  withoutCode(text)
    .split('\n')
    .forEach((line, index) => {
      if (/^\s*$|^\s*<!--.*-->\s*$/.test(line)) return end();
      if (/^\s*\|/.test(line)) {
        end();
        for (const cell of line.split(/(?<!\\)\|/))
          paragraphs.push({ prose: cell.trim(), line: index + 1 });
        return;
      }
      const start = /^\s*(?:[-*+] |\d+\. |#{1,6} |> )+/.exec(line);
      if (start) end();
      current ??= { lines: [], line: index + 1 };
      current.lines.push(
        line
          .slice(start?.[0].length ?? 0)
          .trimStart()
          .replace(/^\*\*/, ''),
      );
      if (line.startsWith('#')) end();
    });
  end();
  return paragraphs;
}
