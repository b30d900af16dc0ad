import type { JsonObject } from '@vizprompt/providers';
import { asksForVerdict, roundAt, type TalkPlan } from '../config/plan.ts';
import type { TalkTurn, TalkTurnKind } from '../log/conversation.ts';
import {
  hasRule,
  keywordsIn,
  type PairSet,
  pairsOf,
  similarity,
  stopReason,
} from '../stop/stop-rule.ts';
import { folded, wordInText } from '../words.ts';

/** The input of a function that chooses the next speaker. */
interface OrderView {
  /** Those who may speak: all participants but the last speaker. */
  readonly candidates: readonly string[];
  /** The newest turns, the oldest first. */
  readonly recent: readonly TalkTurn[];
  /** Turns of participants so far. */
  readonly turns: number;
  readonly rounds: number;
}

/** Checks whether a turn is part of what was said, and not a decision of the moderator after it. */
export function isSpoken({ kind }: Pick<TalkTurn, 'kind'>): boolean {
  return kind !== 'choice' && kind !== 'verdict';
}

/** Names the next speaker. A name that is not a candidate, or `undefined`, leaves it to the usual order. */
export type NextSpeaker = (view: OrderView) => string | undefined | Promise<string | undefined>;

/** The facts that the choice of a speaker depends on. */
interface SpeakerFacts extends Pick<OrderView, 'recent' | 'turns' | 'rounds'> {
  readonly lastSpeaker: string | undefined;
  readonly lastText: string;
  /** The moderator's choice for the next turn, as it came. */
  readonly choice: { readonly text: string } | undefined;
  /** The last turn of each participant, counted in turns of participants. */
  readonly spokeAt: ReadonlyMap<string, number>;
}

/** The next speaker, and what was wanted where that could not be. */
interface ChosenSpeaker {
  readonly speaker: string;
  /** Why the usual order decided instead. */
  readonly fellBack?: string;
}

/** Returns all participants of the round except the last speaker, who would answer to themselves. */
export function candidatesOf(
  plan: TalkPlan,
  state: Pick<SpeakerFacts, 'lastSpeaker' | 'turns'>,
): readonly string[] {
  return roundAt(plan, state.turns).seated.filter((name) => name !== state.lastSpeaker);
}

/** Chooses the next speaker. There always is one: where none is named, the one that was silent for longest. */
export async function chooseSpeaker(
  plan: TalkPlan,
  state: SpeakerFacts,
  custom: NextSpeaker | undefined,
): Promise<ChosenSpeaker> {
  const { order } = plan;
  if (order === 'roundRobin') {
    const { seated, place } = roundAt(plan, state.turns);
    return { speaker: seated[place] ?? '' };
  }
  const candidates = candidatesOf(plan, state);
  const fallBack = (fellBack: string): ChosenSpeaker => ({
    speaker: longestSilent(candidates, state),
    fellBack,
  });
  if (order === 'mention') {
    const [speaker] = mentioned(state.lastText, candidates);
    return speaker === undefined ? fallBack('no speaker was mentioned') : { speaker };
  }
  if (order === 'moderator') {
    const text = state.choice?.text ?? '';
    const speaker = chosenSpeaker(text, candidates);
    if (speaker !== undefined) return { speaker };
    return fallBack(`the moderator named no one who may speak: '${text.slice(0, 200)}'`);
  }
  try {
    const { recent, turns, rounds } = state;
    const speaker = await custom?.({ candidates, recent, turns, rounds });
    if (speaker !== undefined && candidates.includes(speaker)) return { speaker };
    return fallBack(`nextSpeaker named ${speaker === undefined ? 'no one' : `'${speaker}'`}`);
  } catch (error) {
    return fallBack(`nextSpeaker failed: ${String(error)}`);
  }
}

/** Returns the one that was silent for longest; the first in the list of those who never spoke, and of equals. */
function longestSilent(candidates: readonly string[], { spokeAt }: SpeakerFacts): string {
  const at = (name: string): number => spokeAt.get(name) ?? 0;
  return candidates.reduce((best, name) => (at(name) < at(best) ? name : best));
}

/** The moderator's answer when it names the next speaker. */
export const CHOICE_SCHEMA = (names: readonly string[]): JsonObject => ({
  type: 'object',
  properties: { next: { type: 'string', enum: names } },
  required: ['next'],
  additionalProperties: false,
});

/** The moderator's answer when it is asked whether the talk has come to its end. */
export const VERDICT_SCHEMA: JsonObject = {
  type: 'object',
  properties: { finished: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['finished', 'reason'],
  additionalProperties: false,
};

/** Checks whether a verdict ends the talk; one that is not understood does not. */
function finishesTalk(text: string): boolean {
  return fieldOf(text, 'finished') === true;
}

/** Returns the reason of a verdict. */
export function verdictReason(text: string): string {
  const reason = fieldOf(text, 'reason');
  return typeof reason === 'string' ? reason : '';
}

/**
 * Finds the speaker that an answer names, out of those who may speak: the field `next`, or else the one name
 * in it. `undefined` where it names none, another one, or several.
 */
export function chosenSpeaker(text: string, names: readonly string[]): string | undefined {
  const next = fieldOf(text, 'next');
  const asked = folded(typeof next === 'string' ? next : text).trim();
  const exact = names.find((name) => folded(name).trim() === asked);
  if (exact !== undefined) return exact;
  const named = mentioned(asked, names);
  return named.length === 1 ? named[0] : undefined;
}

/** Returns the names in a text, the first one first; a name within a longer name does not count. */
export function mentioned(text: string, names: readonly string[]): readonly string[] {
  let rest = folded(text);
  const found: { readonly name: string; readonly at: number }[] = [];
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    const wanted = folded(name).trim();
    const at = wordInText(rest, wanted);
    if (at < 0) continue;
    found.push({ name, at });
    rest = rest.replaceAll(wanted, ' '.repeat(wanted.length));
  }
  return found.toSorted((a, b) => a.at - b.at).map(({ name }) => name);
}

function fieldOf(text: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value).find(([key]) => key === name)?.[1];
  } catch {
    return undefined;
  }
}

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
