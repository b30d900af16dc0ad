import type { TalkPlan } from '../config/plan.ts';

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
