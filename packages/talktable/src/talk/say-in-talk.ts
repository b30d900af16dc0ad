import { isBlank } from '../blank.ts';
import { defined } from '../defined.ts';
import { TalkError } from '../errors.ts';
import type { SayOptions } from '../options.ts';
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
  if (as !== undefined) assertName(as, 'as');
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
