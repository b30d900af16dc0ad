import type { Step } from '../definition/step.ts';
import { unreachableMembers } from '../definition/team.ts';
import { allSteps, bodiesOf } from '../definition/walk-steps.ts';
import { at, type WorkflowCheck } from '../load/check-definitions.ts';
import type { Finding, Path } from '../problems/finding.ts';
import { reachableFrom, startOf, type Way, waysOf } from './flow-graph.ts';

/** Steps to which no way leads, and those from which none leads out. */
export function* checkFlow(check: WorkflowCheck): Generator<Finding> {
  const { steps, initial_step: initial } = check.workflow;
  yield* checkList(check, steps, ['steps'], startOf(steps, initial));
}

function* checkList(
  check: WorkflowCheck,
  steps: readonly Step[],
  path: Path,
  start: number,
): Generator<Finding> {
  if (steps.length === 0) return;
  const ways = waysOf(steps);
  const reached = reachableFrom(ways, start);
  for (const [index, step] of steps.entries()) {
    if (!reached.has(index)) {
      const words = { name: step.id };
      yield at(check, [...path, index, 'id'], { code: 'unreachable-step', words });
    }
    if (step.type === 'team') {
      for (const name of unreachableMembers(step)) {
        const place = [...path, index, 'members', name];
        yield at(check, place, { code: 'unreachable-agent', isKey: true, words: { name } });
      }
    }
    for (const body of bodiesOf(step)) {
      yield* checkList(check, body.steps, [...path, index, ...body.path], 0);
    }
  }
  const stuck = stuckSteps(ways, reached);
  const first = Math.min(...stuck);
  if (stuck.size === 0) return;
  const cycle = cycleFrom(ways, first);
  const words = { cycle: cycle.map((index) => steps[index]?.id).join(' → ') };
  yield at(check, [...path, Math.min(...cycle), 'id'], { code: 'endless-cycle', words });
}

/** Steps that are reached and from which the end is not. */
function stuckSteps(
  ways: readonly (readonly Way[])[],
  reached: ReadonlySet<number>,
): ReadonlySet<number> {
  const before = ways.map((): number[] => []);
  const ending = new Set<number>();
  for (const [index, all] of ways.entries()) {
    for (const { to } of all) {
      if (to === undefined) ending.add(index);
      else before[to]?.push(index);
    }
    // A missing name is reported elsewhere.
    if (all.length === 0) ending.add(index);
  }
  for (const index of ending) for (const one of before[index] ?? []) ending.add(one);
  return new Set([...reached].filter((index) => !ending.has(index)));
}

/** Follows the first ways until a step comes again. */
function cycleFrom(ways: readonly (readonly Way[])[], start: number): readonly number[] {
  const seen: number[] = [];
  let index: number | undefined = start;
  while (index !== undefined && !seen.includes(index)) {
    seen.push(index);
    index = ways[index]?.[0]?.to;
  }
  return index === undefined ? seen : [...seen.slice(seen.indexOf(index)), index];
}

/** Workflows that run themselves, directly or by way of others. */
export function* checkRecursion(check: WorkflowCheck): Generator<Finding> {
  const { workflows } = check.definitions;
  for (const { step, path } of allSteps(check.workflow.steps)) {
    if (step.type !== 'subflow') continue;
    const way = wayBetween(step.workflow, check.name, workflows);
    if (!way) continue;
    const words = { cycle: [check.name, ...way].join(' → ') };
    yield at(check, [...path, 'workflow'], { code: 'subflow-recursion', words });
  }
}

function wayBetween(
  from: string,
  to: string,
  workflows: WorkflowCheck['definitions']['workflows'],
): readonly string[] | undefined {
  const ways = new Map([[from, [from]]]);
  for (const [name, way] of ways) {
    if (name === to) return way;
    const steps = Object.hasOwn(workflows, name) ? (workflows[name]?.steps ?? []) : [];
    for (const { step } of allSteps(steps)) {
      if (step.type !== 'subflow' || ways.has(step.workflow)) continue;
      ways.set(step.workflow, [...way, step.workflow]);
    }
  }
  return undefined;
}
