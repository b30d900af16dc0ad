import { visibleText } from '@vizprompt/providers';
import type { Conversation } from '../log/conversation.ts';
import { isSpoken, type TalkTurn } from '../talk-turn.ts';
import { describeSpeakers, notesOf } from './describe.ts';
import { quoted } from './quoted.ts';

/** A talk to read: a heading for each turn, and what was said, which is Markdown of its own, as a quote. */
export function toMarkdown(conversation: Conversation, turns: readonly TalkTurn[]): string {
  const { topic, startedAt, status: ending, stopReason } = conversation;
  const facts = [
    ...describeSpeakers(conversation).map(({ name, role }) => `- ${inline(name)}: ${inline(role)}`),
    `- ${[startedAt, ending, ...(stopReason === undefined ? [] : [inline(stopReason)])].join(', ')}`,
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
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>#|~&!]/g, String.raw`\$&`)
    .replace(/^ ?([-+=])/, String.raw`\$1`)
    .replace(/^ ?(\d+)([.)])/, String.raw`$1\$2`);
}
