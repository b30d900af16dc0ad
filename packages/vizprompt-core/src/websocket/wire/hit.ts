import { z } from 'zod';
import type { NodeHit } from '../../search/search-nodes.ts';

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

/** A node that was found, in the form of the protocol. */
export function toWireHit({ flows, ...hit }: NodeHit): object {
  return { ...hit, flow_ids: flows };
}
