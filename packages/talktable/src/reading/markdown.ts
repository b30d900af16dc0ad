import { visibleText } from '@vizprompt/providers/internal';
import { type Conversation, type TalkTurn } from '../log/conversation.ts';
import { describeSpeakers, notesOf } from './describe.ts';
import { isSpoken } from '../plan/moderator.ts';

/** Returns a talk to read: a heading for each turn, and what was said, which is Markdown of its own, as a quote. */
export function toMarkdown(conversation: Conversation, turns: readonly TalkTurn[]): string {
  const { topic, startedAt, status: ending, stopReason, damaged } = conversation;
  const facts = [
    ...describeSpeakers(conversation).map(({ name, role }) => `- ${inline(name)}: ${inline(role)}`),
    `- ${[startedAt, ending, ...(stopReason === undefined ? [] : [inline(stopReason)])].join(', ')}`,
    ...(damaged === undefined ? [] : [`- ${inline(damaged)}`]),
  ];
  const sections = turns.filter(isSpoken).map((turn) => {
    const { number, speaker, status, text } = turn;
    const state = status === 'done' ? '' : ` (${status})`;
    const notes = notesOf(turn).map((note) => `_${inline(note)}_`);
    return [
      `## ${number}. ${inline(speaker)}${state}`,
      ...notes,
      text.trim() === '' ? '' : quoted(visibleText(text)),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  return `${[`# ${inline(topic)}`, facts.join('\n'), ...sections].join('\n\n')}\n`;
}

/** Text on a line of our own is text, and nothing of Markdown. */
function inline(text: string): string {
  return visibleText(text)
    .toWellFormed()
    .replaceAll(/\s\s*/g, ' ')
    .replaceAll(/[\\`*_[\]<>#|~&!]/g, String.raw`\$&`)
    .replace(/^ ?([-+=])/, String.raw`\$1`)
    .replace(/^ ?(\d\d*)([.)])/, String.raw`$1\$2`);
}

/**
 * Returns the words of a turn as a block quote: it bounds open blocks of code, and keeps headings inside. HTML is
 * shown as text, since a tag that is left open would reach beyond the quote in a browser; so are
 * definitions of links, which hold for the whole document.
 */
function quoted(text: string): string {
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
const MARKS = /(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){0,1000}[ \t]*/y;

/** Returns a line without its marks, of which it may have millions: more than one match has room for. */
function withoutMarks(line: string): string {
  let at = 0;
  for (let from = -1; at > from;) {
    from = at;
    MARKS.lastIndex = from;
    if (MARKS.test(line)) at = MARKS.lastIndex;
  }
  return line.slice(at);
}

/**
 * Checks whether a line may begin the definition of a link or a footnote. It would not be shown, and would make
 * links of what others say. Its label may continue over several lines.
 */
function mayDefine(lines: readonly string[], at: number): boolean {
  const said = withoutMarks(lines[at] ?? '');
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
      fence = /^(`{3}`*)[^`]*$/.exec(line)?.[1] ?? /^(~{3}~*)/.exec(line)?.[1];
      isDoubtful ||= fence === undefined && /`{3}|~{3}/.test(line);
      return false;
    }
    const mark = /^ {0,3}(`{3}`*|~{3}~*)[ \t]*$/.exec(line)?.[1];
    if (mark?.startsWith(fence) === true) {
      fence = undefined;
      return false;
    }
    isDoubtful ||= line.includes(fence.slice(0, 3));
    return true;
  });
  return isDoubtful ? [] : isCode;
}
