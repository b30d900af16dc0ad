import { z } from 'zod';
import type { FlowSummary } from '../../graph/flow-service.ts';
import type { EditStep } from '../../write/undo-history.ts';

const names = {
  id: z.string(),
  name: z.string(),
  alias: z.string().exactOptional().describe('A short name that the flow can be called by'),
};

/** Fields that applications set. */
const wireOrigin = {
  source: z.string().exactOptional().describe('The id in the system it was imported from'),
  owner: z.string().exactOptional().describe('The person or account that it belongs to'),
  meta: z
    .record(z.string(), z.unknown())
    .exactOptional()
    .describe('Data that an application stores'),
};

/** A flow is sent as it is kept: its names are the same in the protocol. */
export const wireFlow: z.ZodType = z
  .strictObject({
    ...names,
    created: z.string().describe('ISO 8601 with offset'),
    updated: z.string(),
    description: z.string(),
    head: z
      .string()
      .exactOptional()
      .describe(
        'The id of the node that the conversation continues from; absent if the next node has no parent',
      ),
    ...wireOrigin,
    nodes: z.array(
      z.strictObject({
        index: z.int().describe('The number of the node in the file of the flow'),
        id: z.string(),
      }),
    ),
    connections: z.array(
      z.strictObject({
        from: z.string().describe('The id of the earlier node'),
        to: z.string(),
        branch: z.string().exactOptional().describe('The name of the branch that begins here'),
      }),
    ),
    file: z.string(),
    version: z.string().describe('The version of the file, for if_version'),
  })
  .describe('A conversation: nodes, and how they follow each other');

export const wireFlowSummary: z.ZodType = z.strictObject({
  ...names,
  file: z.string(),
  updated: z.string(),
  ...wireOrigin,
  node_count: z.int(),
  connection_count: z.int(),
});

/** Returns an entry of a list of flows, in the form of the protocol. */
export function toWireFlowSummary({ nodes, connections, ...flow }: FlowSummary): object {
  return { ...flow, node_count: nodes, connection_count: connections };
}

export const wireStep: z.ZodType = z
  .strictObject({
    id: z.string(),
    label: z.string().describe('The name of the method that made the edit: connectNodes, ...'),
    time: z.string().describe('ISO 8601 with offset'),
    flow_ids: z.array(z.string()).describe('The flows that it changed, made or deleted'),
  })
  .describe('An edit of the structure that can be taken back');

/** Returns an edit in the form of the protocol. */
export function toWireStep({ flows, ...step }: EditStep): object {
  return { ...step, flow_ids: flows };
}
