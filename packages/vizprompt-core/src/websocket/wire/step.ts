import { z } from 'zod';
import type { EditStep } from '../../write/undo-history.ts';

export const wireStep: z.ZodType = z
  .strictObject({
    id: z.string(),
    label: z.string().describe('What was done, by the name of the method: connectNodes, ...'),
    time: z.string().describe('ISO 8601 with offset'),
    flow_ids: z.array(z.string()).describe('The flows that it changed, made or deleted'),
  })
  .describe('An edit of the structure that can be taken back');

/** An edit in the form of the protocol. */
export function toWireStep({ flows, ...step }: EditStep): object {
  return { ...step, flow_ids: flows };
}
