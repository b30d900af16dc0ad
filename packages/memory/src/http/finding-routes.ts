import { snakeInput } from '@vizprompt/providers/config/internal';
import { STATS_FILTER } from '../check/stats.ts';
import { limitKind, QUERY } from '../model/input-kinds.ts';
import { SEARCH_OPTIONS } from '../search/search-events.ts';
import { searchAnswer, statsAnswer } from './answers.ts';
import { defineRoute, type ApiRoute } from './define-route.ts';
import { assertPlaced, MAYBE_FOLDER } from './fields.ts';

const search = defineRoute({
  method: 'get',
  path: '/api/search',
  name: 'search',
  summary: 'Finds events by words, the best first',
  query: snakeInput(
    { query: QUERY, ...SEARCH_OPTIONS, workspace: MAYBE_FOLDER, k: limitKind(10, 100) },
    { query: 'q' },
  ),
  answer: searchAnswer,
  problems: [404],
  async run({ store, query: { query, ...options }, signal }) {
    assertPlaced(options.path, options.workspace);
    return { answer: { hits: await store.search(query, { ...options, signal }) } };
  },
});

const stats = defineRoute({
  method: 'get',
  path: '/api/stats',
  name: 'stats',
  summary: 'What the memory holds, by type and workspace',
  query: snakeInput({ ...STATS_FILTER, workspace: MAYBE_FOLDER }),
  answer: statsAnswer,
  problems: [404],
  async run({ store, query }) {
    return { answer: await store.stats(query) };
  },
});

export const FINDING_ROUTES: readonly ApiRoute[] = [search, stats];
