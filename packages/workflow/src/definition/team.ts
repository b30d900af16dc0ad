import type { TeamStep } from './step.ts';

/** Turns of a team that sets no limit. */
const MAX_TURNS = 12;

/** Rules of a team with its defaults. */
interface TeamRules {
  readonly start: string;
  readonly maxTurns: number;
  /** Members that each member may hand over to. */
  readonly routes: ReadonlyMap<string, readonly string[]>;
}

/** Returns who begins a team, who may hand over to whom, and for how many turns. */
export function teamRules({ members, supervisor, start, maxTurns }: TeamStep): TeamRules {
  const names = Object.keys(members);
  const routes = names.map((name): [string, readonly string[]] => {
    const others = names.filter((other) => other !== name);
    const isLed = supervisor !== undefined && name !== supervisor;
    return [name, members[name]?.hands_over_to ?? (isLed ? [] : others)];
  });
  return {
    start: start ?? supervisor ?? names[0] ?? '',
    maxTurns: maxTurns ?? MAX_TURNS,
    routes: new Map(routes),
  };
}

/** Returns the members that no member hands over to, nor begins. */
export function unreachableMembers(step: TeamStep): readonly string[] {
  const { start, routes } = teamRules(step);
  const reached = new Set([start]);
  for (const name of reached) {
    for (const next of routes.get(name) ?? []) reached.add(next);
    if (step.supervisor !== undefined) reached.add(step.supervisor);
  }
  return Object.keys(step.members).filter((name) => !reached.has(name));
}
