import {
  BYTES,
  FLAG,
  isRecord,
  type Kind,
  type Kinds,
  listOf,
  NUMBER,
  oneOf,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import {
  checkedLater,
  hasFields,
  JSON_OBJECT,
  JSON_VALUE,
  LABELS,
  NODE_ID,
} from '../input-kinds.ts';
import type { NewAttachment } from './attachments.ts';
import { NODE_STATUSES, type NewNode, type NodePatch } from './edit-node.ts';
import type { NodePart, NodeStats, PartOrigin, VizNode } from './node.ts';

/** Where a part comes from. */
export const ORIGIN: Kinds<PartOrigin> = {
  role: optional(oneOf('system', 'user', 'assistant', 'tool')),
  name: optional(TEXT),
  source: optional(TEXT),
  time: optional(TEXT),
  meta: optional(JSON_OBJECT),
};

type FieldsOf<Type extends NodePart['type']> = Omit<
  Extract<NodePart, { readonly type: Type }>,
  keyof PartOrigin | 'type'
>;

const PARTS: { readonly [Type in NodePart['type']]: Kinds<FieldsOf<Type>> } = {
  text: { start: NUMBER, end: NUMBER },
  reasoning: { text: TEXT },
  'tool-call': { id: TEXT, tool: TEXT, input: optional(JSON_VALUE) },
  'tool-result': {
    id: TEXT,
    tool: TEXT,
    output: optional(JSON_VALUE),
    isError: optional(FLAG),
  },
  file: {
    path: optional(TEXT),
    uri: optional(TEXT),
    mediaType: optional(TEXT),
    fileName: optional(TEXT),
    size: optional(NUMBER),
  },
  data: { kind: TEXT, value: optional(JSON_VALUE) },
};
const KINDS_OF_PARTS: ReadonlyMap<unknown, Readonly<Record<string, Kind>>> = new Map(
  Object.entries(PARTS).map(([type, kinds]) => [type, { ...ORIGIN, ...kinds }]),
);

/**
 * Checks whether a value is a part of a node. Fields that are not known are let be: those of a part that was read go back
 * as they came.
 */
export function isNodePart(value: unknown): boolean {
  const kinds = isRecord(value) ? KINDS_OF_PARTS.get(Reflect.get(value, 'type')) : undefined;
  return kinds !== undefined && hasFields(value, kinds);
}

/** A part that is written. Bytes would become a number in JSON each. */
const PART: Kind<never> = {
  expected: 'a NodePart, whose bytes are in attachments',
  accepts: (value) =>
    isNodePart(value) && !(isRecord(value) && Object.values(value).some(ArrayBuffer.isView)),
};
const PARTS_OF_NODE = listOf('NodeParts', PART);

const ATTACHMENT_KINDS: Kinds<NewAttachment> = {
  data: BYTES,
  mediaType: TEXT,
  fileName: optional(TEXT),
};

/** Files that go with a prompt. */
export const ATTACHMENTS: Kind<readonly never[]> = listOf<never>(
  'attachments: { data, a Uint8Array; mediaType, a text; fileName, a text or absent }',
  { expected: '', accepts: (value) => hasFields(value, ATTACHMENT_KINDS) },
);

/** Which numbers make sense is said of each, where the node is checked. */
const FIGURE: Kind<never> = { expected: 'a number', accepts: (value) => typeof value === 'number' };
const FIGURES: Kinds<NodeStats> = { count: FIGURE, duration: FIGURE, rate: FIGURE };
const SIDE = optional<never>({ expected: '', accepts: (value) => hasFields(value, FIGURES) });
const SIDES: Kinds<VizNode['stats']> = { user: SIDE, assistant: SIDE };
const STATS: Kind<never> = {
  expected:
    "an object whose 'user' and 'assistant', if they are there, have count, duration and rate",
  accepts: (value) =>
    isRecord(value) && hasFields(value, SIDES) && Object.keys(value).every((side) => side in SIDES),
};

/** The fields that any write of a node may set; its status is checked with the rest of the node. */
const WRITABLE: Kinds<Omit<NodePatch, 'prompt' | 'summary'>> = {
  response: optional(TEXT, { en: 'Default: none yet' }),
  model: optional(TEXT, { en: 'The model that answered' }),
  tags: optional(LABELS, { en: 'Tags' }),
  stats: optional(STATS),
  status: checkedLater(oneOf(...NODE_STATUSES), {}),
  speaker: optional(TEXT, { en: 'The speaker of the answer, where several answer' }),
  promptParts: optional(PARTS_OF_NODE),
  responseParts: optional(PARTS_OF_NODE),
};

export const NEW_NODE: Kinds<NewNode> = {
  prompt: TEXT,
  ...WRITABLE,
  source: optional(TEXT, { en: 'The id in the system it comes from' }),
  askedBy: optional(TEXT, { en: 'The speaker of the prompt, where several ask' }),
  attachments: optional(ATTACHMENTS),
  id: optional(NODE_ID, {
    en: 'Default: a new UUID. One that exists makes another version of its node',
  }),
  timestamp: optional(TEXT, { en: 'ISO 8601. Default: now' }),
};

export const NODE_PATCH: Kinds<NodePatch> = {
  prompt: optional(TEXT),
  ...WRITABLE,
  summary: optional(TEXT, { en: 'A summary of your own: it is up to date' }),
};
