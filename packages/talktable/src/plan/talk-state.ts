import { asksForVerdict, roundAt, type TalkPlan } from '../config/plan.ts';
import { isSpoken, type TalkTurn, type TalkTurnKind } from '../log/conversation.ts';
import {
  type PairSet,
  hasRule,
  keywordsIn,
  pairsOf,
  similarity,
  stopReason,
} from '../stop/stop-rule.ts';
import { finishesTalk } from './moderator.ts';

/** Summaries that are kept next to the newest turns. */
const SUMMARIES = 8;

/**
 * All that the course of a talk depends on, made of its finished turns one by one: the same turns give
 * the same state, so that a talk that died continues as it would have. Its size has a bound.
 */
export class TalkState {
  /** Turns of participants so far, those that were skipped included. */
  turns = 0;
  /** The number of the next turn. */
  nextNumber = 0;
  tokens = 0;
  costUsd = 0;
  latencyMs = 0;
  hasOpened = false;
  hasClosed = false;
  /** Turns of participants at the last summary, verdict and choice. */
  summarizedAt = 0;
  judgedAt = 0;
  verdict = false;
  verdictText = '';
  lastSpeaker: string | undefined;
  /** Turns of participants in a row of which nothing came. */
  silences = 0;
  /** The moderator's choice for the next turn, as it came. */
  choice: { readonly at: number; readonly text: string } | undefined;
  /** The newest text that was said in the talk, not from outside. */
  lastText = '';
  /** Why the talk ends, once that is decided. */
  reason: string | undefined;
  /** The keywords of the stop rules that were said: `all` may be met long after. */
  readonly heard: Set<string> = new Set();
  readonly signals: Set<string> = new Set();
  /** How much each of the last turns resembles an earlier one; empty where no rule asks for it. */
  similarities: number[] = [];
  /** The newest finished turns, by number. */
  recent: TalkTurn[] = [];
  /** The newest summaries. */
  summaries: TalkTurn[] = [];
  /** The number of the last turn of each participant, counted in turns of participants. */
  readonly spokeAt: Map<string, number> = new Map();
  #pairs: PairSet[] = [];
  readonly #plan: TalkPlan;
  readonly #isCompared: boolean;

  constructor(plan: TalkPlan) {
    this.#plan = plan;
    this.#isCompared = hasRule(plan.rules, 'similarity');
  }

  get rounds(): number {
    return roundAt(this.#plan, this.turns).rounds;
  }

  /** Adds a turn that is done or skipped. */
  add(turn: TalkTurn): void {
    this.nextNumber = Math.max(this.nextNumber, turn.number + 1);
    this.tokens += (turn.inputTokens ?? 0) + (turn.outputTokens ?? 0);
    this.costUsd += turn.costUsd ?? 0;
    this.latencyMs += turn.latencyMs ?? 0;
    if (turn.kind === 'turn') this.#addParticipant(turn);
    else if (turn.kind === 'opening') this.hasOpened = true;
    else if (turn.kind === 'closing') this.hasClosed = true;
    else if (turn.kind === 'choice') this.choice = { at: this.turns, text: turn.text };
    else if (turn.kind === 'verdict') {
      this.judgedAt = this.turns;
      this.verdict = finishesTalk(turn.text);
      this.verdictText = turn.text;
    } else if (turn.kind === 'summary') {
      this.summarizedAt = this.turns;
      this.#listen(turn.text);
      if (turn.text !== '') {
        this.summaries = [...this.summaries, { ...turn, prompt: '' }].slice(-SUMMARIES);
      }
    }
    if (isSpoken(turn) && turn.text !== '') this.#remember(turn);
  }

  #addParticipant({ speaker, text, status }: TalkTurn): void {
    this.turns++;
    this.lastSpeaker = speaker;
    this.#listen(text);
    this.spokeAt.set(speaker, this.turns);
    this.silences = status === 'skipped' ? this.silences + 1 : 0;
    if (text === '' || !this.#isCompared) return;
    const pairs = pairsOf(text);
    const most = this.#pairs.reduce((best, other) => Math.max(best, similarity(pairs, other)), 0);
    const kept = 4 * this.#plan.participants.length;
    this.similarities = [...this.similarities, most].slice(-Math.max(kept, 32));
    this.#pairs = [...this.#pairs, pairs].slice(-kept);
  }

  #listen(text: string): void {
    for (const keyword of keywordsIn(text, this.#plan.rules)) this.heard.add(keyword);
  }

  /** Someone outside may have spoken while a turn was in progress: numbers decide. */
  #remember(turn: TalkTurn): void {
    // The prompt is not needed again, and it is large.
    const kept = [...this.recent, { ...turn, prompt: '' }].toSorted((a, b) => a.number - b.number);
    this.recent = kept.slice(-this.#plan.contextTurns);
    if (turn.kind !== 'said') this.lastText = turn.text;
  }
}

/** The next step: a turn, or the end. The speaker of a `turn` is chosen afterwards. */
export type Step =
  | { readonly type: 'speak'; readonly kind: Exclude<TalkTurnKind, 'said'> }
  | { readonly type: 'close'; readonly reason: string }
  | { readonly type: 'end'; readonly reason: string };

/** @param seconds - How long the talk has run. */
export function nextStep(plan: TalkPlan, state: TalkState, seconds: number): Step {
  const { moderator: mc } = plan;
  const { place, seated } = roundAt(plan, state.turns);
  const isRound = place === 0;
  if (state.hasClosed) return { type: 'end', reason: state.reason ?? 'closed' };
  if (mc?.opening && !state.hasOpened && state.turns === 0) return speak('opening');
  const hasNew = (at: number): boolean => state.turns > 0 && at !== state.turns;
  const isDue = mc?.every === 'round' ? isRound : state.turns % (mc?.every ?? 1) === 0;
  if (mc && hasNew(state.summarizedAt) && isDue) return speak('summary');
  if (asksForVerdict(plan) && isRound && hasNew(state.judgedAt)) return speak('verdict');
  const reason =
    state.reason ??
    stopReason(plan.rules, {
      turns: state.turns,
      rounds: state.rounds,
      participants: seated.length,
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
