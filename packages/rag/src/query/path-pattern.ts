import type picomatch from 'picomatch';

/** Whether a path of a document, with `/`, fits. */
export type PathPredicate = (filePath: string) => boolean;

const GLOB = /[*?]|\[[^\]]+\]|\{[^}]*[,.][^}]*\}/u;

/** Characters that picomatch, or the expression that it makes, give a meaning that paths do not have. */
const NO_GLOB = /(?<!\[)\^|[()|$+]/gu;

/**
 * Compiles paths and globs into one predicate: any of them has to fit. A path fits the document that
 * has it, and with `/` at its end, all below; so does a glob that stands as it is in a path. `*` and
 * `?` stay within a folder, `**` does not, `[あい]` and `{a,b}` choose. A glob without `/` is about the
 * name of the file: `*.md` fits at any depth. `\` counts as `/`, composed letters as decomposed ones.
 * The matcher of globs is loaded when the first is met.
 *
 * @example
 * ```ts
 * const isCharacter = await compilePaths(['設定/人物/**', '*.person.md']);
 * isCharacter('設定/人物/灯.md'); // true
 * ```
 */
export async function compilePaths(patterns: readonly string[]): Promise<PathPredicate> {
  const plain = new Set<string>();
  const folders: string[] = [];
  const globs: PathPredicate[] = [];
  for (const pattern of patterns) {
    const path = canonical(pattern).replaceAll('\\', '/').replace(/^\.\//u, '');
    if (path.endsWith('/') && !GLOB.test(path)) folders.push(path);
    else plain.add(path).add(canonical(pattern));
    if (GLOB.test(path)) globs.push(compileGlob((await import('picomatch')).default, path));
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

function compileGlob(match: typeof picomatch, glob: string): PathPredicate {
  const escaped = glob.replaceAll('[!', '[^').replaceAll(NO_GLOB, String.raw`\$&`);
  const fits = match(escaped.endsWith('/') ? `${escaped}**` : escaped, {
    dot: true,
    nonegate: true,
    noextglob: true,
    basename: !escaped.includes('/'),
  });
  return (path) => fits(path);
}

/** File systems differ in whether が is one character or two. */
function canonical(path: string): string {
  return path.normalize('NFC');
}
