import { asksForVerdict, type TalkPlan } from '../config/plan.ts';
import type { TalkTurnKind } from '../log/conversation.ts';
import { stopReason } from '../stop/stop-rule.ts';
import type { TalkState } from './talk-state.ts';

/** What comes next: somebody's turn, or the end. Who speaks in a `turn` is chosen afterwards. */
export type Step =
  | { readonly type: 'speak'; readonly kind: Exclude<TalkTurnKind, 'said'> }
  | { readonly type: 'close'; readonly reason: string }
  | { readonly type: 'end'; readonly reason: string };

/** @param seconds - How long the talk has run. */
export function nextStep(plan: TalkPlan, state: TalkState, seconds: number): Step {
  const { moderator: mc, participants } = plan;
  if (state.hasClosed) return { type: 'end', reason: state.reason ?? 'closed' };
  if (mc?.opening && !state.hasOpened && state.turns === 0) return speak('opening');
  const hasNew = (at: number): boolean => state.turns > 0 && at !== state.turns;
  if (mc && hasNew(state.summarizedAt) && state.turns % mc.every === 0) return speak('summary');
  const isRound = state.turns % participants.length === 0;
  if (asksForVerdict(plan) && isRound && hasNew(state.judgedAt)) return speak('verdict');
  const reason =
    state.reason ??
    stopReason(plan.rules, {
      turns: state.turns,
      rounds: state.rounds,
      participants: participants.length,
      tokens: state.tokens,
      costUsd: state.costUsd,
      seconds,
      verdict: state.verdict,
      heard: state.heard,
      signals: state.signals,
      similarities: state.similarities,
    });
  if (reason !== undefined) return { type: mc?.closing ? 'close' : 'end', reason };
  const isChosen = state.choice?.at === state.turns;
  return speak(plan.order === 'moderator' && !isChosen ? 'choice' : 'turn');
}

function speak(kind: Exclude<TalkTurnKind, 'said'>): Step {
  return { type: 'speak', kind };
}
