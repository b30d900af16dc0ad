import type { ImportedConversation, ImportedMessage, MessagePart } from './conversation.ts';

/** A conversation with a warning for what it holds little of. */
export interface Judged {
  readonly conversation: ImportedConversation;
  /** There is nothing at all in it. */
  readonly isEmpty: boolean;
}

/**
 * Judges what was read of a conversation, so that none whose texts no reader has understood counts as plainly
 * imported.
 */
export function judge(conversation: ImportedConversation): Judged {
  const { messages, warnings } = conversation;
  const parts = messages.flatMap((message) => message.parts);
  const isEmpty = parts.every((part) => part.type === 'text' && part.text.trim() === '');
  const isMute = !parts.some(isSpoken);
  const strange = messages.filter(isStrange).length;
  const found = [
    ...(isMute && !isEmpty ? ['no text in it is known: all that it holds is kept as data'] : []),
    ...(strange > 0 ? [`${strange} messages hold nothing that is known: it is kept as data`] : []),
  ];
  return { conversation: { ...conversation, warnings: [...warnings, ...found] }, isEmpty };
}

/** Checks whether a part is something that was said or done. */
function isSpoken(part: MessagePart): boolean {
  if (part.type === 'data') return part.kind === 'text';
  return part.type !== 'text' || part.text.trim() !== '';
}

/** Checks whether a speaker wrote a message of which nothing was understood. */
function isStrange({ role, parts }: ImportedMessage): boolean {
  if (role === 'system' || role === 'tool') return false;
  return parts.some(({ type }) => type === 'data') && !parts.some(isKnown);
}

function isKnown(part: MessagePart): boolean {
  return isSpoken(part) || (part.type === 'data' && part.kind !== 'rest');
}
