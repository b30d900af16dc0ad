import type { Conversation, TalkTurn } from '../log/conversation.ts';

/** Describes the speakers and their roles. */
export function describeSpeakers({
  participants,
  moderator,
}: Conversation): readonly { readonly name: string; readonly role: string }[] {
  const role = (model: string | undefined, persona: string | undefined): string =>
    [model ?? 'a person', persona].filter(Boolean).join(', ');
  return [
    ...participants.map(({ name, model, persona }) => ({ name, role: role(model, persona) })),
    ...(moderator
      ? [{ name: moderator.name, role: `${role(moderator.model, moderator.persona)} (moderator)` }]
      : []),
  ];
}

/** Returns what a reader should know of a turn besides its words. */
export function notesOf({ visibleTo, error, finishReason }: TalkTurn): readonly string[] {
  const isCut = finishReason === 'length' || finishReason === 'content-filter';
  return [
    ...(visibleTo ? [describeAudience(visibleTo)] : []),
    ...(error ? [error.message] : []),
    ...(isCut && !error ? [`cut off (${finishReason})`] : []),
  ];
}

/** Describes the audience of a turn. */
function describeAudience(visibleTo: readonly string[]): string {
  return visibleTo.length === 0 ? 'heard by no one' : `heard by ${visibleTo.join(', ')}`;
}
