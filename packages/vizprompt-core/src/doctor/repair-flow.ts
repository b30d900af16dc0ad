import { messageOf, type StoredFile } from '@vizprompt/providers';
import { removeNode } from '../flow/edit-flow.ts';
import { type FlowFile, readFlowFile, writeFlowFile } from '../flow/flow-file.ts';
import type { Flow } from '../flow/flow.ts';
import { readRawFlow } from '../flow/parse-flow-yaml.ts';
import { conflictSides, type ConflictSides } from '../format/merge-conflict.ts';
import { mergeExtras } from '../sharing/flow-extras.ts';
import { mergeFlows } from '../sharing/merge-flows.ts';
import { type HealContext, healFlow } from './heal-flow.ts';
import type { Outcome } from './outcome.ts';

/** What a flow is repaired with. */
export interface FlowRepairContext extends HealContext {
  /** An alias like the given one that no flow has. */
  readonly freeAlias: (alias: string) => string;
  /** Whether the flow gets another id, and another alias. */
  readonly needsId: boolean;
  readonly needsAlias: boolean;
  /** Whether nodes that no file holds are taken out. */
  readonly removesMissing: boolean;
}

/** A flow on its way to be whole. */
interface Mended extends Omit<FlowFile, 'warnings'> {
  /** What of the file is not in the flow. */
  readonly losses: readonly string[];
  /** A flow of its own that was in the same file. */
  readonly other?: Mended;
}

/** Repairs a flow file; `undefined` if there is nothing to repair. */
export function repairFlow(
  file: string,
  stored: StoredFile,
  context: FlowRepairContext,
): Outcome | undefined {
  try {
    const { text } = stored;
    const sides = conflictSides(text);
    const mended = sides ? settle(file, text, sides, context) : mend(file, text, context);
    const { other, ...named } = rename(mended, context);
    const whole = context.removesMissing ? withoutMissing(named, context) : named;
    const content = writeFlowFile(whole);
    if (!sides && content === text) return undefined;
    const isAsItWas = !sides && whole.flow === mended.flow && isSound(file, text);
    if (isAsItWas) return undefined;
    const losses = [...whole.losses, ...(other?.losses ?? [])];
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

function mend(file: string, text: string, context: HealContext): Mended {
  const { raw, ...rest } = readRawFlow(file, text, true);
  const { flow, isLossy, faults } = healFlow(file, raw, context);
  const losses = isLossy ? faults.map(({ message }) => message) : [];
  return { ...rest, flow, losses };
}

/** Both sides of a conflict as one flow, or as two if they are two. */
function settle(
  file: string,
  text: string,
  sides: ConflictSides,
  context: FlowRepairContext,
): Mended {
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
  return { ...mend(file, writeFlowFile({ flow, withIds }), context), losses };
}

function attempt(file: string, text: string, context: HealContext): Mended | undefined {
  try {
    return mend(file, text, context);
  } catch {
    return undefined;
  }
}

function rename(
  mended: Mended,
  { needsId, needsAlias, createId, freeAlias }: FlowRepairContext,
): Mended {
  const { flow } = mended;
  const named: Flow = needsId ? { ...flow, id: createId() } : flow;
  const { alias } = named;
  const renamed = named === flow ? mended : { ...mended, flow: named };
  return needsAlias && alias !== undefined ? withAlias(renamed, freeAlias(alias)) : renamed;
}

function withAlias(mended: Mended, alias: string): Mended {
  return { ...mended, flow: { ...mended.flow, alias } };
}

function withoutMissing(mended: Mended, { isNode }: FlowRepairContext): Mended {
  const missing = mended.flow.nodes.filter(({ id }) => !isNode(id));
  if (missing.length === 0) return mended;
  let { flow } = mended;
  for (const { id } of missing) flow = removeNode(flow, id, true);
  const losses = missing.map(({ id }) => `the node ${id} is in no file`);
  return { ...mended, flow, losses: [...mended.losses, ...losses] };
}
