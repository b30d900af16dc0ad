import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { z } from 'zod';
import type { ReplayedEdit } from '../../structure/options.ts';
import { branchName, flowName, nodeId, version } from '../wire/fields.ts';
import {
  toWireFlowSummary,
  wireFlow,
  wireFlowSummary,
  toWireStep,
  wireStep,
} from '../wire/flow.ts';
import { defineAction, type Action } from './define-action.ts';

const alias = z.string().min(1).describe('A short name that no other flow has');

const listFlows = defineAction({
  name: 'list_flows',
  summary: 'All flows that can be understood',
  data: z.strictObject({}),
  answer: { flows: z.array(wireFlowSummary) },
  async run({ vizprompt }) {
    return { data: { flows: (await vizprompt.listFlows()).map(toWireFlowSummary) } };
  },
});

const getFlow = defineAction({
  name: 'get_flow',
  summary: 'A flow: its nodes, and how they follow each other',
  data: z.strictObject({ flow_id: flowName.exactOptional().describe('Default: main') }),
  answer: { flow: wireFlow },
  async run({ vizprompt }, { flow_id: flow }) {
    return { data: { flow: await vizprompt.getFlow(flow) } };
  },
});

const createFlow = defineAction({
  name: 'create_flow',
  summary: 'Makes an empty flow',
  data: z.strictObject({
    name: z.string().min(1),
    alias: alias.exactOptional(),
    description: z.string().exactOptional(),
  }),
  answer: { flow: wireFlow },
  async run({ vizprompt }, options) {
    return { data: { flow: await vizprompt.createFlow(options) } };
  },
});

const updateFlow = defineAction({
  name: 'update_flow',
  summary: 'Renames a flow, describes it, or moves its head to another node',
  data: z
    .strictObject({
      flow_id: flowName,
      name: z.string().min(1).exactOptional(),
      alias: alias.exactOptional(),
      description: z.string().exactOptional(),
      head: nodeId.exactOptional().describe('The node that the conversation goes on from'),
      if_version: version.exactOptional(),
    })
    .refine(({ flow_id: _id, if_version: _version, ...patch }) => Object.keys(patch).length > 0, {
      message: 'there is nothing to change',
    }),
  answer: { flow: wireFlow },
  async run({ vizprompt }, { flow_id: flow, if_version: ifVersion, ...patch }) {
    return { data: { flow: await vizprompt.updateFlow(flow, patch, defined({ ifVersion })) } };
  },
});

const connectNodes = defineAction({
  name: 'connect_nodes',
  summary: 'Connects two nodes; those that are not in the flow join it',
  data: z.strictObject({
    source_id: nodeId.describe('The earlier node'),
    target_id: nodeId.describe('The later node'),
    flow_id: flowName.exactOptional().describe('Default: main'),
    branch_name: branchName.exactOptional(),
    if_version: version.exactOptional(),
  }),
  answer: { flow: wireFlow },
  async run({ vizprompt }, data) {
    const { source_id: from, target_id: to, flow_id: flow, ...rest } = data;
    const options = defined({ flow, branchName: rest.branch_name, ifVersion: rest.if_version });
    return { data: { flow: await vizprompt.connectNodes(from, to, options) } };
  },
});

const disconnectNodes = defineAction({
  name: 'disconnect_nodes',
  summary: 'Takes a connection away; without it already, nothing happens',
  data: z.strictObject({
    source_id: nodeId.describe('The earlier node'),
    target_id: nodeId.describe('The later node'),
    flow_id: flowName.exactOptional().describe('Default: main'),
    if_version: version.exactOptional(),
  }),
  answer: { flow: wireFlow },
  async run(
    { vizprompt },
    { source_id: from, target_id: to, flow_id: flow, if_version: ifVersion },
  ) {
    const options = defined({ flow, ifVersion });
    return { data: { flow: await vizprompt.disconnectNodes(from, to, options) } };
  },
});

export const FLOW_ACTIONS: readonly Action[] = [
  getFlow,
  updateFlow,
  connectNodes,
  disconnectNodes,
  listFlows,
  createFlow,
];

const data = z.strictObject({
  if_step: z
    .string()
    .exactOptional()
    .describe('The id of the step that is meant: if another is the next, the answer is conflict'),
});

const answer = {
  step: wireStep.exactOptional().describe('Absent if there was nothing'),
  flows: z.array(wireFlow).describe('As they are now'),
  deleted_flow_ids: z.array(z.string()).describe('Flows that are gone by it'),
};

const undo = defineAction({
  name: 'undo',
  summary: 'Takes the last edit of the structure back, whoever made it; what came since stays',
  data,
  answer,
  async run({ vizprompt }, { if_step: ifStep }) {
    return { data: toAnswer(await vizprompt.structure.undo(defined({ ifStep }))) };
  },
});

const redo = defineAction({
  name: 'redo',
  summary: 'Does the edit that was taken back last again',
  data,
  answer,
  async run({ vizprompt }, { if_step: ifStep }) {
    return { data: toAnswer(await vizprompt.structure.redo(defined({ ifStep }))) };
  },
});

const listEdits = defineAction({
  name: 'list_edits',
  summary: 'The edits that can be undone and done again, the next one last',
  data: z.strictObject({}),
  answer: { undo: z.array(wireStep), redo: z.array(wireStep) },
  async run({ vizprompt }) {
    const history = await vizprompt.structure.history();
    return { data: { undo: history.undo.map(toWireStep), redo: history.redo.map(toWireStep) } };
  },
});

function toAnswer(replayed: ReplayedEdit | undefined): object {
  if (!replayed) return { flows: [], deleted_flow_ids: [] };
  const { step, flows, deletedFlows } = replayed;
  return { step: toWireStep(step), flows, deleted_flow_ids: deletedFlows };
}

export const HISTORY_ACTIONS: readonly Action[] = [undo, redo, listEdits];
