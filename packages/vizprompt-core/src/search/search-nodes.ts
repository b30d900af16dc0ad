import type { JsonValue, Retriever, SqlParameter } from '@vizprompt/providers';
import { type Kinds, optional, TEXT, wholeFrom } from '@vizprompt/providers/config/internal';
import type { Snippet } from '@vizprompt/providers/text';
import { VizPromptError } from '../errors.ts';
import { isTimestamp, timeValue } from '../format/ids-and-times.ts';
import { type NodeRow, normalizeLabel, parseList } from '../index/node-index.ts';
import { checkedLater, LABELS } from '../input-kinds.ts';
import { readHealthyNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';

/** Conditions of a search, all of which must hold. */
export interface NodeQuery {
  /**
   * Words, ranked: a node need not hold all of them. Text between double quotes is matched
   * literally.
   */
  readonly text?: string | undefined;
  /** The node has each of these tags. Width and case do not matter. */
  readonly tags?: readonly string[] | undefined;
  /** The node has each of these keywords, which `build` finds. */
  readonly keywords?: readonly string[] | undefined;
  /** The model that answered, as its provider names it. */
  readonly model?: string | undefined;
  /** The node was made at this time or later, ISO 8601. */
  readonly after?: string | undefined;
  /** The node was made before this time, ISO 8601. */
  readonly before?: string | undefined;
  /** Nodes at most. Default: 20. */
  readonly limit?: number | undefined;
}

export const NODE_QUERY: Kinds<NodeQuery> = {
  text: optional(TEXT, { en: 'Words; between double quotes literally' }),
  tags: optional(LABELS, { en: 'The node has each of them' }),
  keywords: optional(LABELS, { en: 'The node has each of them; build finds them' }),
  model: optional(TEXT),
  after: optional(TEXT, { en: 'At this time or later, ISO 8601' }),
  before: optional(TEXT, { en: 'Before this time, ISO 8601' }),
  limit: checkedLater(wholeFrom(1, 1000), { en: 'Default: 20' }),
};

/** A node that was found. */
export interface NodeHit {
  readonly id: string;
  readonly timestamp: string;
  /** The first words of the prompt, or else of the response, on one line; without any, the speaker. */
  readonly title: string;
  /** Empty if it was never built. */
  readonly summary: string;
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly model?: string;
  /** The ids of the flows that it is in. */
  readonly flows: readonly string[];
  /** Higher is better; comparable within one answer. 0 where nothing was ranked. */
  readonly score: number;
  /** The piece of the node that shows best why it was found; absent without `text`. */
  readonly snippet?: Snippet;
}

/**
 * Searches the nodes of a project: by words the best first, otherwise the newest first.
 *
 * @throws VizPromptError with the code `invalid-input` for an invalid time or limit.
 */
export async function searchNodes(project: Project, query: NodeQuery): Promise<NodeHit[]> {
  const { nodes, text } = project.index;
  const { limit = 20 } = query;
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new VizPromptError('invalid-input', `'limit: ${limit}' is no whole number from 1 on`);
  }
  const { sql, params } = conditionOf(query);
  if (query.text === undefined) {
    const newest = await nodes.rowsWhere(sql, params, limit);
    const flowsOf = await flowsOfRows(project, newest);
    return newest.map((row) => toHit(row, 0, flowsOf));
  }
  // To look each row up takes as long as to rank it.
  const isAny = sql === CURRENT && !(await nodes.hasOtherVersions());
  const hits = await text.search(query.text, { limit, where: isAny ? undefined : { sql, params } });
  const rows = new Map(
    (await nodes.rowsByNumber(hits.map(({ id }) => id))).map((row) => [row.row_id, row]),
  );
  const found = hits.flatMap(({ id, score }) => {
    const row = rows.get(id);
    return row ? [{ row, score }] : [];
  });
  const flowsOf = await flowsOfRows(
    project,
    found.map(({ row }) => row),
  );
  return Promise.all(
    found.map(async ({ row, score }) => {
      const snippet = await snippetOf(project, row, query.text ?? '');
      return { ...toHit(row, score, flowsOf), ...(snippet ? { snippet } : {}) };
    }),
  );
}

/** Holds for the node of an id, and not for other files that carry it. */
const CURRENT = 'is_current = 1';

function conditionOf(query: NodeQuery): { sql: string; params: SqlParameter[] } {
  const conditions = [CURRENT];
  const params: SqlParameter[] = [];
  const add = (sql: string, param: SqlParameter): void => {
    conditions.push(sql);
    params.push(param);
  };
  const labels = [
    ...(query.tags ?? []).map((tag) => ['tag', tag]),
    ...(query.keywords ?? []).map((keyword) => ['keyword', keyword]),
  ];
  for (const [kind = '', label = ''] of labels) {
    const inLabels = `SELECT row_id FROM core_label WHERE kind = '${kind}' AND label = ?`;
    add(`row_id IN (${inLabels})`, normalizeLabel(label));
  }
  if (query.model !== undefined) add('model = ?', query.model);
  if (query.after !== undefined) add('time >= ?', timeOf('after', query.after));
  if (query.before !== undefined) {
    // A time that is not known is before none.
    add('time < ? AND time <> 0', timeOf('before', query.before));
  }
  return { sql: conditions.join(' AND '), params };
}

function timeOf(name: string, text: string): number {
  if (isTimestamp(text) || /^\d{4}-\d\d-\d\d$/.test(text)) return timeValue(text);
  throw new VizPromptError('invalid-input', `${name}: '${text}' is no date or time of ISO 8601`);
}

type FlowsOf = ReadonlyMap<string, readonly string[]>;

async function flowsOfRows({ index }: Project, rows: readonly NodeRow[]): Promise<FlowsOf> {
  return index.flows.flowsOf(rows.map(({ id }) => id));
}

function toHit(row: NodeRow, score: number, flowsOf: FlowsOf): NodeHit {
  const { id, timestamp, title, summary, model } = row;
  return {
    id,
    timestamp,
    title,
    summary,
    tags: parseList(row.tags),
    keywords: parseList(row.keywords),
    ...(model === null ? {} : { model }),
    flows: flowsOf.get(id) ?? [],
    score,
  };
}

async function snippetOf(
  project: Project,
  { file }: NodeRow,
  query: string,
): Promise<Snippet | undefined> {
  const node = await readHealthyNode(project, file);
  const { index } = project;
  if (!node) return undefined;
  const snippets = [node.prompt, node.response].map((text) => index.text.snippet(text, query));
  return snippets.toSorted((a, b) => b.highlights.length - a.highlights.length)[0];
}

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
