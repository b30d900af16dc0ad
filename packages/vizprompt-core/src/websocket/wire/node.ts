import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { z } from 'zod';
import { NODE_STATUSES } from '../../node/edit-node.ts';
import type { NodePart, NodeStats, NodeStatus, StoredNode } from '../../node/node.ts';
import type { NodeHit } from '../../search/search-nodes.ts';

/** A part of a node as it is sent. */
interface WirePart {
  readonly type: NodePart['type'];
  readonly [field: string]: JsonValue | JsonObject | undefined;
}

/** A node as it is sent. */
export interface WireNode {
  readonly id: string;
  readonly timestamp: string;
  readonly prompt: string;
  readonly response: string;
  readonly model?: string | undefined;
  readonly stats: {
    readonly user?: NodeStats | undefined;
    readonly assistant?: NodeStats | undefined;
  };
  readonly summary: {
    readonly text: string;
    readonly is_outdated: boolean;
    readonly last_built?: string | undefined;
  };
  readonly tags: readonly string[];
  readonly status?: NodeStatus | undefined;
  readonly speaker?: string | undefined;
  readonly source?: string | undefined;
  readonly prompt_parts: readonly WirePart[];
  readonly response_parts: readonly WirePart[];
  readonly file: string;
  readonly version: string;
}

const stats = z.strictObject({
  count: z.number().describe('Tokens'),
  duration: z.number().describe('Seconds'),
  rate: z.number().describe('Tokens a second'),
});

const part = z
  .looseObject({
    type: z.enum(['text', 'reasoning', 'tool-call', 'tool-result', 'file', 'data']),
  })
  .describe(
    'A piece of the text (start, end), a thought, a call of a tool, its result, a file, or data',
  );

export const wireNode: z.ZodType = z
  .strictObject({
    id: z.string(),
    timestamp: z.string().describe('ISO 8601 with offset'),
    prompt: z.string(),
    response: z.string().describe('Empty while there is none'),
    model: z.string().exactOptional(),
    stats: z.strictObject({ user: stats.exactOptional(), assistant: stats.exactOptional() }),
    summary: z.strictObject({
      text: z.string(),
      is_outdated: z
        .boolean()
        .describe('The node has changed since: the next build makes it again'),
      last_built: z.string().exactOptional(),
    }),
    tags: z.array(z.string()),
    status: z.enum(NODE_STATUSES).exactOptional().describe('Absent: done'),
    speaker: z.string().exactOptional(),
    source: z.string().exactOptional().describe('The id in the system it was imported from'),
    prompt_parts: z.array(part).describe('Empty unless the prompt is more than its text'),
    response_parts: z.array(part),
    file: z.string(),
    version: z.string().describe('The version of the file, for if_version'),
  })
  .describe('A prompt and its response');

/** Returns a node in the form of the protocol. */
export function toWireNode({
  summary: { isOutdated, lastBuilt, ...summary },
  promptParts,
  responseParts,
  unknown: _unknown,
  ...node
}: StoredNode): WireNode {
  return {
    ...node,
    summary: {
      ...summary,
      is_outdated: isOutdated,
      ...(lastBuilt === undefined ? {} : { last_built: lastBuilt }),
    },
    prompt_parts: promptParts.map(toWirePart),
    response_parts: responseParts.map(toWirePart),
  };
}

const RENAMED: Readonly<Record<string, string>> = {
  mediaType: 'media_type',
  fileName: 'file_name',
  isError: 'is_error',
};

function toWirePart(given: NodePart): WirePart {
  const fields = Object.entries(given).map(([name, value]) => [RENAMED[name] ?? name, value]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its type is among the fields
  return Object.fromEntries(fields) as WirePart;
}

export const wireHit: z.ZodType = z.strictObject({
  id: z.string(),
  timestamp: z.string(),
  title: z.string().describe('The first words of the prompt'),
  summary: z.string().describe('Empty if it was never built'),
  tags: z.array(z.string()),
  keywords: z.array(z.string()),
  model: z.string().exactOptional(),
  flow_ids: z.array(z.string()).describe('The flows that it is in'),
  score: z.number().describe('Higher is better; 0 where nothing was ranked'),
  snippet: z
    .strictObject({
      text: z.string(),
      start: z.int().describe('UTF-16 offset of the piece'),
      highlights: z.array(z.array(z.int())).describe('[start, end], offsets into the piece'),
    })
    .exactOptional()
    .describe('The piece of the node that shows best why it was found'),
});

/** Returns a node that was found, in the form of the protocol. */
export function toWireHit({ flows, ...hit }: NodeHit): object {
  return { ...hit, flow_ids: flows };
}
