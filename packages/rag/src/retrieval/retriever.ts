import type { JsonValue, Passage, Retriever } from '@vizprompt/providers';
import { type Kinds, OBJECT, having } from '@vizprompt/providers/config/internal';
import {
  SEARCH_OPTIONS,
  type SearchBackend,
  type SearchFilter,
  type SearchHit,
  type SearchOptions,
} from '../contract/search-backend.ts';
import { BACKEND } from '../contract/backend-options.ts';
import { checkArgument, checkOptions } from '../check-options.ts';
import { RagError } from '../errors.ts';

/** Options of {@link retriever}. */
export interface RetrieverOptions {
  /** How many neighbouring chunks of the document go into each passage. Default: none. */
  readonly expand?: SearchOptions['expand'] | undefined;
  /** Limits every question, in addition to its own filter. */
  readonly filter?: SearchFilter | undefined;
}

const RETRIEVER_OPTIONS: Kinds<RetrieverOptions> = {
  expand: SEARCH_OPTIONS.expand,
  filter: SEARCH_OPTIONS.filter,
};
const FILTERS = ['projects', 'files', 'tags'] as const;

/**
 * Returns a search backend as a `Retriever`: what core, workflows and talks ask for passages. Questions can be
 * filtered by `projects`, `files` and `tags`, each a text or a list of texts. A passage names its file
 * and lines, so that it can be cited; its project is `meta.project`.
 *
 * @example
 * ```ts
 * const passages = await retriever(backend).retrieve('灯台を守ったのは誰？', { limit: 5 });
 * citationOf(passages[0]); // 'contents/01.md:12-18'
 * ```
 */
export function retriever(backend: SearchBackend, options: RetrieverOptions = {}): Retriever {
  checkArgument('the backend of retriever', backend, BACKEND);
  const { filter: fixed } = checkOptions('retriever', options, RETRIEVER_OPTIONS);
  return {
    specVersion: 1,
    async retrieve(query, { limit = 10, k = limit, filter = {}, signal } = {}) {
      checkArgument('the filter of retrieve', filter, OBJECT);
      const own = readFilter(filter);
      const { hits } = await backend.search(query, {
        limit: k,
        k,
        filter: { ...own, ...joined(fixed, own) },
        ...(options.expand ? { expand: options.expand } : {}),
        ...(signal ? { signal } : {}),
      });
      return hits.map(passageOf);
    },
  };
}

const PASSAGE = having('a passage of a retriever', 'source');

/** Returns the place of a passage as people write it: `contents/01.md:12-18`. */
export function citationOf(passage: Passage): string {
  checkArgument('the argument of citationOf', passage, PASSAGE);
  const { uri, start, end } = passage.source;
  if (start === undefined) return uri;
  return end === undefined || end === start ? `${uri}:${start}` : `${uri}:${start}-${end}`;
}

function passageOf(hit: SearchHit): Passage {
  const { id, score, content, context, payload, novelId, title, headingPath } = hit;
  const { start, end } = context ?? payload;
  const heading = headingPath.length > 0 ? headingPath.join(' › ') : title;
  return {
    id,
    text: context?.text ?? content,
    score,
    source: { kind: 'document', uri: payload.file, start, end },
    ...(heading === '' ? {} : { title: heading }),
    meta: { project: novelId, ...(payload.tags ? { tags: payload.tags } : {}) },
  };
}

function readFilter(filter: Readonly<Record<string, JsonValue>>): SearchFilter {
  const entries = Object.entries(filter).map(([key, value]) => {
    const values = typeof value === 'string' ? [value] : value;
    const isList = Array.isArray(values) && values.every((one) => typeof one === 'string');
    if (FILTERS.some((known) => known === key) && isList) return [key, values] as const;
    const problem = isList ? `there is no filter '${key}'` : `the filter '${key}' must be texts`;
    throw new RagError('invalid-input', `${problem}: there are ${FILTERS.join(', ')}`, {
      context: { filter: key },
    });
  });
  return Object.fromEntries(entries);
}

/** Both filters at once: tags add up, of projects and files those in both remain. */
function joined(fixed: SearchFilter | undefined, own: SearchFilter): SearchFilter {
  if (!fixed) return {};
  const both = (a?: readonly string[], b?: readonly string[]): readonly string[] | undefined =>
    a && b ? a.filter((one) => b.includes(one)) : (a ?? b);
  const projects = both(fixed.projects, own.projects);
  const files = both(fixed.files, own.files);
  const tags = [...(fixed.tags ?? []), ...(own.tags ?? [])];
  return {
    ...(projects ? { projects } : {}),
    ...(files ? { files } : {}),
    ...(tags.length > 0 ? { tags } : {}),
  };
}
