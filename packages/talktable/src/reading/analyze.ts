import { type TalkTurn } from '../log/conversation.ts';
import { type PairSet, pairsOf, similarity } from '../stop/stop-rule.ts';
import { isSpoken } from '../plan/moderator.ts';

/** The input and output of one speaker. */
interface SpeakerAnalysis {
  readonly name: string;
  readonly isModerator: boolean;
  /** Turns that were finished, without decisions. */
  readonly turns: number;
  /** Turns of which nothing usable came. */
  readonly skipped: number;
  /** Characters (code points) that were said. */
  readonly characters: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Milliseconds of asking and answering. */
  readonly latencyMs: number;
  /** US dollars, as far as there are prices. */
  readonly costUsd: number;
  /** Calls beyond the first of each turn. */
  readonly repeatedCalls: number;
  /**
   * How much its turns resemble the one of its own that is most alike before, on average: from 0 (all
   * new) to 1 (always the same).
   */
  readonly repetition: number;
}

/** A talk in numbers. */
export interface TalkAnalysis {
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
  readonly costUsd: number;
  /** In the order of their first turn. */
  readonly speakers: readonly SpeakerAnalysis[];
}

/** Earlier turns that a turn is held against. */
const REMEMBERED = 50;

interface Tally {
  analysis: SpeakerAnalysis;
  pairs: PairSet[];
  similarities: number[];
}

/** Adds a talk up, turn by turn. Decisions count as tokens, time and cost, not as turns. */
export async function analyzeTurns(turns: AsyncIterable<TalkTurn>): Promise<TalkAnalysis> {
  const tallies = new Map<string, Tally>();
  for await (const turn of turns) {
    if (turn.status === 'pending') continue;
    const known = tallies.get(turn.speaker) ?? newTally(turn);
    tallies.set(turn.speaker, known);
    add(known, turn);
  }
  const speakers = [...tallies.values()].map(({ analysis, similarities }) => ({
    ...analysis,
    repetition: mean(similarities),
  }));
  const total = (key: 'turns' | 'inputTokens' | 'outputTokens' | 'latencyMs' | 'costUsd'): number =>
    speakers.reduce((sum, speaker) => sum + speaker[key], 0);
  return {
    turns: total('turns'),
    inputTokens: total('inputTokens'),
    outputTokens: total('outputTokens'),
    latencyMs: total('latencyMs'),
    costUsd: total('costUsd'),
    speakers,
  };
}

function newTally({ speaker, isModerator }: TalkTurn): Tally {
  const zero = { turns: 0, skipped: 0, characters: 0, inputTokens: 0, outputTokens: 0 };
  const more = { latencyMs: 0, costUsd: 0, repeatedCalls: 0, repetition: 0 };
  return {
    analysis: { name: speaker, isModerator, ...zero, ...more },
    pairs: [],
    similarities: [],
  };
}

function add(tally: Tally, turn: TalkTurn): void {
  const { analysis: before } = tally;
  const isSaid = isSpoken(turn) && turn.status === 'done';
  tally.analysis = {
    ...before,
    turns: before.turns + (isSaid ? 1 : 0),
    skipped: before.skipped + (turn.status === 'skipped' ? 1 : 0),
    characters: before.characters + (isSaid ? Array.from(turn.text).length : 0),
    inputTokens: before.inputTokens + (turn.inputTokens ?? 0),
    outputTokens: before.outputTokens + (turn.outputTokens ?? 0),
    latencyMs: before.latencyMs + (turn.latencyMs ?? 0),
    costUsd: before.costUsd + (turn.costUsd ?? 0),
    repeatedCalls: before.repeatedCalls + turn.attempt - 1,
  };
  if (!isSaid) return;
  const pairs = pairsOf(turn.text);
  if (tally.pairs.length > 0) {
    tally.similarities.push(Math.max(...tally.pairs.map((other) => similarity(pairs, other))));
  }
  tally.pairs = [...tally.pairs, pairs].slice(-REMEMBERED);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
