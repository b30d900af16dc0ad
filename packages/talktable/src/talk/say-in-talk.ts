import { isBlank } from '../blank.ts';
import { defined } from '../defined.ts';
import { TalkError } from '../errors.ts';
import type { SayOptions } from '../options.ts';
import { isOneLine, sameName } from '../same-name.ts';
import { assertName } from './limits.ts';
import { recordTurn } from './record-turn.ts';
import type { TalkContext } from './talk-context.ts';

/** @throws TalkError with the code `invalid-input`, `finished` or `log-unwritable`. */
export async function sayInTalk(
  talk: TalkContext | undefined,
  text: string,
  { as, visibleTo }: SayOptions,
): Promise<void> {
  if (!talk) throw new TalkError('invalid-input', 'there is no talk to speak in: start one first');
  if (talk.awaited && talk.awaited.speaker === as) {
    talk.awaited.answer(text);
    return;
  }
  if (talk.state.isOver) {
    throw new TalkError('finished', `the talk '${talk.conversationId}' has come to its end`);
  }
  if (as !== undefined) assertMayBe(talk, as);
  if (isBlank(text)) throw new TalkError('invalid-input', 'there is nothing to say');
  const unknown = visibleTo?.find((name) => !talk.plan.participants.includes(name));
  if (unknown !== undefined) {
    throw new TalkError('invalid-input', `'${unknown}' in visibleTo is no participant`);
  }
  const { conversationId, plan, state, log } = talk;
  const turn = await log.add({
    conversationId,
    number: state.takeNumber(),
    isModerator: false,
    kind: 'said',
    speaker: as ?? (plan.language.startsWith('ja') ? '会場' : 'Audience'),
    status: 'done',
    prompt: '',
    text,
    attempt: 1,
    startedAt: talk.now(),
    ...defined({ visibleTo }),
  });
  state.add(turn);
  talk.emit('turn:ended', { turn });
  await recordTurn(talk, turn);
}

/** @throws TalkError with the code `invalid-input` for a name that is broken, or that of a model. */
function assertMayBe({ table }: TalkContext, as: string): void {
  assertName(as, 'as');
  if (!isOneLine(as)) {
    throw new TalkError('invalid-input', 'as holds line breaks or control characters');
  }
  const taken = [...table.values()].find(
    ({ model, name }) => model !== undefined && sameName(name) === sameName(as),
  );
  if (!taken) return;
  const message = `'${as}' is a model at the table: nobody else speaks in the name of '${taken.name}'`;
  throw new TalkError('invalid-input', message, { context: { as } });
}
