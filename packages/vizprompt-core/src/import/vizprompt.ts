import { type JsonObject } from '@vizprompt/providers';
import { isJsonObject, listAt, textAt } from '@vizprompt/providers/internal';
import { z } from 'zod';
import { VizPromptError } from '../errors.ts';
import type { Flow } from '../flow/flow.ts';
import { isTimestamp, isUuid } from '../format/ids-and-times.ts';
import { checkNode, NODE_STATUSES } from '../node/edit-node.ts';
import type { VizNode, XmlElement } from '../node/node.ts';
import { BrokenEntry, type ReadyFlow } from './conversation.ts';
import { soundConnections } from './save-conversation.ts';
import { zodProblem } from '@vizprompt/providers/config/internal';

/**
 * Reads the JSON form of a flow, as `exportFlow` writes it. All ids are kept.
 *
 * @throws BrokenEntry if it holds no flow, or is of a later version.
 */
export function readVizPrompt(entry: JsonObject): ReadyFlow {
  if (entry['version'] !== 1) {
    throw new BrokenEntry(`its version is ${JSON.stringify(entry['version'])}, and 1 is known`);
  }
  const parsed = parseFlow(entry['flow']);
  if ('problem' in parsed) throw new BrokenEntry(`its flow: ${parsed.problem}`);
  const warnings: string[] = [];
  const flow = soundFlow(parsed.value, warnings);
  const members = new Set(flow.nodes.map(({ id }) => id));
  const nodes = new Map<string, JsonNode>();
  for (const [at, value] of listAt(entry, 'nodes').entries()) {
    const node = readNode(value, at, warnings);
    if (!node) continue;
    if (nodes.has(node.id)) warnings.push(`node ${node.id} comes twice: the first counts`);
    else if (members.has(node.id)) nodes.set(node.id, node);
    else warnings.push(`node ${node.id} is not in the flow: it was left out`);
  }
  const missing = flow.nodes.filter(({ id }) => !nodes.has(id)).length;
  if (missing > 0) warnings.push(`${missing} nodes of the flow are missing`);
  return {
    format: 'vizprompt',
    flow,
    nodes: [...nodes.values()].map(({ keywords: _, ...node }) => node),
    keywords: new Map(
      [...nodes].flatMap(([id, { keywords }]) => (keywords.length > 0 ? [[id, keywords]] : [])),
    ),
    attachments: readAttachments(entry, warnings),
    warnings,
  };
}

/** Returns the files that an entry contains. */
function readAttachments(entry: JsonObject, warnings: string[]): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const [at, value] of listAt(entry, 'attachments').entries()) {
    const path = isJsonObject(value) ? textAt(value, 'path') : undefined;
    const data = isJsonObject(value) ? textAt(value, 'data') : undefined;
    if (path !== undefined && data !== undefined) found.set(path, Buffer.from(data, 'base64'));
    else warnings.push(`attachment ${at + 1} was left out: it has no 'path' or no 'data'`);
  }
  return found;
}

function readNode(value: unknown, at: number, warnings: string[]): JsonNode | undefined {
  const name = (isJsonObject(value) && textAt(value, 'id')) || at + 1;
  const leaveOut = (problem: string): undefined => {
    warnings.push(`node ${name} was left out: ${problem}`);
  };
  const parsed = parseNode(value);
  if ('problem' in parsed) return leaveOut(parsed.problem);
  try {
    checkNode(parsed.value);
  } catch (error) {
    if (!VizPromptError.isInstance(error)) throw error;
    return leaveOut(error.message);
  }
  return parsed.value;
}

/** Returns the flow without what makes no sense: nodes that come twice, connections to nowhere, circles. */
function soundFlow(flow: Flow, warnings: string[]): Flow {
  const indices = new Set<number>();
  const ids = new Set<string>();
  const nodes = flow.nodes.filter(({ index, id }) => {
    const isNew = !ids.has(id) && !indices.has(index);
    if (!isNew) warnings.push(`node ${index} (${id}) occurs twice in the flow: the first counts`);
    ids.add(id);
    indices.add(index);
    return isNew;
  });
  const members = new Set(nodes.map(({ id }) => id));
  const { head, ...rest } = flow;
  const realHead = head !== undefined && members.has(head) ? head : nodes.at(-1)?.id;
  return {
    ...rest,
    ...(realHead === undefined ? {} : { head: realHead }),
    nodes,
    connections: soundConnections({ nodes, connections: flow.connections }, warnings),
  };
}

const id = z.string().refine(isUuid, 'it is no UUID');
const time = z.string().refine(isTimestamp, 'it is no ISO 8601 time');
const amount = z.number().nonnegative();
const stats = z.object({ count: amount, duration: amount, rate: amount });

const origin = {
  role: z.string().optional(),
  name: z.string().optional(),
  source: z.string().optional(),
  time: z.string().optional(),
  meta: z.record(z.string(), z.json()).optional(),
};

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), start: z.int(), end: z.int(), ...origin }),
  z.object({ type: z.literal('reasoning'), text: z.string(), ...origin }),
  z.object({
    type: z.literal('tool-call'),
    id: z.string(),
    tool: z.string(),
    input: z.json(),
    ...origin,
  }),
  z.object({
    type: z.literal('tool-result'),
    id: z.string(),
    tool: z.string(),
    output: z.json(),
    isError: z.boolean().optional(),
    ...origin,
  }),
  z.object({
    type: z.literal('file'),
    path: z.string().optional(),
    uri: z.string().optional(),
    mediaType: z.string().optional(),
    fileName: z.string().optional(),
    size: amount.optional(),
    ...origin,
  }),
  z.object({ type: z.literal('data'), kind: z.string(), value: z.json(), ...origin }),
]);

/** The content of an XML file: elements that are not known are written as they are. */
const xmlText = z
  .string()
  .refine(
    (text) => !/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text),
    'it is no text of XML',
  );
const xmlName = z.string().regex(/^[\p{L}_][\p{L}\p{N}_.:-]*$/u, 'it is no name of XML');

const element: z.ZodType<XmlElement> = z.object({
  name: xmlName,
  attributes: z.record(xmlName, xmlText),
  get children() {
    return z.array(element);
  },
  text: xmlText,
});

const node = z.object({
  id,
  timestamp: time,
  prompt: z.string(),
  response: z.string(),
  model: z.string().optional(),
  stats: z.object({ user: stats.optional(), assistant: stats.optional() }).default({}),
  summary: z
    .object({ text: z.string(), isOutdated: z.boolean(), lastBuilt: z.string().optional() })
    .default({ text: '', isOutdated: true }),
  tags: z.array(z.string()).default([]),
  status: z.enum(NODE_STATUSES).optional(),
  speaker: z.string().optional(),
  source: z.string().optional(),
  promptParts: z.array(part).default([]),
  responseParts: z.array(part).default([]),
  unknown: z.array(element).optional(),
  keywords: z.array(z.string()).default([]),
});

const flow = z.object({
  id,
  name: z.string(),
  alias: z.string().optional(),
  created: z.string(),
  updated: z.string(),
  description: z.string().default(''),
  head: z.string().optional(),
  source: z.string().optional(),
  owner: z.string().optional(),
  meta: z.record(z.string(), z.json()).optional(),
  nodes: z.array(z.object({ index: z.int().nonnegative(), id })),
  connections: z.array(
    z.object({ from: z.string(), to: z.string(), branch: z.string().optional() }),
  ),
});

/** A value, or why it is none. */
type Checked<T> = { readonly value: T } | { readonly problem: string };

/** A node of the JSON form, with its keywords. */
type JsonNode = VizNode & { readonly keywords: readonly string[] };

/** Checks whether a value from outside is a node. */
function parseNode(value: unknown): Checked<JsonNode> {
  return checked<JsonNode>(node.safeParse(value, { error: zodProblem }));
}

/** Checks whether a value from outside is a flow. */
function parseFlow(value: unknown): Checked<Flow> {
  return checked<Flow>(flow.safeParse(value, { error: zodProblem }));
}

function checked<T>(result: z.ZodSafeParseResult<unknown>): Checked<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema says what it is
  if (result.success) return { value: result.data as T };
  const [issue] = result.error.issues;
  return { problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
}
