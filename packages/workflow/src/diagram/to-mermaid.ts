import {
  type Kind,
  type Kinds,
  OBJECT,
  oneOf,
  optional,
} from '@vizprompt/providers/config/internal';
import { escapeMermaid } from '@vizprompt/providers/internal';
import { checkArgument, checkOptions } from '../check-options.ts';
import type { Step } from '../definition/step.ts';
import { allSteps, bodiesOf } from '../definition/walk-steps.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import type { RunEvent } from '../events.ts';
import { reachableFrom, startOf, waysOf } from '../lint/flow-graph.ts';
import { type Arrow, type Box, flowDiagram } from './flow-diagram.ts';

/** Options of {@link toMermaid}. */
export interface MermaidOptions {
  /**
   * The events of a run, the view of `WorkflowEngine.run`, or the states of its steps by their ids: they are
   * shown by colours. A branch has one where it is sure that the run came through it.
   */
  readonly run?: Iterable<RunEvent> | StepsOfRun | ReadonlyMap<string, StepState> | undefined;
  /** Where the arrows lead. Default: `'TD'`, from top to bottom. */
  readonly direction?: 'TD' | 'LR' | undefined;
}

/** Mermaid refuses diagrams with more edges (`maxEdges`) and characters (`maxTextSize`) than this. */
const MAX_EDGES = 500;
const MAX_TEXT = 50_000;

/** Room for the first lines, the note and the colours. */
const ROOM = 1500;
const MAX_LABEL = 60;
const WORKFLOW: Kind = {
  expected: 'the definition of one, with its steps',
  accepts: (value) => Array.isArray(Object(value).steps),
};

const COLOURS: Readonly<Record<StepState, string>> = {
  running: 'fill:#dbeafe,stroke:#1d4ed8,color:#1e3a8a',
  waiting: 'fill:#fef9c3,stroke:#a16207,color:#713f12',
  done: 'fill:#dcfce7,stroke:#15803d,color:#14532d',
  failed: 'fill:#fee2e2,stroke:#b91c1c,color:#7f1d1d',
  skipped: 'fill:#f3f4f6,stroke:#9ca3af,color:#6b7280,stroke-dasharray:4',
};

/**
 * Returns a workflow as a Mermaid flowchart, and a run on it: steps that are done, failed, waiting, running or left out
 * have a colour each. A very large workflow is drawn up to the number of steps that Mermaid takes.
 *
 * @throws WorkflowError with the code `invalid-input` for wrong arguments.
 *
 * Source: https://mermaid.js.org/syntax/flowchart.html
 */
export function toMermaid(workflow: WorkflowDefinition, options: MermaidOptions = {}): string {
  checkArgument('the workflow', workflow, WORKFLOW);
  checkOptions('toMermaid', options, MERMAID_KINDS);
  const { run = [], direction = 'TD' } = options;
  const states = statesOf(workflow, run);
  const { boxes, arrows } = flowDiagram(workflow);
  const kept = new Set<string>(['start', 'done']);
  const lines: string[] = [];
  const coloured = new Map<StepState, string[]>();
  let edges = 0;
  let text = ROOM;
  let left = 0;
  for (const box of boxes) {
    const drawn = printBox(box, '  ');
    const names = namesOf(box);
    const own = arrows.filter(({ from }) => names.includes(from));
    edges += own.length;
    text += [...drawn, ...own.map(printArrow)].reduce((sum, line) => sum + line.length + 4, 0);
    if (box.shape !== 'end' && (left > 0 || edges > MAX_EDGES - 1 || text > MAX_TEXT)) {
      left += 1;
      continue;
    }
    for (const name of names) kept.add(name);
    lines.push(...drawn);
    collect(box, states, coloured);
  }
  const isKept = ({ from, to }: Arrow): boolean => kept.has(from) && kept.has(to);
  const note = `${left} of ${boxes.length - 2} steps are left out`;
  return [
    `flowchart ${direction}`,
    ...lines,
    ...(left > 0 ? [`  leftOut["${note}"]`] : []),
    ...arrows.filter(isKept).map(printArrow),
    ...[...coloured].flatMap(([state, names]) => [
      `  classDef ${state} ${COLOURS[state]}`,
      `  class ${names.join(',')} ${state}`,
    ]),
    '',
  ].join('\n');
}

function statesOf(
  workflow: WorkflowDefinition,
  run: NonNullable<MermaidOptions['run']>,
): ReadonlyMap<string, StepState> {
  const { states, isDone } = runStates(run);
  const passed = passedBranches(workflow, states, isDone);
  return new Map([...passed.map((id): [string, StepState] => [id, 'done']), ...states]);
}

function namesOf({ name, boxes }: Box): readonly string[] {
  return [name, ...boxes.flatMap(namesOf)];
}

function collect(
  box: Box,
  states: ReadonlyMap<string, StepState>,
  coloured: Map<StepState, string[]>,
): void {
  const state = box.stepId === undefined ? undefined : states.get(box.stepId);
  if (state) coloured.set(state, [...(coloured.get(state) ?? []), box.name]);
  for (const inner of box.boxes) collect(inner, states, coloured);
}

const BRACKETS: Readonly<Record<Exclude<Box['shape'], 'frame'>, readonly [string, string]>> = {
  step: ['[', ']'],
  branch: ['{', '}'],
  human: ['[/', '/]'],
  subflow: ['[[', ']]'],
  sleep: ['([', '])'],
  end: ['((', '))'],
};

function printBox(box: Box, indent: string): readonly string[] {
  const label = `"${escapeMermaid(cut(box.label))}"`;
  if (box.shape === 'frame') {
    return [
      `${indent}subgraph ${box.name}[${label}]`,
      ...box.boxes.flatMap((inner) => printBox(inner, `${indent}  `)),
      `${indent}end`,
    ];
  }
  const [open, close] = BRACKETS[box.shape];
  return [`${indent}${box.name}${open}${label}${close}`];
}

function printArrow({ from, to, label, isFailure = false }: Arrow): string {
  const line = isFailure ? '-.->' : '-->';
  const text = label === undefined ? '' : `|"${escapeMermaid(cut(label))}"|`;
  return `  ${from} ${line}${text} ${to}`;
}

function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MAX_LABEL ? text : `${characters.slice(0, MAX_LABEL - 1).join('')}…`;
}

const RUN: Kind<never> = {
  expected: 'the events of a run, or the result of WorkflowEngine.run',
  accepts: (value) => (OBJECT.accepts(value) ? isRunShown(Object(value)) : Array.isArray(value)),
};

const MERMAID_KINDS: Kinds<MermaidOptions> = {
  run: optional(RUN),
  direction: optional(oneOf('TD', 'LR')),
};

function isRunShown(value: object): boolean {
  return 'steps' in value || 'get' in value || Symbol.iterator in value;
}

/** The state of a step in a run, the last time that it was begun. */
type StepState = 'running' | 'waiting' | 'done' | 'failed' | 'skipped';

/** A run as `WorkflowEngine.run` gives it. */
interface StepsOfRun {
  readonly status: string;
  readonly steps: readonly { readonly stepId: string; readonly error?: unknown }[];
  readonly waiting: readonly { readonly stepId: string }[];
}

/** The known states of a run. */
interface RunStates {
  /** The state of each step, by its id. */
  readonly states: ReadonlyMap<string, StepState>;
  /** True if it came to the end of its workflow. */
  readonly isDone: boolean;
}

/** Reads the states from the events of a run, from the journal, or as given. */
function runStates(
  run: Iterable<RunEvent> | StepsOfRun | ReadonlyMap<string, StepState>,
): RunStates {
  if ('steps' in run) return { states: statesInJournal(run), isDone: run.status === 'done' };
  if ('get' in run) return { states: run, isDone: false };
  const events = [...run];
  const isDone = events.some((event) => event.type === 'run:ended' && event.status === 'done');
  return { states: stepStates(events), isDone };
}

/** Returns the state of each step that the journal knows of, by its id. */
function statesInJournal({ steps, waiting }: StepsOfRun): ReadonlyMap<string, StepState> {
  const states = new Map<string, StepState>();
  for (const { stepId, error } of steps)
    states.set(stepId, error === undefined ? 'done' : 'failed');
  for (const { stepId } of waiting) states.set(stepId, 'waiting');
  return states;
}

/** Returns the state of each step, by its id, from the events of a run. */
function stepStates(events: Iterable<RunEvent>): ReadonlyMap<string, StepState> {
  const states = new Map<string, StepState>();
  for (const event of events) {
    if (event.type === 'run:ended') {
      if (event.status === 'done') continue;
      for (const [id, state] of states) {
        if (state === 'running' || state === 'waiting') states.set(id, 'failed');
      }
      continue;
    }
    const state = 'stepId' in event ? stateAfter(event.type) : undefined;
    if (state && 'stepId' in event) states.set(event.stepId, state);
  }
  return states;
}

function stateAfter(type: RunEvent['type']): StepState | undefined {
  switch (type) {
    case 'step:started':
    case 'step:answered':
      return 'running';
    case 'step:waiting':
      return 'waiting';
    case 'step:ended':
      return 'done';
    case 'step:failed':
      return 'failed';
    case 'step:skipped':
      return 'skipped';
    default:
      return undefined;
  }
}

/** More are not drawn. */
const MOST = 500;

/**
 * Returns the ids of branches that a run has passed. A run keeps nothing of them; but where every way to a step that it came
 * to, or to the end, leads through a branch, it has passed that.
 */
function passedBranches(
  { steps, initial_step: initial }: WorkflowDefinition,
  states: ReadonlyMap<string, StepState>,
  isDone: boolean,
): readonly string[] {
  if (states.size === 0 && !isDone) return [];
  const bodies = [...allSteps(steps)].flatMap(({ step }) =>
    bodiesOf(step).map((body) => body.steps),
  );
  return [
    ...passedIn(steps, startOf(steps, initial), states, isDone),
    ...bodies.flatMap((body) => passedIn(body, 0, states, false)),
  ];
}

function passedIn(
  steps: readonly Step[],
  start: number,
  states: ReadonlyMap<string, StepState>,
  isDone: boolean,
): readonly string[] {
  const places = [...steps.keys()].filter((at) => isBranch(steps[at])).slice(0, MOST);
  if (places.length === 0) return [];
  const ways = waysOf(steps);
  const visited = [...steps.keys()].filter((at) => isVisited(steps[at], states));
  return places.flatMap((place) => {
    const others = reachableFrom(ways.with(place, []), start);
    others.delete(place);
    const isLeft = [...others].some((at) => ways[at]?.some(({ to }) => to === undefined));
    const isPassed = visited.some((at) => !others.has(at)) || (isDone && !isLeft);
    return isPassed ? [steps[place]?.id ?? ''] : [];
  });
}

/** One with a condition of its own may have been left out. */
function isBranch(step: Step | undefined): boolean {
  return step?.type === 'branch' && step.when === undefined;
}

/** Checks whether a run came to a step, or to one of its body. */
function isVisited(step: Step | undefined, states: ReadonlyMap<string, StepState>): boolean {
  return step !== undefined && [...allSteps([step])].some(({ step: { id } }) => states.has(id));
}
