import { z } from 'zod';
import { searchAnswer, statsAnswer } from './answers.ts';
import { defineRoute, type ApiRoute } from './define-route.ts';
import { assertPlaced, folder, id, limit, types } from './fields.ts';

const search = defineRoute({
  method: 'get',
  path: '/api/search',
  name: 'search',
  summary: 'Finds events by words, the best first',
  query: z.strictObject({
    q: z.string().min(1).max(10_000).describe('Words; between double quotes as they stand'),
    workspace: folder.exactOptional(),
    session: id.exactOptional(),
    type: types.exactOptional(),
    path: z.string().min(1).exactOptional().describe('Absolute, or relative to workspace'),
    after: z.string().exactOptional().describe('Later than this: ISO 8601'),
    before: z.string().exactOptional().describe('Earlier than this: ISO 8601'),
    k: limit(10, 100),
  }),
  answer: searchAnswer,
  problems: [404],
  async run({ store, query: { q, ...options }, signal }) {
    assertPlaced(options.path, options.workspace);
    return { answer: { hits: await store.search(q, { ...options, signal }) } };
  },
});

const stats = defineRoute({
  method: 'get',
  path: '/api/stats',
  name: 'stats',
  summary: 'What the memory holds, by type and workspace',
  query: z.strictObject({ workspace: folder.exactOptional(), session: id.exactOptional() }),
  answer: statsAnswer,
  problems: [404],
  async run({ store, query }) {
    return { answer: await store.stats(query) };
  },
});

export const FINDING_ROUTES: readonly ApiRoute[] = [search, stats];
