import { TalkError } from '../errors.ts';
import type { TalkTurn } from '../log/conversation.ts';
import { assertName, type SayOptions } from '../options.ts';
import { isBlank, isOneLine, sameName } from '../words.ts';
import { personAnswer } from './ask-person.ts';
import { type Seat, withAudience } from './table.ts';
import { addVoice, settle, type TurnContext } from './turn.ts';

/**
 * Says something in a talk that is led here or, with `open`, one that is read from the log.
 *
 * @param open - The turn that was not finished.
 * @throws TalkError with the code `invalid-input`, `finished`, `conflict` or `log-unwritable`.
 */
export async function sayInTalk(
  talk: TurnContext,
  text: string,
  { as, visibleTo }: SayOptions,
  open?: TalkTurn,
): Promise<void> {
  assertWords(text);
  if (talk.awaited && talk.awaited.speaker === as) {
    talk.awaited.answer(text);
    return;
  }
  const seat = as === undefined ? undefined : talk.table.get(as);
  if (open && seat && !seat.model && open.speaker === as) return answer(talk, seat, open, text);
  if (as !== undefined) assertMayBe(talk, as);
  if (isBlank(text)) throw new TalkError('invalid-input', 'there is nothing to say');
  const unknown = visibleTo?.find((name) => !talk.plan.participants.includes(name));
  if (unknown !== undefined) {
    throw new TalkError('invalid-input', `'${unknown}' in visibleTo is no participant`);
  }
  const speaker = as ?? (talk.plan.language.startsWith('ja') ? '会場' : 'Audience');
  await addVoice(talk, { speaker, text, visibleTo });
}

/** A value that is not a string would fail where it is written, as if the log were at fault. */
function assertWords(text: unknown): void {
  if (typeof text === 'string') return;
  throw new TalkError('invalid-input', `what is said: expected a string, got ${typeof text}`);
}

/** Finishes the turn of a person that this process does not wait for. */
async function answer(talk: TurnContext, seat: Seat, open: TalkTurn, text: string): Promise<void> {
  // With its prompt, which is left out where a talk is read back.
  const { error: _, ...turn } = (await talk.log.turn(open.id)) ?? open;
  const ended = withAudience(talk, seat, { ...turn, ...personAnswer(text, seat.name) });
  await talk.log.finish(open, ended);
  await settle(talk, ended);
}

/** @throws TalkError with the code `invalid-input` for a name that is broken, or that of a model. */
function assertMayBe({ table }: TurnContext, as: string): void {
  assertName(as, 'as');
  if (!isOneLine(as)) {
    throw new TalkError('invalid-input', 'as holds line breaks or control characters');
  }
  const taken = [...table.values()].find(
    ({ model, name }) => model !== undefined && sameName(name) === sameName(as),
  );
  if (!taken) return;
  const message = `'${as}' is a model at the table: no one else speaks in the name of '${taken.name}'`;
  throw new TalkError('invalid-input', message, { context: { as } });
}
