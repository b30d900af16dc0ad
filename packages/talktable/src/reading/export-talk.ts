import { TalkError } from '../errors.ts';
import type { Conversation, TalkTurn } from '../log/conversation.ts';
import { toHtml } from './html.ts';
import { toMarkdown } from './markdown.ts';

/** The format of an exported talk. */
export type TalkExportFormat = 'markdown' | 'json' | 'html';

/**
 * Returns a talk as a text.
 *
 * @throws TalkError with the code `invalid-input` for a format that there is not.
 */
export function exportTalk(
  conversation: Conversation,
  turns: readonly TalkTurn[],
  format: TalkExportFormat,
): string {
  switch (format) {
    case 'markdown':
      return toMarkdown(conversation, turns);
    case 'html':
      return toHtml(conversation, turns);
    case 'json':
      return toJson(conversation, turns);
    default:
      throw new TalkError(
        'invalid-input',
        `there is no format '${String(format)}': the formats are markdown, json and html`,
      );
  }
}

/** All that the log knows of a talk, prompts and decisions included. */
function toJson(conversation: Conversation, turns: readonly TalkTurn[]): string {
  const form = { format: 'vizprompt-talk', version: 1 };
  return `${JSON.stringify({ ...form, conversation, turns }, undefined, 2)}\n`;
}
