import { type Document, isMap, isScalar, visit } from 'yaml';
import { type FlowFile, readFlowFile, writeFlowFile } from '../flow/flow-file.ts';
import type { Flow } from '../flow/flow.ts';
import { FLOW_FIELDS } from '../flow/parse-flow-yaml.ts';
import { markConflict } from '../format/merge-conflict.ts';
import { type FlowConflict, mergeFlows } from './merge-flows.ts';
import { mergeValue, type Sides } from './three-way.ts';

/** A merged flow file. */
export interface MergedFlowFile {
  /** With the marks of git where the sides are in conflict. */
  readonly text: string;
  /** Empty: the text is a flow. */
  readonly conflicts: readonly (FlowConflict | 'id' | 'comments')[];
}

/**
 * Merges the texts of a flow file.
 *
 * @param file - The name of the file, for errors.
 * @param texts - Without a base the file was made on both sides.
 * @throws VizPromptError with the code `flow-invalid` if one of them is no flow.
 */
export function mergeFlowFiles(file: string, texts: Sides<string>): MergedFlowFile {
  const ours = readFlowFile(file, texts.ours);
  const theirs = readFlowFile(file, texts.theirs);
  if (ours.flow.id !== theirs.flow.id) {
    return { text: markConflict(texts.ours, texts.theirs), conflicts: ['id'] };
  }
  const base = texts.base === undefined ? undefined : readFlowFile(file, texts.base);
  const files = { base, ours, theirs };
  const { flow, conflicts } = mergeFlows({
    base: base?.flow,
    ours: ours.flow,
    theirs: theirs.flow,
  });
  const withIds = ours.withIds || theirs.withIds;
  const { document, isClear } = mergeExtras(files);
  const merged = { flow, withIds, ...(document ? { document } : {}) };
  if (conflicts.includes('connections') || !isClear) {
    const all = isClear ? conflicts : [...conflicts, 'comments' as const];
    return { text: markConflict(texts.ours, texts.theirs), conflicts: all };
  }
  if (conflicts.length === 0) return { text: writeFlowFile(merged), conflicts };
  return {
    text: markConflict(
      writeFlowFile({ ...merged, flow: withFieldsOf(ours, flow) }),
      writeFlowFile({ ...merged, flow: withFieldsOf(theirs, flow) }),
    ),
    conflicts,
  };

  /** The merged flow as a side would have it: with its own words where both have changed them. */
  function withFieldsOf(side: FlowFile, whole: Flow): Flow {
    // With its own time: whoever settles it sees which is the newer.
    const fields: Record<string, unknown> = { ...whole, updated: side.flow.updated };
    for (const name of conflicts) {
      if (name === 'branch' || name === 'connections') continue;
      fields[name] = side.flow[name];
      if (side.flow[name] === undefined) delete fields[name];
    }
    const branches = new Map(
      side.flow.connections.map((connection) => [
        `${connection.from} ${connection.to}`,
        connection,
      ]),
    );
    const isBranchOpen = conflicts.includes('branch');
    const connections = whole.connections.map((connection) => {
      const own = branches.get(`${connection.from} ${connection.to}`);
      return isBranchOpen && own ? own : connection;
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a flow with other texts in it
    return { ...fields, connections } as unknown as Flow;
  }
}

const KNOWN: ReadonlySet<string> = new Set([
  ...FLOW_FIELDS,
  'nodes',
  'connections',
  'index',
  'from',
  'to',
  'from_id',
  'to_id',
  'branch',
]);

/** Returns the comments and unknown keys of a flow file as one string to compare. */
function extrasOf(document: Document): string {
  const found: string[] = [document.commentBefore ?? '', document.comment ?? ''];
  visit(document, {
    Node(_, node) {
      found.push(node.commentBefore ?? '', node.comment ?? '');
    },
    Pair(_, { key, value }) {
      const name = isScalar(key) ? String(key.value) : JSON.stringify(key);
      if (!KNOWN.has(name)) found.push(name, JSON.stringify(value));
    },
  });
  return found.filter((text) => text !== '').join('\n');
}

type WithDocument = Pick<FlowFile, 'document'>;

/** The document that holds what both sides wrote beside the flow, if one of them does. */
export function mergeExtras({ base, ours, theirs }: Sides<WithDocument>): {
  readonly document: FlowFile['document'];
  readonly isClear: boolean;
} {
  const text = (file: WithDocument | undefined): string | undefined =>
    file && (file.document && isMap(file.document.contents) ? extrasOf(file.document) : '');
  const [mine, other] = [text(ours) ?? '', text(theirs) ?? ''];
  const { value, isClear } = mergeValue({ base: text(base) ?? '', ours: mine, theirs: other });
  return { document: value === mine ? ours.document : theirs.document, isClear };
}
