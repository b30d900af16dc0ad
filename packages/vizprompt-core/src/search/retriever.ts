import type { JsonValue, Retriever } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { readHealthyNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { type NodeQuery, searchNodes } from './search-nodes.ts';

/** The filters for nodes. */
const FILTERS = ['tags', 'keywords', 'model', 'after', 'before'] as const;

/**
 * Finds nodes for a question, as passages of prompt and response. It can filter by `tags` and `keywords`
 * (a text or a list), `model`, `after` and `before`.
 */
export function createRetriever(project: Project): Retriever {
  return {
    specVersion: 1,
    async retrieve(query, { limit = 10, k = limit, filter = {}, signal } = {}) {
      project.assertOpen();
      signal?.throwIfAborted();
      const hits = await searchNodes(project, { ...conditionsOf(filter), text: query, limit: k });
      const rows = await project.index.nodes.rowsOf(hits.map(({ id }) => id));
      const fileOf = new Map(rows.map(({ id, file }) => [id, file]));
      const passages = [];
      for (const { id, title, timestamp, score, summary, tags } of hits) {
        const node = await readHealthyNode(project, fileOf.get(id) ?? '');
        if (!node) continue;
        passages.push({
          id,
          text: [node.prompt, node.response].filter(Boolean).join('\n\n'),
          score,
          source: { kind: 'node', uri: id },
          title,
          time: timestamp,
          meta: { summary, tags },
        });
      }
      return passages;
    },
  };
}

function conditionsOf(filter: Readonly<Record<string, JsonValue>>): NodeQuery {
  const query: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(filter)) {
    if (!FILTERS.some((name) => name === key)) {
      const known = FILTERS.join(', ');
      throw new VizPromptError(
        'invalid-input',
        `nodes cannot be filtered by '${key}': there are ${known}`,
      );
    }
    const isList = key === 'tags' || key === 'keywords';
    query[key] = isList && !Array.isArray(value) ? [value] : value;
  }
  return query;
}
