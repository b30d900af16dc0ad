import type { Conversation } from '../log/conversation.ts';

/** Who took part, and as what. */
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

/** Who heard a turn. */
export function describeAudience(visibleTo: readonly string[]): string {
  return visibleTo.length === 0 ? 'heard by nobody' : `heard by ${visibleTo.join(', ')}`;
}
