import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { z } from 'zod';
import { VizPromptError } from '../../errors.ts';
import { NODE_STATUSES, type NodePatch } from '../../node/edit-node.ts';
import { branchName, flowName, nodeId, parents, tags, version, upTo } from '../wire/fields.ts';
import { toWireNode, wireNode, type WireNode, toWireHit, wireHit } from '../wire/node.ts';
import { type Action, defineAction } from './define-action.ts';

const texts = {
  prompt: z.string(),
  response: z.string().exactOptional().describe('Default: none yet'),
  model: z.string().exactOptional().describe('The model that answered'),
  tags: tags.exactOptional(),
  status: z.enum(NODE_STATUSES).exactOptional(),
  speaker: z.string().exactOptional().describe('Who answered, where several do'),
};

const newNode = {
  ...texts,
  source: z.string().exactOptional().describe('The id in the system it comes from'),
  timestamp: z.string().exactOptional().describe('ISO 8601. Default: now'),
};

const createNode = defineAction({
  name: 'create_node',
  summary: 'Makes a node; it joins a flow behind its head, and becomes the head',
  data: z.strictObject({
    ...newNode,
    id: nodeId
      .exactOptional()
      .describe('Default: a new UUID. One that exists makes another version of its node'),
    flow_id: flowName
      .nullable()
      .exactOptional()
      .describe('The flow that it joins; null: none. Default: the one of after, or else main'),
    after: parents.exactOptional(),
    branch_name: branchName.exactOptional(),
  }),
  answer: { node: wireNode },
  makesNode: true,
  async run({ vizprompt }, { flow_id: flow, after, branch_name: branch, ...node }) {
    const placement = defined({ flow, after, branchName: branch });
    const created = await vizprompt.createNode(node, placement);
    return { data: { node: toWireNode(created) }, nodeId: created.id };
  },
});

const createBranch = defineAction({
  name: 'create_branch',
  summary: 'Makes a node beside those that go on from another; it becomes the head',
  data: z.strictObject({
    ...newNode,
    source_id: nodeId.describe('The node that the branch goes on from'),
    flow_id: flowName.exactOptional().describe('Default: the one flow that source_id is in'),
    branch_name: branchName.exactOptional(),
  }),
  answer: { node: wireNode },
  makesNode: true,
  async run({ vizprompt }, { source_id: from, flow_id: flow, branch_name: branch, ...node }) {
    const options = defined({ flow, branchName: branch });
    const created = await vizprompt.createBranch(from, node, options);
    return { data: { node: toWireNode(created) }, nodeId: created.id };
  },
});

const getNode = defineAction({
  name: 'get_node',
  summary: 'A node',
  data: z.strictObject({ node_id: nodeId }),
  answer: { node: wireNode },
  async run({ vizprompt }, { node_id: id }) {
    return { data: { node: toWireNode(await vizprompt.getNode(id)) } };
  },
});

/** What fits into one answer without keeping others waiting. */
const MOST_NODES = 100;

const getNodes = defineAction({
  name: 'get_nodes',
  summary: 'Several nodes, in the order in which they are asked for',
  data: z.strictObject({ node_ids: z.array(nodeId).min(1).max(MOST_NODES) }),
  answer: {
    nodes: z.array(wireNode).describe('Without those that failed'),
    failed: z.array(z.strictObject({ node_id: z.string(), message: z.string() })),
  },
  async run({ vizprompt }, { node_ids: ids }) {
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

/** What is wrong with one node, and says nothing of the others. */
const OF_ONE_NODE: ReadonlySet<string> = new Set(['node-not-found', 'node-invalid']);

const updateNode = defineAction({
  name: 'update_node',
  summary: 'Changes what is given; a change of the text makes the summary outdated',
  data: z
    .strictObject({
      ...texts,
      prompt: z.string().exactOptional(),
      summary: z.string().exactOptional().describe('A summary of your own: it is up to date'),
      node_id: nodeId,
      if_version: version.exactOptional(),
    })
    .refine(({ node_id: _id, if_version: _version, ...patch }) => isSomething(patch), {
      message: 'there is nothing to change',
    }),
  answer: { node: wireNode },
  async run({ vizprompt }, { node_id: id, if_version: ifVersion, ...patch }) {
    const change: NodePatch = patch;
    const updated = await vizprompt.updateNode(id, change, defined({ ifVersion }));
    return { data: { node: toWireNode(updated) } };
  },
});

const deleteNode = defineAction({
  name: 'delete_node',
  summary: 'Deletes a node, and takes it out of all flows',
  data: z.strictObject({
    node_id: nodeId,
    join: z
      .boolean()
      .exactOptional()
      .describe('Whether what it went on from is connected to what goes on. Default: true'),
  }),
  answer: { node_id: z.string() },
  async run({ vizprompt }, { node_id: id, ...options }) {
    await vizprompt.deleteNode(id, options);
    return { data: { node_id: id } };
  },
});

function isSomething(patch: object): boolean {
  return Object.keys(patch).length > 0;
}

export const NODE_ACTIONS: readonly Action[] = [
  createNode,
  getNode,
  getNodes,
  updateNode,
  deleteNode,
  createBranch,
];

const labels = z.array(z.string().min(1));

const searchNodes = defineAction({
  name: 'search_nodes',
  summary:
    'Nodes: by words the best first, otherwise the newest first. All that is given must hold',
  data: z.strictObject({
    text: z.string().exactOptional().describe('Words; between double quotes as they stand'),
    tags: labels.exactOptional().describe('The node has each of them'),
    keywords: labels.exactOptional().describe('The node has each of them; build finds them'),
    model: z.string().exactOptional(),
    after: z.string().exactOptional().describe('At this time or later, ISO 8601'),
    before: z.string().exactOptional().describe('Before this time, ISO 8601'),
    limit: upTo(1000).exactOptional().describe('Default: 20'),
  }),
  answer: { nodes: z.array(wireHit) },
  async run({ vizprompt }, query) {
    return { data: { nodes: (await vizprompt.searchNodes(query)).map(toWireHit) } };
  },
});

const listTags = defineAction({
  name: 'list_tags',
  summary: 'All tags, those of the most nodes first',
  data: z.strictObject({}),
  answer: { tags: z.array(z.strictObject({ tag: z.string(), nodes: z.int() })) },
  async run({ vizprompt }) {
    return { data: { tags: await vizprompt.listTags() } };
  },
});

export const FIND_ACTIONS: readonly Action[] = [searchNodes, listTags];
