import { isBlank } from '../blank.ts';
import { TalkError } from '../errors.ts';
import type { TalkTurn } from '../talk-turn.ts';
import type { Seat } from './seat.ts';
import type { TalkContext } from './talk-context.ts';

/** What becomes of a turn by what a person said: nothing is a pass. */
export function personAnswer(
  text: string,
  speaker: string,
): Pick<TalkTurn, 'status' | 'text' | 'error'> {
  if (!isBlank(text)) return { status: 'done', text };
  const message = `'${speaker}' said nothing`;
  return {
    status: 'skipped',
    text: '',
    error: { name: 'TalkError', code: 'empty', message, context: {} },
  };
}

/**
 * Who hears it may depend on what was said. A name that is not at the table would hide the turn from
 * whoever was meant.
 *
 * @throws TalkError with the code `invalid-input`, and what the option `visibleTo` throws.
 */
export function withAudience(
  { options, table }: TalkContext,
  seat: Seat,
  turn: TalkTurn,
): TalkTurn {
  if (seat.isModerator) return turn;
  const visibleTo: unknown = options.visibleTo?.(turn);
  if (visibleTo === undefined) return turn;
  if (!Array.isArray(visibleTo)) {
    throw new TalkError('invalid-input', 'the option visibleTo must give a list of names');
  }
  const names = visibleTo.map(String);
  const unknown = names.find((name) => !table.has(name));
  if (unknown === undefined) return { ...turn, visibleTo: names };
  const message = `the option visibleTo named '${unknown}', who is not at the table`;
  throw new TalkError('invalid-input', message, { context: { name: unknown } });
}
