import type { Conversation } from '../log/conversation.ts';
import { isSpoken, type TalkTurn } from '../talk-turn.ts';
import { describeAudience, describeSpeakers } from './describe.ts';

/** A talk to read: a heading for each turn. What was said is Markdown of its own, and left as it is. */
export function toMarkdown(conversation: Conversation, turns: readonly TalkTurn[]): string {
  const { topic, startedAt, stopReason } = conversation;
  const facts = [
    ...describeSpeakers(conversation).map(({ name, role }) => `- ${inline(name)}: ${inline(role)}`),
    `- ${startedAt}${stopReason === undefined ? '' : `, ${inline(stopReason)}`}`,
  ];
  const sections = turns.filter(isSpoken).map((turn) => {
    const { number, speaker, status, text, error } = turn;
    const state = status === 'done' ? '' : ` (${status})`;
    const notes = [
      ...(turn.visibleTo ? [`_${inline(describeAudience(turn.visibleTo))}_`] : []),
      ...(error ? [`_${inline(error.message)}_`] : []),
    ];
    return [`## ${number}. ${inline(speaker)}${state}`, ...notes, withDeeperHeadings(text)]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  return `${[`# ${inline(topic)}`, facts.join('\n'), ...sections].join('\n\n')}\n`;
}

/** Text on a line of our own is text, and nothing of Markdown. */
function inline(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>#|]/g, String.raw`\$&`);
}

/**
 * Headings within a turn stand below the heading of the turn, and no block, of code or of HTML, goes on
 * into the turns after it. What stands in blocks of code is left as it is.
 */
function withDeeperHeadings(text: string): string {
  let fence: string | undefined;
  const lines = text
    .toWellFormed()
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, mark, info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
      if (fence !== undefined) {
        if (mark?.startsWith(fence) && info.trim() === '') fence = undefined;
        return line;
      }
      if (mark !== undefined && !(mark.startsWith('`') && info.includes('`'))) fence = mark;
      if (fence !== undefined) return line;
      return line
        .replace(/^( {0,3})(#{1,4})(?=\s)/, '$1##$2')
        .replace(/^( {0,3})<(?=[a-z/!?])/i, String.raw`$1\<`);
    });
  // A block that the speaker left open must not swallow the turns after it.
  return [...lines, ...(fence === undefined ? [] : [fence])].join('\n');
}
