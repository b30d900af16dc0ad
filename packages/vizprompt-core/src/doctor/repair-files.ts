import { messageOf, type StoredFile } from '@vizprompt/providers';
import { removeNode } from '../flow/flow-graph.ts';
import { readFlowFile, readRawFlow, writeFlowFile } from '../flow/flow-document.ts';
import type { FlowFile } from '../flow/flow-file.ts';
import type { Flow } from '../flow/flow.ts';
import type { RawFlowFile } from '../flow/scan-flow-yaml.ts';
import { isUuid } from '../format/ids-and-times.ts';
import { conflictSides, type ConflictSides } from '../format/merge-conflict.ts';
import { decodeForbidden } from '../node/parse-xml.ts';
import { readNodeXml } from '../node/parse-node-xml.ts';
import { illegalIn, writeNodeXml } from '../node/node-xml.ts';
import { mergeExtras, mergeFlows } from '../sharing/merge-flows.ts';
import { decodeFile } from '../format/foreign-bytes.ts';
import { mendNodeText } from './mend-node-text.ts';
import { mendedYamlTexts, rebuildFlowYaml } from './rebuild-flow-yaml.ts';
import { type FlowRepairTools, repairRawFlow } from './repair-raw-flow.ts';

/** The result of repairing a file. */
export interface Outcome {
  /** Its new content; `null`: it is deleted, as its content is elsewhere. */
  readonly content: string | null;
  /** The texts of nodes and flows that become files of their own. */
  readonly newNodes?: readonly string[];
  readonly newFlows?: readonly string[];
  /** Why the file goes to `lost+found/` as it was; absent where nothing of it would be missing. */
  readonly setAside?: string;
}

/**
 * Repairs a node file; `undefined` if there is nothing to repair.
 *
 * @param now - The time of a node of which no other is known.
 * @param lostId - Its id if the file does not say it.
 */
export function repairNode(
  file: string,
  stored: StoredFile,
  now: string,
  lostId?: string,
): Outcome | undefined {
  const decoded = decodedOf(stored);
  if (!decoded) return { content: null, setAside: 'no text' };
  const { text, slip } = decoded;
  const problem = slip ?? problemIn(file, text);
  const sides = nodeConflict(file, text);
  if (!sides && problem === undefined) return withEscapes(file, text);
  if (!sides)
    return { content: mendedNode(file, text, now, lostId) ?? null, setAside: problem ?? '' };
  const { ours, theirs } = sides;
  const [oursProblem, theirsProblem] = [ours, theirs].map((side) => problemIn(file, side));
  if (oursProblem !== undefined && theirsProblem !== undefined) {
    return {
      content: null,
      setAside: `a merge of git, of which no side is a node: ${oursProblem}`,
    };
  }
  if (oursProblem !== undefined || theirsProblem !== undefined) {
    const content = oursProblem === undefined ? ours : theirs;
    const which = `a merge of git, of which one side is no node: ${oursProblem ?? theirsProblem}`;
    return { content, setAside: which };
  }
  const newNodes = ours === theirs ? [] : [theirs];
  // Marks in a node that is whole may have been said.
  const needsRefresh = problem === undefined || sides.isAmbiguous;
  const doubt =
    'git left its marks in it, unless they are what was said: it was taken apart at them';
  return { content: ours, newNodes, ...(needsRefresh ? { setAside: doubt } : {}) };
}

/**
 * Takes apart a node with the marks of a merge. Longer marks than those of git by default may be what was said: they count
 * where the node cannot be read for them alone.
 */
export function nodeConflict(file: string, text: string): ConflictSides | undefined {
  const sides = conflictSides(text);
  if (!sides?.isLong) return sides;
  const isNode = (each: string): boolean => problemIn(file, each) === undefined;
  return !isNode(text) && isNode(sides.ours) && isNode(sides.theirs) ? sides : undefined;
}

/** Gives a node file its own id in place of that of another node. */
export function renameNode(file: string, { text }: StoredFile, id: string): Outcome {
  const node = readNodeXml(file, text);
  const setAside = `it had the id of another node, ${node.id}, and got that of its own back: ${id}`;
  return { content: writeNodeXml({ ...node, id }), setAside };
}

/** Returns the node that a text was meant to be, if only its markup is wrong. */
export function mendedNode(
  file: string,
  text: string,
  now: string,
  lostId?: string,
): string | undefined {
  try {
    return writeNodeXml(readNodeXml(file, mendNodeText(text, now, lostId)));
  } catch {
    return undefined;
  }
}

function withEscapes(file: string, text: string): Outcome | undefined {
  return illegalIn(decodeForbidden(text)) && { content: writeNodeXml(readNodeXml(file, text)) };
}

function decodedOf(stored: StoredFile): ReturnType<typeof decodeFile> | undefined {
  try {
    return decodeFile(stored);
  } catch {
    return undefined;
  }
}

function problemIn(file: string, text: string): string | undefined {
  try {
    readNodeXml(file, text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The tools and decisions for repairing a flow. */
export interface FlowRepairContext extends FlowRepairTools {
  /** An alias like the given one that no flow has. */
  readonly freeAlias: (alias: string) => string;
  /** `true`: the flow gets another id. */
  readonly needsId: boolean;
  readonly needsAlias: boolean;
  /** Checks whether the file of a node was set aside, so that it may come back. */
  readonly isAwaited: (id: string) => boolean;
  /** `true`: nodes without a file are removed. */
  readonly removesMissing: boolean;
}

/** A flow during its repair. */
interface RepairedFile extends Omit<FlowFile, 'warnings'> {
  /** The parts of the file that are not in the flow. */
  readonly losses: readonly string[];
  /** A flow of its own that was in the same file. */
  readonly other?: RepairedFile;
}

/** Repairs a flow file; `undefined` if there is nothing to repair. */
export function repairFlow(
  file: string,
  stored: StoredFile,
  context: FlowRepairContext,
): Outcome | undefined {
  try {
    const { text, slip } = decodeFile(stored);
    const sides = conflictSides(text);
    const repaired = sides ? settle(file, text, sides, context) : repairText(file, text, context);
    const { other, ...named } = rename(repaired, context);
    const whole = context.removesMissing ? withoutMissing(named, context) : named;
    const content = writeFlowFile(whole);
    if (!sides && content === text && slip === undefined) return undefined;
    const foreign = slip === undefined ? [] : [slip];
    const losses = [...foreign, ...whole.losses, ...(other?.losses ?? [])];
    const isAsItWas = !sides && whole.flow === repaired.flow && losses.length === 0;
    if (isAsItWas && isSound(file, text)) return undefined;
    return {
      content,
      ...(other ? { newFlows: [writeFlowFile(other)] } : {}),
      ...(losses.length > 0 ? { setAside: losses.join('; ') } : {}),
    };
  } catch (error) {
    return { content: null, setAside: messageOf(error) };
  }
}

function isSound(file: string, text: string): boolean {
  try {
    return readFlowFile(file, text).warnings.length === 0;
  } catch {
    return false;
  }
}

/** Returns a flow as its file says it, or as the file was meant; then with the slip that it has. */
export function readMendedFlow(
  file: string,
  text: string,
): RawFlowFile & { readonly slip?: unknown } {
  let slip: unknown = new Error('keys or ids are misspelled');
  let read: RawFlowFile | undefined;
  try {
    read = readRawFlow(file, text, true);
    if (isUnderstood(read)) return read;
  } catch (error) {
    slip = error;
  }
  const sound = read ? soundEntries(read) : -1;
  for (const mended of mendedYamlTexts(text)) {
    try {
      const candidate = readRawFlow(file, mended, true);
      if (soundEntries(candidate) > sound) return { ...candidate, slip };
    } catch {
      // The next one, then.
    }
  }
  try {
    const rebuilt = readRawFlow(file, rebuildFlowYaml(text), true);
    if (soundEntries(rebuilt) > (read ? soundEntries(read) : 0)) return { ...rebuilt, slip };
  } catch {
    // Its lines say nothing either.
  }
  if (read) return read;
  throw slip;
}

/** Checks whether all entries say something, and connections are there where several nodes are. */
function isUnderstood(read: RawFlowFile): boolean {
  const { nodes, connections } = read.raw;
  const isWhole = soundEntries(read) === nodes.length + connections.length;
  return isWhole && nodes.length > 0 && (connections.length > 0 || nodes.length < 2);
}

/** Returns how many entries of a flow say what they must. */
function soundEntries({ raw: { nodes, connections } }: RawFlowFile): number {
  const isNode = ({ id = '', index }: (typeof nodes)[number]): boolean =>
    isUuid(id) && index !== undefined;
  const isLink = ({ from, to, fromId, toId }: (typeof connections)[number]): boolean =>
    (from ?? fromId) !== undefined && (to ?? toId) !== undefined;
  return nodes.filter(isNode).length + connections.filter(isLink).length;
}

function repairText(file: string, text: string, context: FlowRepairTools): RepairedFile {
  const { raw, slip, ...rest } = readMendedFlow(file, text);
  const { flow, isLossy, faults } = repairRawFlow(file, raw, context);
  const losses = [
    ...(slip === undefined ? [] : [messageOf(slip)]),
    ...(isLossy ? faults.map(({ message }) => message) : []),
  ];
  return { ...rest, flow, losses };
}

/** Both sides of a conflict as one flow, or as two if they are two. */
function settle(
  file: string,
  text: string,
  sides: ConflictSides,
  context: FlowRepairContext,
): RepairedFile {
  const [ours, theirs] = [sides.ours, sides.theirs].map((side) => attempt(file, side, context));
  if (!ours || !theirs) {
    const whole = ours ?? theirs;
    if (!whole) throw new Error('a merge of git, of which no side is a flow');
    return { ...whole, losses: [...whole.losses, 'a merge of git, of which one side is no flow'] };
  }
  if (ours.flow.id !== theirs.flow.id) {
    const { alias } = theirs.flow;
    const isSame = alias !== undefined && alias === ours.flow.alias;
    return { ...ours, other: isSame ? withAlias(theirs, context.freeAlias(alias)) : theirs };
  }
  const base = sides.base === undefined ? undefined : attempt(file, sides.base, context);
  const { flow, conflicts } = mergeFlows({
    base: base?.flow,
    ours: ours.flow,
    theirs: theirs.flow,
  });
  const extras = mergeExtras({ base: undefined, ours, theirs });
  const fields = [...conflicts, ...(extras.isClear ? [] : ['comments'])];
  const losses = [
    ...ours.losses,
    ...theirs.losses,
    // Marks in a flow that is whole may be a part of its description.
    ...(isSound(file, text) ? ['it was taken apart at what looks like the marks of git'] : []),
    ...fields.map((field) => `both sides changed ${field}, of which the newer was taken`),
  ];
  const withIds = ours.withIds || theirs.withIds;
  const merged = {
    flow,
    withIds,
    losses,
    ...(extras.document ? { document: extras.document } : {}),
  };
  if (!conflicts.includes('connections')) return merged;
  // Together they close a circle: it is opened as in any other flow.
  return { ...repairText(file, writeFlowFile({ flow, withIds }), context), losses };
}

function attempt(file: string, text: string, context: FlowRepairTools): RepairedFile | undefined {
  try {
    return repairText(file, text, context);
  } catch {
    return undefined;
  }
}

function rename(
  repaired: RepairedFile,
  { needsId, needsAlias, createId, freeAlias }: FlowRepairContext,
): RepairedFile {
  const { flow } = repaired;
  const named: Flow = needsId ? { ...flow, id: createId() } : flow;
  const { alias } = named;
  const renamed = named === flow ? repaired : { ...repaired, flow: named };
  return needsAlias && alias !== undefined ? withAlias(renamed, freeAlias(alias)) : renamed;
}

function withAlias(repaired: RepairedFile, alias: string): RepairedFile {
  return { ...repaired, flow: { ...repaired.flow, alias } };
}

function withoutMissing(
  repaired: RepairedFile,
  { isNode, isAwaited }: FlowRepairContext,
): RepairedFile {
  const missing = repaired.flow.nodes.filter(({ id }) => !isNode(id) && !isAwaited(id));
  if (missing.length === 0) return repaired;
  let { flow } = repaired;
  for (const { id } of missing) flow = removeNode(flow, id, true);
  const losses = missing.map(({ id }) => `the node ${id} is in no file`);
  return { ...repaired, flow, losses: [...repaired.losses, ...losses] };
}
