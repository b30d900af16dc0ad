import type { FileStore } from '@vizprompt/providers';
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
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import { formatTime, isTimestamp, isUuid } from '../format/ids-and-times.ts';
import {
  checkedLater,
  hasFields,
  JSON_OBJECT,
  JSON_VALUE,
  LABELS,
  NODE_ID,
} from '../input-kinds.ts';
import { type NewAttachment, storeAttachments } from './attachments.ts';
import type { NodePart, NodeStats, NodeStatus, PartOrigin, VizNode } from './node.ts';

/** The parts of a project that new nodes are made with. */
export interface NodeContext {
  readonly files: FileStore;
  readonly createId: () => string;
  readonly clock: () => Date;
  /** Throws where nothing may be written. */
  assertWritable(): void;
}

/** A node to be made. Everything but the prompt is optional. */
export interface NewNode {
  readonly prompt: string;
  /** Default: none yet. */
  readonly response?: string | undefined;
  readonly model?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly stats?: VizNode['stats'] | undefined;
  readonly status?: NodeStatus | undefined;
  /** The name of the agent that answers, where several do. */
  readonly speaker?: string | undefined;
  /** The name of the person asking, where several do; the text and the files of the prompt get it. */
  readonly askedBy?: string | undefined;
  readonly source?: string | undefined;
  readonly promptParts?: readonly NodePart[] | undefined;
  readonly responseParts?: readonly NodePart[] | undefined;
  /** Files that go with the prompt; they are stored in `attachments/`. */
  readonly attachments?: readonly NewAttachment[] | undefined;
  /** Default: a new UUID. An id that exists makes another version of its node. */
  readonly id?: string | undefined;
  /** ISO 8601, date and time. Default: now. */
  readonly timestamp?: string | undefined;
}

/**
 * Makes a node of what is given, with an id and a time of its own where none is. The files that go with its
 * prompt are stored once the rest is known to make sense.
 *
 * @throws VizPromptError with the code `invalid-input` that names the field.
 */
export async function makeNode(project: NodeContext, input: NewNode): Promise<VizNode> {
  project.assertWritable();
  const node = checkNode(withDefaults(project, input));
  const { attachments = [], askedBy } = input;
  const attached =
    attachments.length === 0 ? [] : await storeAttachments(project.files, attachments);
  const promptParts = [...node.promptParts, ...attached];
  return { ...node, promptParts: sayWhoAsks(node.prompt, promptParts, askedBy) };
}

function withDefaults({ createId, clock }: NodeContext, input: NewNode): VizNode {
  const { attachments: _, askedBy: _asker, ...fields } = input;
  const { id = createId(), timestamp = formatTime(clock()) } = input;
  if (!isUuid(id)) throw new VizPromptError('invalid-input', `the id '${id}' is no UUID`);
  return {
    prompt: input.prompt,
    response: '',
    stats: {},
    tags: [],
    responseParts: [],
    ...defined(fields),
    id,
    timestamp,
    summary: { text: '', isOutdated: true },
    promptParts: input.promptParts ?? [],
  };
}

/** Changes of a node. Absent fields stay as they are. */
export interface NodePatch {
  readonly prompt?: string | undefined;
  readonly response?: string | undefined;
  readonly model?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly stats?: VizNode['stats'] | undefined;
  readonly status?: NonNullable<VizNode['status']> | undefined;
  readonly speaker?: string | undefined;
  /** A summary of one's own; it counts as up to date. */
  readonly summary?: string | undefined;
  readonly promptParts?: readonly NodePart[] | undefined;
  readonly responseParts?: readonly NodePart[] | undefined;
}

/** Returns a node with changes; a change of its text makes its summary outdated. */
export function changeNode(node: VizNode, patch: NodePatch): VizNode {
  const { summary, ...fields } = defined(patch);
  const changed = { ...node, ...fields };
  const hasNewPrompt = changed.prompt !== node.prompt;
  const hasNewResponse = changed.response !== node.response;
  const isOutdated = hasNewPrompt || hasNewResponse || node.summary.isOutdated;
  return {
    ...changed,
    summary: {
      ...node.summary,
      text: summary ?? node.summary.text,
      isOutdated: summary === undefined && isOutdated,
    },
    ...(hasNewPrompt && !patch.promptParts
      ? { promptParts: oneText(node.promptParts, changed.prompt) }
      : {}),
    ...(hasNewResponse && !patch.responseParts
      ? { responseParts: oneText(node.responseParts, changed.response) }
      : {}),
  };
}

/** The pieces of a new text are unknown: one part holds all of it, where the first was. */
function oneText(parts: readonly NodePart[], text: string): readonly NodePart[] {
  const first = parts.find((part) => part.type === 'text');
  return parts.flatMap((part): NodePart[] => {
    if (part.type !== 'text') return [part];
    return part === first ? [{ ...part, start: 0, end: text.length }] : [];
  });
}

/** The states that a node can be in. */
export const NODE_STATUSES: readonly NodeStatus[] = ['pending', 'done', 'failed', 'aborted'];

/**
 * Refuses a node that its file could not say.
 *
 * @throws VizPromptError with the code `invalid-input` that names the field.
 */
export function checkNode(node: VizNode): VizNode {
  const { status, stats, tags, prompt, response, timestamp } = node;
  if (!isTimestamp(timestamp)) {
    refuse('timestamp', timestamp, 'is no time of ISO 8601, such as 2026-11-21T22:43:07+09:00');
  }
  if (status !== undefined && !NODE_STATUSES.includes(status)) {
    refuse('status', status, `is none of ${NODE_STATUSES.join(', ')}`);
  }
  for (const [role, values] of Object.entries(stats)) {
    for (const [name, value] of Object.entries(values ?? {})) {
      if (Number.isFinite(value) && value >= 0) continue;
      refuse(`stats.${role}.${name}`, value, 'is no number from 0 on');
    }
  }
  for (const tag of tags) if (tag === '') refuse('tags', tag, 'is empty');
  checkRanges('promptParts', node.promptParts, prompt);
  checkRanges('responseParts', node.responseParts, response);
  return node;
}

function checkRanges(field: string, parts: readonly NodePart[], text: string): void {
  for (const part of parts) {
    if (part.type !== 'text') continue;
    const { start, end } = part;
    if (start >= 0 && start <= end && end <= text.length) continue;
    refuse(field, `${start} to ${end}`, `is not within the text of ${text.length} characters`);
  }
}

function refuse(field: string, value: unknown, problem: string): never {
  throw new VizPromptError('invalid-input', `${field}: '${String(value)}' ${problem}`, {
    context: { field },
  });
}

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

/** Checks whether a person wrote this part of a prompt. */
export function isAsked({ role = 'user' }: NodePart): boolean {
  return role === 'user';
}

/** Adds the name of the person to the text and the files of a prompt that have no name. */
export function sayWhoAsks(
  prompt: string,
  parts: readonly NodePart[],
  name: string | undefined,
): readonly NodePart[] {
  if (name === undefined) return parts;
  const hasText = parts.some((part) => part.type === 'text' && isAsked(part));
  const whole: readonly NodePart[] = hasText
    ? parts
    : [{ type: 'text', start: 0, end: prompt.length }, ...parts];
  return whole.map((part) => (isAsked(part) ? { name, ...part } : part));
}

/** Returns the names of those who ask in a node, each once. */
export function askersOf({ promptParts }: Pick<VizNode, 'promptParts'>): readonly string[] {
  const names = promptParts.flatMap((part) => (isAsked(part) ? (part.name ?? []) : []));
  return [...new Set(names)];
}
