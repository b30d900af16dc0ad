import { described, snakeInput } from '@vizprompt/providers/config/internal';
import { z } from 'zod';
import {
  CONNECT_OPTIONS,
  FLOW_CHOICE,
  FLOW_PATCH,
  NEW_FLOW_OPTIONS,
} from '../../graph/flow-service.ts';
import { FLOW_EDIT_OPTIONS } from '../../graph/preconditions.ts';
import { FLOW_NAME, NODE_ID } from '../../input-kinds.ts';
import { EDIT_OPTIONS, REPLAY_OPTIONS, type ReplayedEdit } from '../../structure/options.ts';
import {
  toWireFlowSummary,
  wireFlow,
  wireFlowSummary,
  toWireStep,
  wireStep,
} from '../wire/flow.ts';
import { type Action, defineAction, emptyPatch } from './define-action.ts';

const listFlows = defineAction({
  name: 'list_flows',
  summary: 'All flows that can be understood',
  data: snakeInput({}),
  answer: { flows: z.array(wireFlowSummary) },
  async run({ vizprompt }) {
    return { data: { flows: (await vizprompt.listFlows()).map(toWireFlowSummary) } };
  },
});

const getFlow = defineAction({
  name: 'get_flow',
  summary: 'A flow: its nodes, and how they follow each other',
  data: snakeInput(FLOW_CHOICE, { flow: 'flow_id' }),
  answer: { flow: wireFlow },
  async run({ vizprompt }, { flow }) {
    return { data: { flow: await vizprompt.getFlow(flow) } };
  },
});

const createFlow = defineAction({
  name: 'create_flow',
  summary: 'Makes an empty flow',
  data: snakeInput(NEW_FLOW_OPTIONS),
  answer: { flow: wireFlow },
  async run({ vizprompt }, options) {
    return { data: { flow: await vizprompt.createFlow(options) } };
  },
});

const updateFlow = defineAction({
  name: 'update_flow',
  summary: 'Renames a flow, describes it, or moves its head to another node',
  data: snakeInput({ flow: FLOW_NAME, ...FLOW_PATCH, ...FLOW_EDIT_OPTIONS }, { flow: 'flow_id' }),
  answer: { flow: wireFlow },
  check: ({ flow: _flow, ifVersion: _version, ...patch }) => emptyPatch(patch),
  async run({ vizprompt }, { flow, ifVersion, ...patch }) {
    return { data: { flow: await vizprompt.updateFlow(flow, patch, { ifVersion }) } };
  },
});

const ENDS = {
  from: described(NODE_ID, { en: 'The earlier node' }),
  to: described(NODE_ID, { en: 'The later node' }),
};
const NAMES = { from: 'source_id', to: 'target_id', flow: 'flow_id' };

const connectNodes = defineAction({
  name: 'connect_nodes',
  summary: 'Connects two nodes; those that are not in the flow join it',
  data: snakeInput({ ...ENDS, ...CONNECT_OPTIONS }, NAMES),
  answer: { flow: wireFlow },
  async run({ vizprompt }, { from, to, ...options }) {
    return { data: { flow: await vizprompt.connectNodes(from, to, options) } };
  },
});

const disconnectNodes = defineAction({
  name: 'disconnect_nodes',
  summary: 'Takes a connection away; without it already, nothing happens',
  data: snakeInput({ ...ENDS, ...EDIT_OPTIONS }, NAMES),
  answer: { flow: wireFlow },
  async run({ vizprompt }, { from, to, ...options }) {
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

const answer = {
  step: wireStep.exactOptional().describe('Absent if there was nothing'),
  flows: z.array(wireFlow).describe('As they are now'),
  deleted_flow_ids: z.array(z.string()).describe('Flows that are gone by it'),
};

const undo = defineAction({
  name: 'undo',
  summary: 'Undoes the last edit of the structure, by any client; later changes stay',
  data: snakeInput(REPLAY_OPTIONS),
  answer,
  async run({ vizprompt }, options) {
    return { data: toAnswer(await vizprompt.structure.undo(options)) };
  },
});

const redo = defineAction({
  name: 'redo',
  summary: 'Does the edit that was taken back last again',
  data: snakeInput(REPLAY_OPTIONS),
  answer,
  async run({ vizprompt }, options) {
    return { data: toAnswer(await vizprompt.structure.redo(options)) };
  },
});

const listEdits = defineAction({
  name: 'list_edits',
  summary: 'The edits that can be undone and done again, the next one last',
  data: snakeInput({}),
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
