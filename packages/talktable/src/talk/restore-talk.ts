import type { TalkPlan } from '../config/plan.ts';
import { TalkError } from '../errors.ts';
import { type Conversation, isSpoken, isUnfinished, type TalkTurn } from '../log/conversation.ts';
import type { TalkLog } from '../log/talk-log.ts';
import { TalkState } from '../plan/talk-state.ts';

/** A talk as its log has it. */
interface RestoredTalk {
  readonly state: TalkState;
  /** The turn that was not finished. */
  readonly redo?: TalkTurn;
  /** The last turn that was. */
  readonly last?: TalkTurn;
}

/** Reads a talk back, turn by turn. */
export async function restoreTalk(
  log: TalkLog,
  plan: TalkPlan,
  conversation: Conversation,
): Promise<RestoredTalk> {
  assertSameTable(plan, conversation);
  const state = new TalkState(plan);
  let redo: TalkTurn | undefined;
  let lastId: number | undefined;
  for await (const turn of log.turns(conversation.id, { prompts: false })) {
    if (isUnfinished(turn)) {
      redo = turn;
      state.nextNumber = Math.max(state.nextNumber, turn.number + 1);
      continue;
    }
    state.add(turn);
    if (isSpoken(turn)) lastId = turn.id;
  }
  const last = lastId === undefined ? undefined : await log.turn(lastId);
  return { state, ...(redo ? { redo } : {}), ...(last ? { last } : {}) };
}

/** @throws TalkError with the code `invalid-input` if others sit at the table now. */
function assertSameTable(plan: TalkPlan, { id, participants, moderator }: Conversation): void {
  const before = [...participants.map(({ name }) => name), moderator?.name ?? ''];
  const now = [...plan.participants, plan.moderator?.name ?? ''];
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  const message =
    `the conversation '${id}' was led with ${before.filter(Boolean).join(', ')}, and the config has ` +
    `${now.filter(Boolean).join(', ')}: open the manager with the config of the talk`;
  throw new TalkError('invalid-input', message, { context: { id, before, now } });
}
