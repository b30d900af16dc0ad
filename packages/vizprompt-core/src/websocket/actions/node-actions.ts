import { described, snakeInput } from '@vizprompt/providers/config/internal';
import { z } from 'zod';
import { VizPromptError } from '../../errors.ts';
import { BRANCH_OPTIONS, DELETE_NODE_OPTIONS, PLACEMENT } from '../../graph/node-service.ts';
import { NODE_EDIT_OPTIONS } from '../../graph/preconditions.ts';
import { NODE_ID, nodeIds } from '../../input-kinds.ts';
import { NEW_NODE, NODE_PATCH } from '../../node/edit-node.ts';
import { NODE_QUERY } from '../../search/search-nodes.ts';
import { toWireNode, wireNode, type WireNode, toWireHit, wireHit } from '../wire/node.ts';
import { type Action, defineAction, emptyPatch } from './define-action.ts';

const createNode = defineAction({
  name: 'create_node',
  summary: 'Creates a node; it joins a flow after its head, and becomes the head',
  data: snakeInput({ ...NEW_NODE, ...PLACEMENT }, { flow: 'flow_id' }),
  answer: { node: wireNode },
  makesNode: true,
  async run({ vizprompt }, { flow, after, branchName, ...node }) {
    const created = await vizprompt.createNode(node, { flow, after, branchName });
    return { data: { node: toWireNode(created) }, nodeId: created.id };
  },
});

const createBranch = defineAction({
  name: 'create_branch',
  summary: 'Creates a node next to those that continue from another; it becomes the head',
  data: snakeInput(
    {
      from: described(NODE_ID, { en: 'The node that the branch continues from' }),
      ...NEW_NODE,
      ...BRANCH_OPTIONS,
    },
    { from: 'source_id', flow: 'flow_id' },
  ),
  answer: { node: wireNode },
  makesNode: true,
  async run({ vizprompt }, { from, flow, branchName, ...node }) {
    const created = await vizprompt.createBranch(from, node, { flow, branchName });
    return { data: { node: toWireNode(created) }, nodeId: created.id };
  },
});

const getNode = defineAction({
  name: 'get_node',
  summary: 'A node',
  data: snakeInput({ id: NODE_ID }, { id: 'node_id' }),
  answer: { node: wireNode },
  async run({ vizprompt }, { id }) {
    return { data: { node: toWireNode(await vizprompt.getNode(id)) } };
  },
});

/** The nodes that fit into one answer without keeping others waiting. */
const MOST_NODES = 100;

const getNodes = defineAction({
  name: 'get_nodes',
  summary: 'Several nodes, in the order in which they are asked for',
  data: snakeInput({ ids: nodeIds(1, MOST_NODES) }, { ids: 'node_ids' }),
  answer: {
    nodes: z.array(wireNode).describe('Without those that failed'),
    failed: z.array(z.strictObject({ node_id: z.string(), message: z.string() })),
  },
  async run({ vizprompt }, { ids }) {
    const nodes: WireNode[] = [];
    const failed: object[] = [];
    for (const id of ids) {
      try {
        nodes.push(toWireNode(await vizprompt.getNode(id)));
      } catch (error) {
        if (!VizPromptError.isInstance(error) || !OF_ONE_NODE.has(error.code)) throw error;
        failed.push({ node_id: id, message: error.message });
      }
    }
    return { data: { nodes, failed } };
  },
});

/** Errors of one node, which say nothing of the others. */
const OF_ONE_NODE: ReadonlySet<string> = new Set(['node-not-found', 'node-invalid']);

const updateNode = defineAction({
  name: 'update_node',
  summary: 'Changes what is given; a change of the text makes the summary outdated',
  data: snakeInput({ id: NODE_ID, ...NODE_PATCH, ...NODE_EDIT_OPTIONS }, { id: 'node_id' }),
  answer: { node: wireNode },
  check: ({ id: _id, ifVersion: _version, ...patch }) => emptyPatch(patch),
  async run({ vizprompt }, { id, ifVersion, ...patch }) {
    const updated = await vizprompt.updateNode(id, patch, { ifVersion });
    return { data: { node: toWireNode(updated) } };
  },
});

const deleteNode = defineAction({
  name: 'delete_node',
  summary: 'Deletes a node, and takes it out of all flows',
  data: snakeInput({ id: NODE_ID, ...DELETE_NODE_OPTIONS }, { id: 'node_id' }),
  answer: { node_id: z.string() },
  async run({ vizprompt }, { id, ...options }) {
    await vizprompt.deleteNode(id, options);
    return { data: { node_id: id } };
  },
});

export const NODE_ACTIONS: readonly Action[] = [
  createNode,
  getNode,
  getNodes,
  updateNode,
  deleteNode,
  createBranch,
];

const searchNodes = defineAction({
  name: 'search_nodes',
  summary:
    'Nodes: by words the best first, otherwise the newest first. All that is given must hold',
  data: snakeInput(NODE_QUERY),
  answer: { nodes: z.array(wireHit) },
  async run({ vizprompt }, query) {
    return { data: { nodes: (await vizprompt.searchNodes(query)).map(toWireHit) } };
  },
});

const listTags = defineAction({
  name: 'list_tags',
  summary: 'All tags, those of the most nodes first',
  data: snakeInput({}),
  answer: { tags: z.array(z.strictObject({ tag: z.string(), nodes: z.int() })) },
  async run({ vizprompt }) {
    return { data: { tags: await vizprompt.listTags() } };
  },
});

export const FIND_ACTIONS: readonly Action[] = [searchNodes, listTags];
