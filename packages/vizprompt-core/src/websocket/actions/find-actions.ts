import { z } from 'zod';
import { upTo } from '../wire/fields.ts';
import { toWireHit, wireHit } from '../wire/hit.ts';
import { defineAction, type Action } from './define-action.ts';

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
