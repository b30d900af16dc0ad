import type { ParallelAgent } from '../definition/agent-call.ts';

/** The names of parallel agents: their ids, and from the second of the same id on with a number: `critic~2`. */
export function partNames(agents: readonly ParallelAgent[]): readonly string[] {
  const counts = new Map<string, number>();
  return agents.map(({ agent_id: id }) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}~${count}`;
  });
}
