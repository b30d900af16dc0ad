import { cutSnippet, type Snippet, type SnippetHit } from '../strings/cut-snippet.ts';
import { parseQuery, type QueryGroup } from './parse-query.ts';
import type { TextAnalyzer } from '../analysis/text-analyzer.ts';
import { checkOptions, checkArgument } from '../input/check-input.ts';
import { POSITIVE, TEXT, optional, type Kinds } from '../input/kinds.ts';
import { ANALYZER } from '../input/part-kinds.ts';

/** Options of {@link snippetOf}. */
export interface SnippetOptions {
  /** UTF-16 code units at most. Default: 240. */
  readonly maxLength?: number | undefined;
}

/** The kinds of these options. */
export const SNIPPET_OPTIONS: Kinds<SnippetOptions> = {
  maxLength: optional(POSITIVE),
};

/**
 * Cuts out the piece of a text in which most groups of a query are found, and then most of their
 * terms. Without a hit it is the beginning of the text.
 */
export function snippetOf(
  text: string,
  query: string,
  analyzer: TextAnalyzer,
  options: SnippetOptions = {},
): Snippet {
  checkArgument('the text of snippetOf', text, TEXT);
  checkArgument('the query of snippetOf', query, TEXT);
  checkArgument('the analyzer of snippetOf', analyzer, ANALYZER);
  checkOptions('snippetOf', options, SNIPPET_OPTIONS);
  return snippetOfGroups(text, parseQuery(query, analyzer), analyzer, options);
}

/** Returns the same for a query that is parsed: many texts are often cut for one. */
export function snippetOfGroups(
  text: string,
  groups: readonly QueryGroup[],
  analyzer: TextAnalyzer,
  { maxLength = 240 }: SnippetOptions = {},
): Snippet {
  const found = findHits(text, groups, analyzer);
  const telling = touchingStrong(found, groups);
  return cutSnippet(text, telling.length > 0 ? telling : found, { maxLength });
}

function findHits(
  text: string,
  groups: readonly QueryGroup[],
  analyzer: TextAnalyzer,
): SnippetHit[] {
  const exact = new Map<string, number>();
  const prefixes: [string, number][] = [];
  for (const [group, { terms }] of groups.entries()) {
    for (const term of terms) {
      if (term.isPrefix) prefixes.push([term.text, group]);
      else if (!exact.has(term.text)) exact.set(term.text, group);
    }
  }
  const hits: SnippetHit[] = [];
  const wanted = groups.flatMap(({ terms }) => terms);
  const found = analyzer.find ? analyzer.find(text, wanted) : analyzer.analyze(text, 'index');
  for (const { text: term, start, end } of found) {
    const group = exact.get(term) ?? prefixes.find(([prefix]) => term.startsWith(prefix))?.[1];
    if (group !== undefined) hits.push({ start, end, group });
  }
  return hits.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Returns the hits of strong groups, and of weak ones (endings, particles) only where they overlap these. */
function touchingStrong(hits: readonly SnippetHit[], groups: readonly QueryGroup[]): SnippetHit[] {
  const runs: { hits: SnippetHit[]; end: number; isStrong: boolean }[] = [];
  for (const hit of hits) {
    const isStrong = groups[hit.group]?.isWeak !== true;
    const run = runs.at(-1);
    if (run && hit.start < run.end) {
      run.hits.push(hit);
      run.end = Math.max(run.end, hit.end);
      run.isStrong ||= isStrong;
    } else {
      runs.push({ hits: [hit], end: hit.end, isStrong });
    }
  }
  return runs.filter(({ isStrong }) => isStrong).flatMap((run) => run.hits);
}
