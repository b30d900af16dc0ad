import type { FileChange, StoredFile } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { compareFlows, describeFlowChange } from '../flow/flow-change.ts';
import { readFlowFile } from '../flow/flow-file.ts';
import type { Flow } from '../flow/flow.ts';
import type { WrittenFlow, WrittenNode } from '../index/put-files.ts';
import { parseFlow } from '../index/refresh.ts';
import type { Project } from '../project/project.ts';
import { readStack, readStep, stackChange } from './history-files.ts';
import { replayNodes } from './replay-nodes.ts';
import type { EditStep, FileStep } from './step.ts';

/** A step that was taken back or done again, and the files that this wrote. */
export interface Replayed {
  readonly step: EditStep;
  readonly flows: readonly WrittenFlow[];
  readonly nodes: readonly WrittenNode[];
}

/**
 * Takes the last edit back, or does the one that was taken back last again: its flow files get the
 * very bytes that they had. The caller holds the lock of the project, and puts the files into the
 * index.
 *
 * @returns `undefined` if there is none.
 * @throws VizPromptError with the code `conflict` and what has changed, if somebody changed one of
 * the flows since; `exists` if a name is taken meanwhile.
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
  const content = await readStep(files, step);
  const flows: FlowReplay[] = [];
  for (const change of content.flows) {
    flows.push(await replayFlow(project, step, turn(change, direction), direction));
  }
  await refuseTakenNames(project, flows);
  const nodes = await replayNodes(
    project,
    content.nodes.map((change) => turn(change, direction)),
  );

  const rest = stack[direction].slice(0, -1);
  const moved =
    direction === 'undo'
      ? { undo: rest, redo: [...stack.redo, step] }
      : { undo: [...stack.undo, step], redo: rest };
  const all = [...flows, ...nodes].map(({ write }) => write);
  const versions = await files.writeMany([...all, stackChange(moved)]);
  const versionOf = new Map(all.map(({ key }, at) => [key, versions[at] ?? '']));
  return {
    step,
    flows: flows.map(({ write: { key, ifVersion }, entry, before }, at) => ({
      file: key,
      id: step.flows[at] ?? '',
      version: versionOf.get(key) ?? '',
      isNew: ifVersion === null,
      ...(entry ? { entry } : {}),
      ...(before ? { before } : {}),
    })),
    nodes: nodes.map(({ write: { key, content: after }, id, keywords }) => {
      const text = typeof after === 'string' ? after : null;
      return { file: key, id, text, version: versionOf.get(key) ?? '', keywords };
    }),
  };
}

/** A flow file that is written or deleted. */
interface FlowReplay extends Pick<WrittenFlow, 'entry' | 'before'> {
  readonly write: FileChange;
}

/** A change as it is to be made now: from `before` to `after`. */
function turn<T extends FileStep>(change: T, direction: 'undo' | 'redo'): T {
  if (direction === 'redo') return change;
  return { ...change, before: change.after, after: change.before };
}

async function replayFlow(
  { files, index, known }: Project,
  step: EditStep,
  { file, before, after }: FileStep,
  direction: 'undo' | 'redo',
): Promise<FlowReplay> {
  const stored = await files.read(file);
  const isExpected = stored === null ? before === null : stored.text === before;
  if (isExpected) {
    const version = stored?.version ?? null;
    const isIndexed = version !== null && (await index.flows.versionOf(file)) === version;
    const old = isIndexed ? known.flow(version) : undefined;
    return {
      write: { key: file, content: after, ifVersion: version },
      ...(after === null ? {} : { entry: parseFlow(file, { text: after, version: '' }) }),
      ...(old ? { before: old } : {}),
    };
  }
  const what = whatChanged(file, before, stored);
  throw new VizPromptError(
    'conflict',
    `cannot ${direction} '${step.label}' of ${step.time}: ${file} was changed since: ${what.text}`,
    { context: { step: step.id, label: step.label, file, changed: what.changed } },
  );
}

function whatChanged(
  file: string,
  expected: string | null,
  stored: StoredFile | null,
): { text: string; changed?: unknown } {
  if (!stored) return { text: 'it is gone' };
  try {
    const now = readFlowFile(file, stored.text).flow;
    const before: Flow | undefined =
      expected === null ? undefined : readFlowFile(file, expected).flow;
    if (before?.id !== now.id) return { text: `it is the flow '${now.name}' (${now.id}) now` };
    const changed = compareFlows(before, now);
    return { text: describeFlowChange(changed), changed };
  } catch (error) {
    return { text: error instanceof Error ? error.message : 'it cannot be understood' };
  }
}

async function refuseTakenNames({ index }: Project, replays: readonly FlowReplay[]): Promise<void> {
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
    throw new VizPromptError('exists', `${other.file} is called '${name}' by now`, {
      context: { flow: name, file: other.file },
    });
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
