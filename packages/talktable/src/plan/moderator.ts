import type { JsonObject } from '@vizprompt/providers';
import { roundAt, type TalkPlan } from '../config/plan.ts';
import type { TalkTurn } from '../log/conversation.ts';
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
export function finishesTalk(text: string): boolean {
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
