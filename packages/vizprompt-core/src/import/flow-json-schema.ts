import { z } from 'zod';
import type { Flow } from '../flow/flow.ts';
import { isTimestamp, isUuid } from '../format/ids-and-times.ts';
import { NODE_STATUSES } from '../node/edit-node.ts';
import type { VizNode, XmlElement } from '../node/node.ts';

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

/** What can stand in an XML file: elements that are not known are written as they are. */
const xmlText = z
  .string()
  .regex(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u, 'it is no text of XML');
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
  nodes: z.array(z.object({ index: z.int().nonnegative(), id })),
  connections: z.array(
    z.object({ from: z.string(), to: z.string(), branch: z.string().optional() }),
  ),
});

/** What a value is, or why it is not. */
export type Checked<T> = { readonly value: T } | { readonly problem: string };

/** A node of the JSON form, with its keywords. */
export type JsonNode = VizNode & { readonly keywords: readonly string[] };

/** Whether a value from outside is a node. */
export function parseNode(value: unknown): Checked<JsonNode> {
  return checked<JsonNode>(node.safeParse(value));
}

/** Whether a value from outside is a flow. */
export function parseFlow(value: unknown): Checked<Flow> {
  return checked<Flow>(flow.safeParse(value));
}

function checked<T>(result: z.ZodSafeParseResult<unknown>): Checked<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema says what it is
  if (result.success) return { value: result.data as T };
  const [issue] = result.error.issues;
  return { problem: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
}
