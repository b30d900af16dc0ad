import type { FileChange } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { Project } from '../project/project.ts';
import type { WrittenFlow, WrittenNode } from '../write/commit.ts';
import {
  type EditStep,
  encodeStep,
  type FileStep,
  readStack,
  readStep,
  stackChange,
  type StackedStep,
  type StepContent,
  stepFile,
} from '../write/undo-history.ts';
import { type FlowReplay, replayFlow } from './replay-flow.ts';
import { replayNodes } from './replay-nodes.ts';

/** A step that was taken back or done again, and the files that this wrote. */
export interface Replayed {
  readonly step: EditStep;
  readonly flows: readonly WrittenFlow[];
  readonly nodes: readonly WrittenNode[];
}

/**
 * Takes the last edit back, or does the one that was taken back last again. Flow files that are as the
 * edit left them get the very bytes that they had; those that have changed since keep what came since,
 * and the step becomes what was done to them now, so that the next time it is exact again. The caller
 * holds the lock of the project, and puts the files into the index.
 *
 * @returns `undefined` if there is none.
 * @throws VizPromptError with the code `conflict` and what has changed, if that and the edit contradict
 * each other; `exists` if a name is taken meanwhile.
 */
export async function replayStep(
  project: Project,
  direction: 'undo' | 'redo',
  ifStep?: string,
): Promise<Replayed | undefined> {
  const { files } = project;
  const stack = await readStack(files);
  const step = stack[direction].at(-1);
  if (ifStep !== undefined && step?.id !== ifStep) throw anotherStep(direction, ifStep, step);
  if (!step) return undefined;
  const content = await readStep(files, step, project.limits.historyBytes);
  const flows: FlowReplay[] = [];
  const changes: FileStep[] = [];
  for (const [at, recorded] of content.flows.entries()) {
    const change = turn(recorded, direction);
    const id = step.flows[at] ?? '';
    const replay = await replayFlow(project, { step, direction, id, change });
    if (replay) flows.push(replay);
    changes.push(turn(replay?.change ?? change, direction));
  }
  await refuseTakenNames(project, step, flows);
  const nodes = await replayNodes(
    project,
    content.nodes.map((change) => turn(change, direction)),
    flows,
  );

  const isRebased = flows.some((flow) => flow.isRebased);
  const { entry, writes } = isRebased
    ? await rewritten(step, { ...content, flows: changes })
    : { entry: step, writes: [] };
  const rest = stack[direction].slice(0, -1);
  const moved =
    direction === 'undo'
      ? { undo: rest, redo: [...stack.redo, entry] }
      : { undo: [...stack.undo, entry], redo: rest };
  const all = [...flows, ...nodes].map(({ write }) => write);
  const versions = await files.writeMany([...all, ...writes, stackChange(moved)]);
  project.selfWrites.note(all, versions);
  const versionOf = new Map(all.map(({ key }, at) => [key, versions[at] ?? '']));
  return {
    step,
    flows: flows.map(({ id, write: { key, ifVersion }, entry: indexed, before }) => ({
      file: key,
      id,
      version: versionOf.get(key) ?? '',
      isNew: ifVersion === null,
      ...(indexed ? { entry: indexed } : {}),
      ...(before ? { before } : {}),
    })),
    nodes: nodes.map(({ write: { key, content: after }, id, keywords }) => {
      const text = typeof after === 'string' ? after : null;
      return { file: key, id, text, version: versionOf.get(key) ?? '', keywords };
    }),
  };
}

/** A step that does something else from now on. */
async function rewritten(
  step: StackedStep,
  content: StepContent,
): Promise<{ entry: StackedStep; writes: readonly FileChange[] }> {
  const data = await encodeStep(content);
  return {
    entry: { ...step, bytes: data.length },
    writes: [{ key: stepFile(step.id), content: data }],
  };
}

/** A change as it is to be made now: from `before` to `after`. And the other way round. */
function turn<T extends FileStep>(change: T, direction: 'undo' | 'redo'): T {
  if (direction === 'redo') return change;
  return { ...change, before: change.after, after: change.before };
}

async function refuseTakenNames(
  { index }: Project,
  step: EditStep,
  replays: readonly FlowReplay[],
): Promise<void> {
  const touched = new Set(replays.map(({ write }) => write.key));
  const others = (await index.flows.list()).filter(({ file }) => !touched.has(file));
  for (const { entry } of replays) {
    const flow = entry?.flow;
    if (!flow) continue;
    const other = others.find(
      ({ id, alias }) => id === flow.id || (alias !== null && alias === flow.alias),
    );
    if (!other) continue;
    const name = other.id === flow.id ? flow.id : (flow.alias ?? '');
    throw new VizPromptError(
      'exists',
      `${other.file} is called '${name}' by now: structure.forget({ step: '${step.id}' }) leaves this edit as it is`,
      { context: { flow: name, file: other.file, step: step.id } },
    );
  }
}

function anotherStep(direction: string, expected: string, step?: EditStep): VizPromptError {
  const next = step ? `'${step.label}' of ${step.time} (${step.id})` : 'nothing';
  return new VizPromptError(
    'conflict',
    `cannot ${direction} the step ${expected}: the next to ${direction} is ${next}`,
    { context: { expected, actual: step?.id } },
  );
}
