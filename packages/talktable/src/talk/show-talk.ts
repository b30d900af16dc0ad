import type { Passage } from '@vizprompt/providers';
import type { TalkPlan } from '../config/plan.ts';
import type { TalkTurnKind } from '../log/conversation.ts';
import { candidatesOf } from '../plan/moderator.ts';
import { roundAt } from '../plan/rounds.ts';
import type { TalkState } from '../plan/talk-state.ts';
import { buildView, turnsFor, type View } from '../view/build-view.ts';
import { type Prompts, promptsFor } from '../view/prompts.ts';
import type { Seat, Table } from './table.ts';

/** The window of models that do not report theirs. */
const USUAL_WINDOW = 8192;

/** Tokens that are kept free for an answer without a limit. */
const USUAL_ANSWER = 1024;

/** Estimates may be too low. */
const CARE = 0.9;

/** The parts that a view of a talk is built from. */
export interface ShownTalk {
  readonly plan: TalkPlan;
  readonly state: TalkState;
  readonly table: Table;
}

/** The purpose of a view. */
interface Showing {
  readonly seat: Seat;
  readonly kind: TalkTurnKind;
  /** Turns from this number on are not shown. */
  readonly before: number;
  readonly passages: readonly Passage[];
  /** Tokens at most, next to the usual budget. */
  readonly most: number;
  /** True if it answered with nothing before. */
  readonly isAgain: boolean;
}

/** Shows the talk from one seat, within what its model reads. */
export function showTalk(talk: ShownTalk, showing: Showing): View {
  const { plan, state, table } = talk;
  const { seat, kind, before } = showing;
  const { prompts, language } = promptsFor(seat.language ?? plan.language);
  const isDecision = kind === 'choice' || kind === 'verdict';
  const earlier = (turns: typeof state.recent): typeof state.recent =>
    turns.filter((turn) => turn.number < before);
  return buildView({
    speaker: seat.name,
    names: [...table.keys()],
    scene: prompts.scene({
      name: seat.name,
      persona: seat.persona,
      topic: plan.topic,
      language,
      others: roundAt(plan, state.turns).seated.filter((name) => name !== seat.name),
      moderator: plan.moderator?.name,
      isModerator: seat.isModerator,
    }),
    topic: plan.topic,
    cue: showing.isAgain ? prompts.again(seat.name) : cueFor(talk, kind, seat.name, prompts),
    turns: turnsFor(earlier(state.recent), seat, plan.participants, isDecision),
    summaries: turnsFor(earlier(state.summaries), seat, plan.participants, isDecision),
    passages: showing.passages,
    prompts,
    meter: seat.meter,
    budget: budgetOf(seat, Math.min(plan.contextTokens, showing.most), table.size),
  });
}

function budgetOf(seat: Seat, most: number, seats: number): number {
  const window = seat.contextTokens ?? seat.model?.capabilities.contextWindow ?? USUAL_WINDOW;
  const answer = seat.maxOutputTokens ?? Math.min(USUAL_ANSWER, window / 4);
  // However small, the scene and the newest words must have some room.
  const least = 100 + 10 * seats;
  return Math.max(least, Math.floor(Math.min(most, (window - answer) * CARE)));
}

/** Returns the task of a speaker. */
export function cueFor(
  { plan, state }: ShownTalk,
  kind: TalkTurnKind,
  name: string,
  prompts: Prompts,
): string {
  const own = plan.moderator?.instructions ?? {};
  switch (kind) {
    case 'opening':
      return own.opening ?? prompts.opening;
    case 'summary':
      return own.summary ?? prompts.summary(Math.max(1, state.rounds));
    case 'closing':
      return own.closing ?? prompts.closing;
    case 'choice':
      return prompts.choice(candidatesOf(plan, state));
    case 'verdict':
      return prompts.verdict;
    default:
      return prompts.turn(name);
  }
}
