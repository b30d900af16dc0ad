import type { FileChange, StoredFile } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { type FlowFile, writeFlowYaml } from '../flow/flow-file.ts';
import { FlowGraph } from '../flow/flow-graph.ts';
import {
  compareFlows,
  describeFlowChange,
  type Flow,
  type FlowChange,
  type FlowConnection,
  type FlowNode,
} from '../flow/flow.ts';
import { readFlow } from '../flow/read-flow.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { parseFlow } from '../index/refresh.ts';
import type { Project } from '../project/project.ts';
import { mergeKeys, mergeValue } from '../sharing/merge-flows.ts';
import { allocateFiles, type WrittenFlow } from '../write/commit.ts';
import type { EditStep, FileStep } from '../write/undo-history.ts';

/** The change of a flow file by an undo or redo. */
export interface FlowReplay extends Pick<WrittenFlow, 'id' | 'entry' | 'before'> {
  readonly write: FileChange;
  /** The file as it was and as it is then: the next time, the change is this one. */
  readonly change: FileStep;
  /** True if that is not what the step says, because the flow has changed since. */
  readonly isRebased: boolean;
}

/** A flow that a step changed. */
export interface FlowToReplay {
  readonly step: EditStep;
  readonly direction: 'undo' | 'redo';
  /** The id of the flow. */
  readonly id: string;
  /** The change as it is to be made now. */
  readonly change: FileStep;
}

/**
 * Returns the change of a flow that undoes or redoes an edit. A file that is as the edit
 * left it gets the very bytes that it had. One that has changed since gets the change, and keeps what
 * came since; where it was moved, it is found.
 *
 * @returns `undefined` if the flow is to go and is gone already.
 * @throws VizPromptError with the code `conflict`, and what has changed, if change and present flow
 * contradict each other.
 */
export async function replayFlow(
  project: Project,
  asked: FlowToReplay,
): Promise<FlowReplay | undefined> {
  const { files, index, known } = project;
  const { id, change } = asked;
  const { file, before, after } = change;
  const stored = await files.read(file);
  if ((stored?.text ?? null) === before) {
    const version = stored?.version ?? null;
    const isIndexed = version !== null && (await index.flows.versionOf(file)) === version;
    const old = isIndexed ? known.flow(version) : undefined;
    return {
      ...(await writing(id, change, version)),
      ...(old ? { before: old } : {}),
      isRebased: false,
    };
  }
  if (before === null) {
    const [free = file] = await allocateFiles(project, 'flows', 1);
    return { ...(await writing(id, { ...change, file: free }, null)), isRebased: true };
  }
  const now = await presentFlow(project, asked);
  if (!now && after === null) return undefined;
  if (!now) throw contradicted(asked, 'it is gone', 'there is nothing to change');
  if (now.text === before) {
    return { ...(await writing(id, { ...change, file: now.file }, now.version)), isRebased: true };
  }
  const { flow: was } = await readFlow(file, before);
  const changed = compareFlows(was, now.flow);
  if (after === null) {
    const instead = 'deleteFlow() deletes it as it is';
    throw contradicted(asked, changed, { text: 'it would be deleted with all that', instead });
  }
  const wanted = await readFlow(file, after);
  const flow = rebaseFlow({ before: was, after: wanted.flow, now: now.flow });
  if ('instead' in flow) throw contradicted(asked, changed, flow);
  const dated = { ...flow, updated: formatTime(project.clock()) };
  const isIndexed = (await index.flows.versionOf(now.file)) === now.version;
  const text = await textOf(dated, now, wanted);
  return {
    ...(await writing(id, { file: now.file, before: now.text, after: text }, now.version)),
    ...(isIndexed ? { before: now.flow } : {}),
    isRebased: true,
  };
}

/** Returns a flow in the form that its file has now, with what was next to those parts that come back. */
async function textOf(
  flow: Flow,
  { withIds, document: own }: FlowFile,
  { document }: FlowFile,
): Promise<string> {
  const whole = own ?? document;
  if (!whole) return writeFlowYaml(flow, { withIds });
  const { writeFlowFile } = await import('../flow/flow-document.ts');
  return writeFlowFile({ flow, withIds, document: whole }, document);
}

async function writing(
  id: string,
  change: FileStep,
  version: string | null,
): Promise<Pick<FlowReplay, 'id' | 'write' | 'change' | 'entry'>> {
  const { file, after } = change;
  return {
    id,
    change,
    write: { key: file, content: after, ifVersion: version },
    ...(after === null ? {} : { entry: await parseFlow(file, { text: after, version: '' }) }),
  };
}

type PresentFlow = FlowFile & Pick<StoredFile, 'text' | 'version'> & { readonly file: string };

/** Returns the flow as it is, in the file where the step left it or in another. */
async function presentFlow(
  { files, index }: Project,
  asked: FlowToReplay,
): Promise<PresentFlow | undefined> {
  const { id, change } = asked;
  for (const file of new Set([change.file, ...(await index.flows.find(id))])) {
    const stored = await files.read(file);
    if (!stored) continue;
    try {
      const read = await readFlow(file, stored.text);
      const { text, version } = stored;
      if (read.flow.id === id) return { ...read, text, version, file };
    } catch (error) {
      if (!VizPromptError.isInstance(error)) throw error;
      throw contradicted(asked, error.message, 'repair() settles that');
    }
  }
  return undefined;
}

function contradicted(
  { step, direction, change: { file } }: FlowToReplay,
  changed: FlowChange | string,
  reason: Contradiction | string,
): VizPromptError {
  const what = typeof changed === 'string' ? changed : describeFlowChange(changed);
  const why = typeof reason === 'string' ? reason : `${reason.text}. ${reason.instead}`;
  return new VizPromptError(
    'conflict',
    `cannot ${direction} '${step.label}' of ${step.time}: ${file} was changed since: ${what}; ${why}. ` +
      `structure.forget({ step: '${step.id}' }) leaves this edit as it is`,
    {
      context: {
        step: step.id,
        label: step.label,
        file,
        ...(typeof changed === 'string' ? {} : { changed }),
      },
    },
  );
}

/** A change of a flow, and the flow that it is to be made in. */
interface RebaseSides {
  /** The flow that the change was made from. */
  readonly before: Flow;
  /** The flow that it made. */
  readonly after: Flow;
  /** The flow as it is, with what came since. */
  readonly now: Flow;
}

/** Why a change cannot be made in a flow with what came since. */
interface Contradiction {
  /** Such as `B goes on from A, which it would remove`. */
  readonly text: string;
  /** The call that does the same, or nearly. */
  readonly instead: string;
}

/**
 * Makes a change in a flow that has changed since: what the change adds is added, what it takes away is
 * taken away, and what came since stays, connected as it is.
 *
 * @returns The contradiction, if one of the two would undo a part of the other.
 */
function rebaseFlow(sides: RebaseSides): Flow | Contradiction {
  const { after, now } = sides;
  const ids = mapSides(sides, ({ nodes }) => nodes.map(({ id }) => id));
  const kept = keptOf(ids);
  const isKept = ({ from, to }: FlowConnection): boolean => kept.has(from) && kept.has(to);
  const edges = mapSides(
    sides,
    ({ connections }) => new Map(connections.map((c) => [keyOf(c), c])),
  );
  const clash = looseEnd(edges, isKept, kept) ?? fieldClash(sides);
  if (clash) return clash;

  const keys = mapSides(edges, (map) => [...map.keys()]);
  const connections: FlowConnection[] = [];
  for (const key of inOrder(keys, keptOf(keys))) {
    const found = edges.now.get(key) ?? edges.after.get(key);
    if (!found || !isKept(found)) continue;
    const branch = merged(mapSides(edges, (map) => map.get(key)?.branch));
    if (!branch.isClear) return valueClash(`the branch of ${arrow(found)}`, 'connectNodes');
    connections.push({ from: found.from, to: found.to, ...defined({ branch: branch.value }) });
  }
  const nodes = numbered(inOrder(ids, kept), sides);
  const cycle = new FlowGraph({ nodes, connections }).findCycle();
  if (cycle) {
    const text = `it would close a circle: ${cycle.join(' → ')}`;
    return { text, instead: 'disconnectNodes() opens it' };
  }
  const heads = [merged(mapSides(sides, ({ head }) => head)).value, now.head, after.head];
  const { alias: _alias, source: _source, head: _head, ...rest } = now;
  return {
    ...rest,
    name: merged(mapSides(sides, ({ name }) => name)).value,
    description: merged(mapSides(sides, ({ description }) => description)).value,
    ...defined({
      alias: merged(mapSides(sides, ({ alias }) => alias)).value,
      source: merged(mapSides(sides, ({ source }) => source)).value,
      head: heads.find((id) => id !== undefined && kept.has(id)) ?? nodes.at(-1)?.id,
    }),
    nodes,
    connections,
  };
}

type OfSides<T> = Readonly<Record<keyof RebaseSides, T>>;
type Edges = OfSides<ReadonlyMap<string, FlowConnection>>;

function mapSides<T, U>({ before, after, now }: OfSides<T>, map: (side: T) => U): OfSides<U> {
  return { before: map(before), after: map(after), now: map(now) };
}

function merged<T>({ before, after, now }: OfSides<T>): { value: T; isClear: boolean } {
  return mergeValue({ base: before, ours: now, theirs: after });
}

function keptOf(keys: OfSides<readonly string[]>): ReadonlySet<string> {
  const { before: base, now: ours, after: theirs } = mapSides(keys, (list) => new Set(list));
  return mergeKeys({ base, ours, theirs });
}

function keyOf({ from, to }: FlowConnection): string {
  return `${from} ${to}`;
}

function arrow({ from, to }: FlowConnection): string {
  return `${from} → ${to}`;
}

/** Returns a connection of one side to a node that the other has removed. */
function looseEnd(
  { before, after, now }: Edges,
  isKept: (connection: FlowConnection) => boolean,
  kept: ReadonlySet<string>,
): Contradiction | undefined {
  const isNew = (key: string): boolean => !before.has(key);
  for (const [key, { from, to }] of now) {
    if (!isNew(key) || kept.has(from) === kept.has(to)) continue;
    const [gone, verb, other] = kept.has(from)
      ? [to, 'leads to', from]
      : [from, 'continues from', to];
    return {
      text: `${other} ${verb} ${gone}, which it would remove`,
      instead: `structure.deleteNodes('${gone}', { descendants: false }) takes that one out and connects what is around it`,
    };
  }
  for (const [key, connection] of after) {
    if (!isNew(key) || isKept(connection)) continue;
    const lost = kept.has(connection.from) ? connection.to : connection.from;
    return {
      text: `it would connect ${arrow(connection)}, and ${lost} was removed`,
      instead: 'addNodeToFlow() puts that one back',
    };
  }
  return undefined;
}

function fieldClash(sides: RebaseSides): Contradiction | undefined {
  for (const field of ['name', 'alias', 'description', 'source'] as const) {
    const { isClear } = merged<string | undefined>(mapSides(sides, (flow) => flow[field]));
    if (!isClear) return valueClash(`the ${field}`, 'updateFlow');
  }
  return undefined;
}

function valueClash(what: string, method: string): Contradiction {
  return { text: `${what} is another by now`, instead: `${method}() sets it` };
}

/**
 * Returns the keys as the change has them, and those that came since after them. If they were put in
 * another order, as they are now.
 */
function inOrder(
  { before, after, now }: OfSides<readonly string[]>,
  kept: ReadonlySet<string>,
): string[] {
  const there = new Set(now);
  const isAsBefore = before.filter((key) => there.has(key)).every((key, at) => now[at] === key);
  const all = isAsBefore ? [...after, ...now] : [...now, ...after];
  return [...new Set(all)].filter((key) => kept.has(key));
}

/** Nodes that are there keep their index; those that come back get theirs, where it is free. */
function numbered(ids: readonly string[], { now, after }: RebaseSides): FlowNode[] {
  const wanted = new Map([...after.nodes, ...now.nodes].map(({ id, index }) => [id, index]));
  const kept = new Set(ids);
  const taken = new Map(now.nodes.filter(({ id }) => kept.has(id)).map((n) => [n.index, n.id]));
  let highest = 0;
  for (const index of wanted.values()) highest = Math.max(highest, index);
  return ids.map((id) => {
    const index = wanted.get(id) ?? 0;
    const isFree = !taken.has(index) || taken.get(index) === id;
    return { index: isFree ? index : ++highest, id };
  });
}
