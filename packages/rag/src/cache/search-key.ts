import { createHash } from 'node:crypto';
import type { SearchOptions } from '../contract/search-backend.ts';
import { checkArgument } from '../check-options.ts';
import { TEXT, OBJECT, optional, TEXTS } from '@vizprompt/providers/config/internal';

/** Is in a key for a search over all projects. No name of a project is this once escaped. */
const ALL = '%';

const PROJECTS = optional(TEXTS);

/**
 * Returns the key of a search in a cache: `search|灯台|港町|<hash>`, the names of the projects sorted, then a
 * hash of the query and of every option that has a part in the answer.
 *
 * @param projects - The projects that are searched; nothing for all of them.
 * @param options - `filter.projects` and `signal` are passed over.
 */
export function searchKey(
  projects: readonly string[] | undefined,
  query: string,
  options: SearchOptions = {},
): string {
  checkArgument('the projects of searchKey', projects, PROJECTS);
  checkArgument('the query of searchKey', query, TEXT);
  checkArgument('the options of searchKey', options, OBJECT);
  const { limit, k = limit, offset, filter, explain = false, expand } = options;
  const facts = [
    query,
    k ?? null,
    offset ?? 0,
    filter?.files?.toSorted() ?? null,
    filter?.tags?.toSorted() ?? [],
    explain,
    // With no neighbours there is a context, too.
    expand ? [expand.before ?? 0, expand.after ?? 0] : null,
  ];
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
  const names = projects === undefined ? [ALL] : [...new Set(projects)].toSorted().map(escapeName);
  return ['search', ...names, hash].join('|');
}

/**
 * Returns the patterns for `invalidate` that drop every search that a change in a project may have changed:
 * those that name it, and those over all projects.
 */
export function projectPatterns(project: string): readonly string[] {
  checkArgument('the project of projectPatterns', project, TEXT);
  return [`search*|${escapeName(project)}|*`, `search|${ALL}|*`];
}

function escapeName(name: string): string {
  return name.replaceAll(/[%|*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
