import { createHash } from 'node:crypto';
import {
  ANYTHING,
  FUNCTION,
  type Kinds,
  OBJECT,
  optional,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { checkArgument, checkOptions } from '../check-options.ts';
import type { SearchOptions, SearchResults } from '../contract/search-backend.ts';
import { RagError } from '../errors.ts';

/** Caches values for a while. {@link SearchCache} is the one in memory; a host may bring its own. */
export interface CacheService<Value> {
  /** The value, or `null` if there is none or its time is over. */
  get(key: string): Promise<Value | null>;

  /**
   * @param ttl - How long it is kept, in milliseconds.
   */
  set(key: string, value: Value, ttl?: number): Promise<void>;

  /**
   * Drops all values whose key fits.
   *
   * @param pattern - A key; `*` matches any characters, also none.
   */
  invalidate(pattern: string): Promise<void>;
}

/** Options of {@link SearchCache}. */
export interface SearchCacheOptions {
  /** How many values are kept; the one that was not asked for longest goes first. Default: 500. */
  readonly maxEntries?: number | undefined;
  /** How long a value is kept if `set` does not say, in milliseconds. Default: 60,000. */
  readonly ttl?: number | undefined;
  /** By what `ttl` is measured. Default: the time that passes, whatever the clock of the machine is set to. */
  readonly clock?: (() => Date) | undefined;
}

interface Entry<Value> {
  readonly value: Value;
  readonly expires: number;
}

const KINDS: Kinds<SearchCacheOptions> = {
  maxEntries: ANYTHING,
  ttl: ANYTHING,
  clock: optional(FUNCTION),
};

/**
 * A cache in memory, by default of what was found. It hands out what it was given, not copies.
 *
 * @example
 * ```ts
 * const cache = new SearchCache();
 * const key = searchKey(['灯台'], query, { limit: 5 });
 * const results = await cache.remember(key, () => backend.search(query, { limit: 5 }));
 * // After a document of the project has changed:
 * for (const pattern of projectPatterns('灯台')) await cache.invalidate(pattern);
 * ```
 */
export class SearchCache<Value = SearchResults> implements CacheService<Value> {
  /** The one that was used longest ago comes first. */
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #maxEntries: number;
  readonly #ttl: number;
  readonly #now: () => number;
  /** Values that are being made while it changes are out of date when they are done. */
  #invalidations = 0;

  /** @throws RagError with the code `invalid-input` for a bound or a time below 0, or not a number. */
  constructor(options: SearchCacheOptions = {}) {
    checkOptions('SearchCache', options, KINDS);
    const { maxEntries = 500, ttl = 60_000, clock } = options;
    this.#maxEntries = checked('maxEntries', maxEntries);
    this.#ttl = checked('ttl', ttl);
    this.#now = clock ? () => clock().getTime() : () => performance.now();
  }

  async get(key: string): Promise<Value | null> {
    return this.#find(key)?.value ?? null;
  }

  async set(key: string, value: Value, ttl: number = this.#ttl): Promise<void> {
    const expires = this.#now() + checked('ttl', ttl);
    this.#entries.delete(key);
    this.#entries.set(key, { value, expires });
    if (this.#entries.size > this.#maxEntries) this.#makeRoom();
  }

  async invalidate(pattern: string): Promise<void> {
    this.#invalidations += 1;
    const fits = compileKeyPattern(pattern);
    for (const key of this.#entries.keys()) if (fits(key)) this.#entries.delete(key);
  }

  /**
   * Returns the value of the key, or else what `make` gives, which is kept, unless something was invalidated
   * while it was made: a search that began before an update may not outlive it.
   */
  async remember(key: string, make: () => Promise<Value>, ttl?: number): Promise<Value> {
    const entry = this.#find(key);
    if (entry !== undefined) return entry.value;
    const before = this.#invalidations;
    const value = await make();
    if (this.#invalidations === before) await this.set(key, value, ttl);
    return value;
  }

  #find(key: string): Entry<Value> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expires <= this.#now()) return undefined;
    this.#entries.set(key, entry);
    return entry;
  }

  #makeRoom(): void {
    const now = this.#now();
    for (const [key, { expires }] of this.#entries) if (expires <= now) this.#entries.delete(key);
    for (const key of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) return;
      this.#entries.delete(key);
    }
  }
}

function checked(name: string, value: number): number {
  if (value >= 0) return value;
  throw new RagError('invalid-input', `${name}: expected a number from 0 on, got ${value}`, {
    context: { [name]: value },
  });
}

/** Returns a test for keys: `*` matches any characters, everything else itself. Takes linear time. */
export function compileKeyPattern(pattern: string): (key: string) => boolean {
  const [head = '', ...parts] = pattern.split('*');
  const tail = parts.pop();
  if (tail === undefined) return (key) => key === pattern;
  return (key) => {
    if (!key.startsWith(head) || !key.endsWith(tail)) return false;
    let at = head.length;
    for (const part of parts) {
      const found = key.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at + tail.length <= key.length;
  };
}

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
