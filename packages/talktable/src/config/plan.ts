import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { Price } from '@vizprompt/providers/middleware';
import type { TalkLimits } from '../log/conversation.ts';
import { hasRule, type StopRule } from '../stop/stop-rule.ts';
import { languageOfTopic } from '../words.ts';
import type { ModelPrice, SpeakerOrder, TalkConfig, TalkTimeouts } from './talk-config.ts';

/** How the moderator leads. */
interface ModeratorPlan {
  readonly name: string;
  /** The number of turns of participants after which it sums up; `round`: it does so after each round. */
  readonly every: number | 'round';
  readonly opening: boolean;
  readonly closing: boolean;
  readonly instructions: {
    readonly opening?: string | undefined;
    readonly summary?: string | undefined;
    readonly closing?: string | undefined;
  };
}

/** The rounds in which a participant takes part. */
interface Presence {
  readonly from: number;
  readonly until: number;
}

/** A config with its defaults filled in: all that the course of a talk depends on. */
export interface TalkPlan {
  readonly topic: string;
  readonly language: string;
  /** Their names, in order. */
  readonly participants: readonly string[];
  /** When those take part who do not from the beginning to the end. */
  readonly presence: ReadonlyMap<string, Presence>;
  readonly moderator: ModeratorPlan | undefined;
  readonly order: SpeakerOrder;
  readonly rules: readonly StopRule[];
  readonly intervalMs: number;
  readonly retries: number;
  readonly timeout: TalkTimeouts;
  readonly prices: Readonly<Record<string, Price>>;
  readonly contextTurns: number;
  readonly contextTokens: number;
  readonly passages: number;
}

/** How many turns a talk has that nothing else ends. */
const DEFAULT_TURNS = 10;

/** @param limits - Override those of the config. */
export function planOf(config: TalkConfig, limits: TalkLimits): TalkPlan {
  const { topic, participants, moderator: mc } = config;
  const every = mc?.every ?? 'round';
  return {
    topic,
    language: config.language ?? languageOfTopic(topic),
    participants: participants.map(({ name }) => name),
    presence: presenceOf(participants),
    moderator: mc && {
      name: mc.name ?? 'MC',
      every: every === 'turn' ? 1 : every,
      opening: mc.opening ?? true,
      closing: mc.closing ?? true,
      instructions: mc.instructions ?? {},
    },
    order: config.order ?? 'roundRobin',
    rules: rulesOf(config, limits),
    intervalMs: config.intervalMs ?? 0,
    retries: config.retries ?? 2,
    timeout: { firstByteMs: 120_000, idleMs: 60_000, ...defined(config.timeout ?? {}) },
    prices: pricesOf(config.prices ?? {}),
    contextTurns: config.context?.turns ?? 40,
    contextTokens: config.context?.tokens ?? 16_000,
    passages: config.knowledge?.passages ?? 3,
  };
}

function presenceOf(participants: TalkConfig['participants']): ReadonlyMap<string, Presence> {
  return new Map(
    participants.flatMap(({ name, joinsAt: from = 1, leavesAfter: until = Infinity }) =>
      from === 1 && until === Infinity ? [] : [[name, { from, until }] as const],
    ),
  );
}

function pricesOf(prices: Readonly<Record<string, ModelPrice>>): Readonly<Record<string, Price>> {
  const entries = Object.entries(prices).map(([model, price]) => {
    const { inputPerMillion, outputPerMillion, ...rest } = price;
    return [model, { inputPerMillion, outputPerMillion, ...defined(rest) }] as const;
  });
  return Object.fromEntries(entries);
}

function rulesOf(config: TalkConfig, limits: TalkLimits): readonly StopRule[] {
  const { stop = [] } = config;
  const isLimited = limits.maxTurns !== undefined || limits.rounds !== undefined;
  const { maxTurns, rounds } = isLimited ? limits : config;
  const rules: StopRule[] = [
    ...(rounds === undefined ? [] : [{ rounds }]),
    ...(maxTurns === undefined ? [] : [{ turns: maxTurns }]),
    ...(isRules(stop) ? stop : [stop]),
  ];
  return rules.length > 0 ? rules : [{ turns: DEFAULT_TURNS }];
}

function isRules(stop: StopRule | readonly StopRule[]): stop is readonly StopRule[] {
  return Array.isArray(stop);
}

/** Checks whether the moderator is asked after each round if the talk has come to its end. */
export function asksForVerdict({ rules }: TalkPlan): boolean {
  return hasRule(rules, 'verdict');
}

type Seats = Pick<TalkPlan, 'participants' | 'presence'>;

/** How far a talk has come in rounds: a round is one turn for each who takes part in it. */
interface RoundPlace {
  /** Rounds that are over. */
  readonly rounds: number;
  /** The number of turns in the current round so far. */
  readonly place: number;
  /** Those who take part in it, in order. */
  readonly seated: readonly string[];
}

/** Returns those who take part in a round, from 1. */
function seatedIn({ participants, presence }: Seats, round: number): readonly string[] {
  return participants.filter((name) => {
    const { from, until } = presence.get(name) ?? { from: 1, until: Infinity };
    return round >= from && round <= until;
  });
}

/** Returns the round after a number of turns. */
export function roundAt(plan: Seats, turns: number): RoundPlace {
  let rounds = 0;
  let rest = turns;
  const last = lastChange(plan);
  for (;;) {
    const seated = seatedIn(plan, rounds + 1);
    const size = seated.length;
    if (size === 0) return { rounds, place: 0, seated };
    // From then on all rounds are alike.
    if (rounds >= last) {
      return { rounds: rounds + Math.floor(rest / size), place: rest % size, seated };
    }
    if (rest < size) return { rounds, place: rest, seated };
    rest -= size;
    rounds++;
  }
}

/** Returns the first round in which fewer than two take part, if there is one. */
export function emptyRound(plan: Seats): number | undefined {
  for (let round = 1; round <= lastChange(plan) + 1; round++) {
    if (seatedIn(plan, round).length < 2) return round;
  }
  return undefined;
}

/** Returns the last round after which a participant joins or leaves. */
function lastChange({ presence }: Seats): number {
  return [...presence.values()].reduce(
    (most, { from, until }) => Math.max(most, from - 1, until === Infinity ? 0 : until),
    0,
  );
}
