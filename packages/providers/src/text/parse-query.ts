import type { Term, TextAnalyzer } from '../analysis/text-analyzer.ts';

/** Terms that must follow each other. */
export interface QueryGroup {
  readonly terms: readonly { readonly text: string; readonly isPrefix: boolean }[];
  /** It helps to rank, and finds rows only where no other group does. */
  readonly isWeak: boolean;
}

/** More groups than this make no search better; the rest of the query is left out, weak groups first. */
const MAX_GROUPS = 32;

/**
 * Returns the groups of a query. Text between double quotes is one group, whatever it holds.
 *
 * @returns At most 32 groups, none twice, the weak ones last.
 */
export function parseQuery(query: string, analyzer: TextAnalyzer): readonly QueryGroup[] {
  const groups = new Map<string, QueryGroup>();
  const add = (group: QueryGroup): void => {
    const key = JSON.stringify(group.terms);
    const known = groups.get(key);
    if (group.terms.length === 0 || (known && !known.isWeak)) return;
    groups.set(key, group);
  };
  const rest = query.replaceAll(/"([^"][^"]*)"/g, (_, phrase: string) => {
    add(phraseGroup(analyzer.analyze(phrase, 'index')));
    return ' ';
  });
  for (const group of groupTerms(analyzer.analyze(rest, 'query'))) add(group);
  const strongFirst = [...groups.values()].toSorted((a, b) => Number(a.isWeak) - Number(b.isWeak));
  return strongFirst.slice(0, MAX_GROUPS);
}

/** A query to match. */
export interface GroupsToMatch {
  readonly groups: readonly QueryGroup[];
  readonly alternatives: readonly GroupList[];
}

/** A list of which any group matches. */
interface GroupList {
  readonly group: QueryGroup;
  readonly others: readonly QueryGroup[];
  /** The places of the groups of the query that it is an alternative to. */
  readonly of: readonly number[];
}

/**
 * Returns the groups of a query with those of lists of words, at most 32 in all, of which the lists are at most half. The
 * query itself comes first: lists take what it leaves.
 */
export function withAlternatives(
  groups: readonly QueryGroup[],
  lists: readonly { readonly of: string; readonly words: readonly string[] }[],
  analyzer: TextAnalyzer,
): GroupsToMatch {
  const asked = new Map(groups.map(({ terms }, place) => [JSON.stringify(terms), place]));
  const placeOf = ({ terms }: QueryGroup): number | undefined => asked.get(JSON.stringify(terms));
  const room = Math.min(MAX_GROUPS / 2, MAX_GROUPS - groups.length);
  const alternatives = lists.slice(0, room).flatMap(({ of, words }): GroupList[] => {
    const [group, ...others] = words
      .map((word) => wordGroup(word, analyzer))
      .filter((one) => one.terms.length > 0 && placeOf(one) === undefined);
    const named = parseQuery(of, analyzer).flatMap((one) => placeOf(one) ?? []);
    return group ? [{ group, others, of: named }] : [];
  });
  return { groups, alternatives };
}

/** A word as a query asks for it; what that would look for in parts is a phrase. */
function wordGroup(word: string, analyzer: TextAnalyzer): QueryGroup {
  const [group, ...others] = groupTerms(analyzer.analyze(word, 'query'));
  return group && others.length === 0 ? group : phraseGroup(analyzer.analyze(word, 'index'));
}

/** A last single character without spaces is the beginning of a pair in longer texts. */
function phraseGroup(terms: readonly Term[]): QueryGroup {
  const line = terms.filter(({ position }) => position !== undefined);
  const last = line.length - 1;
  return {
    terms: line.map(({ text }, index) => {
      return { text, isPrefix: index === last && /^[^\p{ASCII}]$/u.test(text) };
    }),
    isWeak: false,
  };
}

function groupTerms(terms: readonly Term[]): QueryGroup[] {
  const grouped = new Map<number | string, Term[]>();
  for (const [index, term] of terms.entries()) {
    const key = term.group ?? `alone ${index}`;
    grouped.set(key, [...(grouped.get(key) ?? []), term]);
  }
  return [...grouped.values()].map((members) => ({
    terms: members.map(({ text, isPrefix = false }) => ({ text, isPrefix })),
    isWeak: members.every(({ isWeak }) => isWeak),
  }));
}
