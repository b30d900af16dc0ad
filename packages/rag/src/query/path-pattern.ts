import { cutMiddle } from '@vizprompt/providers/internal';
import { SearchError } from '../errors.ts';
import { compileGlob } from './glob.ts';

/** Checks whether a path of a document, with `/`, fits. */
export type PathPredicate = (filePath: string) => boolean;

/** How long a glob may be: what each character of a path may cost. */
const MAX_GLOB = 500;
const SIGN = /[*?[{]/u;

/**
 * Compiles paths and globs into one predicate: any of them has to fit. A path fits the document that
 * has it, and with `/` at its end, all below; so does a glob that is a path literally. `*` and
 * `?` stay within a folder, `**` does not, `[あい]` and `{a,b}` choose. A glob without `/` is about the
 * name of the file: `*.md` fits at any depth. `\` counts as `/`, composed letters as decomposed ones.
 *
 * @throws SearchError for a glob of more than 500 characters.
 *
 * @example
 * ```ts
 * const isCharacter = compilePaths(['設定/人物/**', '*.person.md']);
 * isCharacter('設定/人物/灯.md'); // true
 * ```
 */
export function compilePaths(patterns: readonly string[]): PathPredicate {
  const plain = new Set<string>();
  const folders: string[] = [];
  const globs: PathPredicate[] = [];
  for (const pattern of patterns) {
    const path = canonical(pattern).replaceAll('\\', '/').replace(/^\.\//u, '');
    const fits = globOf(path);
    if (fits) globs.push(fits);
    else if (path.endsWith('/')) folders.push(path);
    plain.add(path).add(canonical(pattern));
  }
  return (filePath) => {
    const path = canonical(filePath);
    return (
      plain.has(path) ||
      folders.some((folder) => path.startsWith(folder)) ||
      globs.some((fits) => fits(path))
    );
  };
}

function globOf(path: string): PathPredicate | undefined {
  if (!SIGN.test(path)) return undefined;
  if (path.length > MAX_GLOB) {
    const shown = cutMiddle(
      path,
      ({ length }) => length <= 40,
      () => '…',
    );
    throw new SearchError(
      `the glob '${shown}' has ${path.length} characters and may have ${MAX_GLOB}: ` +
        'name a folder, ending in /, or give several globs',
      { context: { characters: path.length } },
    );
  }
  return compileGlob(path.endsWith('/') ? `${path}**` : path);
}

/** File systems differ in whether が is one character or two. */
function canonical(path: string): string {
  return path.normalize('NFC');
}
