import module from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Finds a file of an installed package as Node would: from the module that asks, else from the program that runs. In a
 * bundle, the address of a module may be that of its source on another machine. Never from the working directory: that
 * may be a folder of a stranger, which brings packages of its own.
 *
 * @param specifier - Such as `kuromoji/package.json`.
 * @param from - `import.meta.url`, or the path of a file.
 */
export function findInstalled(specifier: string, from: string): string | undefined {
  const program = process.argv[1];
  // Bundlers warn of a `createRequire` whose address they do not know.
  const { createRequire } = module;
  const bases = [from, ...(program === undefined ? [] : [pathToFileURL(program).href])];
  for (const base of bases) {
    try {
      return createRequire(base).resolve(specifier);
    } catch {
      // It is not installed for that place.
    }
  }
  return undefined;
}
