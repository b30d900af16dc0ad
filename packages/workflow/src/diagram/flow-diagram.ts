import { bodiesOf } from '../definition/walk-steps.ts';
import type { Step } from '../definition/step.ts';
import { teamRules } from '../definition/team.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import { dataOrder } from '../load/data-order.ts';

/** A box, or a frame around others. */
export interface Box {
  readonly name: string;
  readonly label: string;
  readonly shape: 'step' | 'branch' | 'human' | 'subflow' | 'sleep' | 'end' | 'frame';
  /** The id of a step. */
  readonly stepId?: string;
  /** The boxes in a frame. */
  readonly boxes: readonly Box[];
}

/** An arrow between boxes. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
  readonly isFailure?: boolean;
}

/** The drawing of a workflow. */
interface FlowDiagram {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

const START = 'start';
const END = 'done';

/** Returns the boxes and arrows of a workflow. */
export function flowDiagram(workflow: WorkflowDefinition): FlowDiagram {
  const drawing = new Drawing(workflow.order === 'by-data');
  const names = drawing.names(workflow.steps);
  const boxes = drawing.list(workflow.steps, names, END);
  const start: Box = { name: START, label: 'start', shape: 'end', boxes: [] };
  const end: Box = { name: END, label: 'end', shape: 'end', boxes: [] };
  const first = drawing.firsts(workflow.steps, workflow.initial_step);
  const begin = first.map((id) => ({ from: START, to: names.get(id) ?? END }));
  const arrows = [...begin, ...drawing.arrows];
  return { boxes: [start, ...boxes, end], arrows };
}

class Drawing {
  readonly arrows: Arrow[] = [];
  readonly #isByData: boolean;
  #count = 0;

  constructor(isByData: boolean) {
    this.#isByData = isByData;
  }

  /** The ids of the steps that a list begins with. */
  firsts(steps: readonly Step[], initial: string | undefined = steps[0]?.id): readonly string[] {
    if (!this.#isByData) return [initial ?? ''];
    const order = dataOrder(steps);
    return steps.flatMap(({ id }, at) => (order[at]?.length === 0 ? [id] : []));
  }

  names(steps: readonly Step[]): ReadonlyMap<string, string> {
    return new Map(
      steps.map(({ id }) => {
        this.#count += 1;
        return [id, `n${this.#count}`];
      }),
    );
  }

  list(steps: readonly Step[], names: ReadonlyMap<string, string>, end: string): readonly Box[] {
    if (this.#isByData) {
      this.#arrowsByData(steps, names, end);
      return steps.map((step) => this.#box(step, names.get(step.id) ?? ''));
    }
    return steps.map((step, at) => {
      const name = names.get(step.id) ?? '';
      const after = names.get(steps[at + 1]?.id ?? '') ?? end;
      this.#arrowsOf(step, name, after, (id) => (id === 'end' ? end : names.get(id)));
      return this.#box(step, name);
    });
  }

  #arrowsByData(steps: readonly Step[], names: ReadonlyMap<string, string>, end: string): void {
    const order = dataOrder(steps);
    const nameOf = (at: number): string => names.get(steps[at]?.id ?? '') ?? '';
    for (const [at, needs] of order.entries()) {
      for (const need of needs) this.arrows.push({ from: nameOf(need), to: nameOf(at) });
    }
    const inner = new Set(order.flat());
    for (const at of steps.keys())
      if (!inner.has(at)) this.arrows.push({ from: nameOf(at), to: end });
  }

  #arrowsOf(
    step: Step,
    from: string,
    after: string,
    nameOf: (id: string) => string | undefined,
  ): void {
    const add = (id: string | undefined, label?: string, isFailure = false): void => {
      const to = id === undefined ? after : nameOf(id);
      if (to === undefined) return;
      this.arrows.push({ from, to, ...(label === undefined ? {} : { label }), isFailure });
    };
    if (step.type === 'branch') {
      for (const { when, next_step: next } of step.branches) add(next, when);
      add(step.else ?? step.next_step, 'else');
    } else {
      add(step.next_step);
    }
    if (typeof step.onError === 'object' && 'goto' in step.onError) {
      add(step.onError.goto, 'error', true);
    }
  }

  #box(step: Step, name: string): Box {
    const own = { name, stepId: step.id };
    const when = step.when === undefined ? '' : ` (${step.when})`;
    const label = `${step.id}${detailOf(step)}${when}`;
    if (step.type === 'loop' || step.type === 'foreach') {
      const names = this.names(step.steps);
      const again = `${name}again`;
      const boxes = this.list(step.steps, names, again);
      const turn: Box = { name: again, label: turnOf(step), shape: 'sleep', boxes: [] };
      for (const id of this.firsts(step.steps)) {
        const to = names.get(id);
        if (to !== undefined) this.arrows.push({ from: again, to, isFailure: true });
      }
      return { ...own, label, shape: 'frame', boxes: [...boxes, turn] };
    }
    if (step.type === 'parallel') {
      const boxes = bodiesOf(step).flatMap((body): Box[] => {
        const names = this.names(body.steps);
        return [...this.list(body.steps, names, `${name}join`)];
      });
      const join: Box = { name: `${name}join`, label: 'join', shape: 'sleep', boxes: [] };
      return { ...own, label, shape: 'frame', boxes: [...boxes, join] };
    }
    if (step.type === 'team') {
      const { start, routes } = teamRules(step);
      const names = Object.keys(step.members);
      const boxOf = (member: string): string => `${name}agent${names.indexOf(member)}`;
      for (const [from, others] of routes) {
        const isLed = step.supervisor !== undefined && from !== step.supervisor;
        for (const to of isLed ? [...others, step.supervisor ?? ''] : others) {
          if (names.length > MAX_TEAM && from !== start) continue;
          this.arrows.push({ from: boxOf(from), to: boxOf(to), isFailure: true });
        }
      }
      const boxes = names.map((member): Box => {
        const text = `${member}: ${step.members[member]?.agent_id}`;
        return { name: boxOf(member), label: text, shape: 'step', boxes: [] };
      });
      return { ...own, label, shape: 'frame', boxes };
    }
    if (step.type === 'multi_agent_interaction') {
      const boxes = step.agents_to_run.map((agent, at): Box => {
        const text = `${agent.agent_id}: ${agent.prompt_id}`;
        return { name: `${name}agent${at}`, label: text, shape: 'step', boxes: [] };
      });
      return { ...own, label, shape: 'frame', boxes };
    }
    return { ...own, label, shape: SHAPES[step.type] ?? 'step', boxes: [] };
  }
}

/** Larger teams are drawn with the ways from the first member only. */
const MAX_TEAM = 6;

const SHAPES: Readonly<Partial<Record<Step['type'], Box['shape']>>> = {
  branch: 'branch',
  human: 'human',
  subflow: 'subflow',
  sleep: 'sleep',
};

function detailOf(step: Step): string {
  switch (step.type) {
    case 'agent_interaction':
      return `: ${step.agent_id}`;
    case 'multi_agent_interaction': {
      const { aggregate } = step;
      const strategy = typeof aggregate === 'object' ? aggregate.strategy : aggregate;
      return strategy === undefined ? '' : `: ${strategy}`;
    }
    case 'foreach':
      return `: ${step.as} in ${step.in}`;
    case 'function':
      return `: ${step.function}`;
    case 'tool':
      return `: ${step.tool}`;
    case 'activity':
      return `: ${step.activity}`;
    case 'retrieve':
      return `: ${step.retriever}`;
    case 'subflow':
      return `: ${step.workflow}`;
    case 'sleep':
      return `: ${step.duration ?? step.until}`;
    default:
      return '';
  }
}

function turnOf(step: Extract<Step, { type: 'loop' | 'foreach' }>): string {
  if (step.type === 'foreach') return 'next item';
  const most = `at most ${step.maxRounds} rounds`;
  return step.until === undefined ? most : `until ${step.until}, ${most}`;
}
