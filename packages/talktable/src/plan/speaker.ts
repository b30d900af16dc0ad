import type { TalkPlan } from '../config/plan.ts';
import type { TalkTurn } from '../talk-turn.ts';
import { chosenSpeaker, mentioned } from './decisions.ts';
import type { TalkState } from './talk-state.ts';

/** What a function that chooses the next speaker is shown. */
export interface OrderView {
  /** Those who may speak: all participants but the last speaker. */
  readonly candidates: readonly string[];
  /** The newest turns, the oldest first. */
  readonly recent: readonly TalkTurn[];
  /** Turns of participants so far. */
  readonly turns: number;
  readonly rounds: number;
}

/** Names the next speaker. What is no candidate, or `undefined`, is left to the usual order. */
export type NextSpeaker = (view: OrderView) => string | undefined | Promise<string | undefined>;

/** The next speaker, and what was wanted where that could not be. */
export interface ChosenSpeaker {
  readonly speaker: string;
  /** Why the usual order decided instead. */
  readonly fellBack?: string;
}

/** All participants but the last speaker: nobody answers to himself. */
export function candidatesOf({ participants }: TalkPlan, state: TalkState): readonly string[] {
  return participants.filter((name) => name !== state.lastSpeaker);
}

/** Who speaks next. It always is somebody: where nobody is named, whoever was silent for longest. */
export async function chooseSpeaker(
  plan: TalkPlan,
  state: TalkState,
  custom: NextSpeaker | undefined,
): Promise<ChosenSpeaker> {
  const { participants, order } = plan;
  if (order === 'roundRobin') {
    return { speaker: participants[state.turns % participants.length] ?? '' };
  }
  const candidates = candidatesOf(plan, state);
  const fallBack = (fellBack: string): ChosenSpeaker => ({
    speaker: longestSilent(candidates, state),
    fellBack,
  });
  if (order === 'mention') {
    const [speaker] = mentioned(state.lastText, candidates);
    return speaker === undefined ? fallBack('nobody was mentioned') : { speaker };
  }
  if (order === 'moderator') {
    const text = state.choice?.text ?? '';
    const speaker = chosenSpeaker(text, candidates);
    if (speaker !== undefined) return { speaker };
    return fallBack(`the moderator named nobody who may speak: '${text.slice(0, 200)}'`);
  }
  try {
    const { recent, turns, rounds } = state;
    const speaker = await custom?.({ candidates, recent, turns, rounds });
    if (speaker !== undefined && candidates.includes(speaker)) return { speaker };
    return fallBack(`nextSpeaker named ${speaker === undefined ? 'nobody' : `'${speaker}'`}`);
  } catch (error) {
    return fallBack(`nextSpeaker failed: ${String(error)}`);
  }
}

/** Of those who never spoke, and then of equals, the first in the list. */
function longestSilent(candidates: readonly string[], { spokeAt }: TalkState): string {
  const at = (name: string): number => spokeAt.get(name) ?? 0;
  return candidates.reduce((best, name) => (at(name) < at(best) ? name : best));
}
