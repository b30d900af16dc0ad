import { type Document, isMap, isScalar, visit } from 'yaml';
import type { FlowFile } from '../flow/flow-file.ts';
import { FLOW_FIELDS } from '../flow/parse-flow-yaml.ts';
import { mergeValue, type Sides } from './three-way.ts';

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

/** What a file holds beside its flow, comments and unknown keys, as one text to compare. */
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
