import { type FileChange, StorageError } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { StoredFlow } from '../flow/flow.ts';
import { readNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { allocateFiles, putFiles, type WrittenFlow, type WrittenNode } from '../write/commit.ts';
import {
  type EditHistory,
  type EditStep,
  encodeStep,
  type FileStep,
  forgetChanges,
  type NodeFileStep,
  readStack,
  readStep,
  stackChange,
  type StackedStep,
  type StepContent,
  stepFile,
} from '../write/undo-history.ts';
import type { ForgetOptions, ReplayedEdit, ReplayOptions } from './options.ts';
import { type FlowReplay, replayFlow } from './undo-flow.ts';

/** Undoes or redoes an edit, and emits its events. */
export async function replayEdit(
  project: Project,
  direction: 'undo' | 'redo',
  { ifStep }: ReplayOptions,
): Promise<ReplayedEdit | undefined> {
  const replayed = await project.write(async () => {
    const done = await replayStep(project, direction, ifStep).catch(asConflict);
    if (done) await putFiles(project, done.flows, done.nodes);
    return done;
  });
  return replayed && tell(project, replayed);
}

/** Throws the error of a file that a program without a lock changed between reading and writing. */
function asConflict(error: unknown): never {
  if (!StorageError.isInstance(error) || error.code !== 'conflict') throw error;
  throw new VizPromptError('conflict', `${error.message}: try again`, {
    cause: error,
    context: error.context,
  });
}

async function tell(
  { events, known }: Project,
  { step, flows, nodes }: Replayed,
): Promise<ReplayedEdit> {
  for (const { file, id, text, version } of nodes) {
    if (text === null) events.emit('node:deleted', { id });
    else events.emit('node:created', { node: { ...(await readNode(file, text)), file, version } });
  }
  const restored: StoredFlow[] = [];
  const deletedFlows: string[] = [];
  for (const { file, version, entry, isNew, id } of flows) {
    if (entry?.flow) {
      const flow = { ...entry.flow, file, version };
      known.rememberFlow(version, flow);
      events.emit(isNew ? 'flow:created' : 'flow:updated', { flow });
      restored.push(flow);
    } else {
      events.emit('flow:deleted', { id });
      deletedFlows.push(id);
    }
  }
  return { step: shown(step), flows: restored, deletedFlows };
}

/** Lists the edits that can be undone and redone. */
export async function listEdits({ files }: Project): Promise<EditHistory> {
  const { undo, redo } = await readStack(files);
  return { undo: undo.map(shown), redo: redo.map(shown) };
}

/** Deletes the history, or one step of it. */
export async function forgetEdits(project: Project, { step }: ForgetOptions): Promise<void> {
  await project.write(async () => {
    await project.files.writeMany(await forgetChanges(project.files, step));
  });
}

function shown({ id, label, time, flows }: EditStep | StackedStep): EditStep {
  return { id, label, time, flows };
}

/** A step that was taken back or done again, and the files that this wrote. */
interface Replayed {
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
async function replayStep(
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

/** Returns a step that does something else from now on. */
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

/** Returns a change as it is to be made now: from `before` to `after`. And the other way round. */
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

/** A node file that is written or deleted, and the keywords that go with it. */
interface NodeReplay {
  readonly write: FileChange;
  readonly id: string;
  readonly keywords: readonly string[];
}

/**
 * Returns the changes of node files that undo or redo an edit. No words get
 * lost: a node that was changed since or that a flow has by now is not deleted, one that is there
 * again is not written over, and one whose file is taken gets another.
 *
 * @param flows - The flows that are changed with them, as they are then; without a flow it is deleted.
 */
async function replayNodes(
  project: Project,
  changes: readonly NodeFileStep[],
  flows: readonly Pick<FlowReplay, 'write' | 'entry'>[],
): Promise<NodeReplay[]> {
  const { files, index } = project;
  const restored = await placesOf(project, changes);
  const replays: NodeReplay[] = restored.map(({ key, change: { id, after, keywords } }) => {
    return { write: { key, content: after, ifVersion: null }, id, keywords };
  });
  const deleted = new Set<string>();
  const changed = new Set(flows.map(({ write }) => write.key));
  const needed = new Set(flows.flatMap(({ entry }) => entry?.flow?.nodes.map((n) => n.id) ?? []));
  for (const { id, before, after } of changes) {
    if (after !== null) continue;
    if (needed.has(id) || (await index.flows.filesWith(id)).some((file) => !changed.has(file))) {
      continue;
    }
    for (const file of await index.nodes.filesOf(id)) {
      const stored = await files.read(file);
      if (stored?.text !== before || deleted.has(file)) continue;
      deleted.add(file);
      const write = { key: file, content: null, ifVersion: stored.version };
      replays.push({ write, id, keywords: [] });
    }
  }
  return replays;
}

/** Where nodes that are not there get their files back: where those were, or if others took that, after all. */
async function placesOf(
  project: Project,
  changes: readonly NodeFileStep[],
): Promise<{ key: string; change: NodeFileStep }[]> {
  const { files, index } = project;
  const made = changes.filter(({ after }) => after !== null);
  const there = new Set((await index.nodes.rowsOf(made.map(({ id }) => id))).map(({ id }) => id));
  const restored = made.filter(({ id }) => !there.has(id));
  const taken = new Set<string>();
  for (const { file } of restored) if (await files.read(file)) taken.add(file);
  const wanted = new Set(restored.map(({ file }) => file));
  const count = taken.size > 0 ? taken.size + wanted.size : 0;
  const free = (await allocateFiles(project, 'nodes', count)).filter((file) => !wanted.has(file));
  return restored.map((change) => {
    const key = taken.has(change.file) ? (free.shift() ?? change.file) : change.file;
    return { key, change };
  });
}
