import type { Conversation } from '../log/conversation.ts';
import type { TalkTurn } from '../talk-turn.ts';

/** All that the log knows of a talk, prompts and decisions included. */
export function toJson(conversation: Conversation, turns: readonly TalkTurn[]): string {
  const form = { format: 'vizprompt-talk', version: 1 };
  return `${JSON.stringify({ ...form, conversation, turns }, undefined, 2)}\n`;
}
