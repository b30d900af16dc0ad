import type { TalkTurn } from '../talk-turn.ts';

/** Whether a participant hears a turn. */
function isHeardBy(
  { visibleTo, speaker }: Pick<TalkTurn, 'visibleTo' | 'speaker'>,
  name: string,
): boolean {
  return visibleTo === undefined || speaker === name || visibleTo.includes(name);
}

/**
 * The turns that a speaker may draw on. A participant has what it hears. What the moderator says is
 * heard by all, so it has what all of them hear; only its own decisions (`isPrivate`) may use the rest.
 */
export function turnsFor(
  turns: readonly TalkTurn[],
  reader: { readonly name: string; readonly isModerator: boolean },
  audience: readonly string[],
  isPrivate: boolean,
): readonly TalkTurn[] {
  if (!reader.isModerator) return turns.filter((turn) => isHeardBy(turn, reader.name));
  if (isPrivate) return turns;
  return turns.filter((turn) => audience.every((name) => isHeardBy(turn, name)));
}
