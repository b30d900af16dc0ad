import { existsSync } from 'node:fs';
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

/**
 * Returns the flags another Node needs to load packages that this process loads. Plug'n'Play of Yarn stores packages
 * in zip files, which Node reads by a hook only. `yarn node` names the hook in `NODE_OPTIONS`, which child processes
 * inherit; a process started by `node --require ./.pnp.cjs`, or by another program, has to name it again.
 *
 * Source: https://yarnpkg.com/features/pnp
 *
 * @param from - `import.meta.url`, or the path of a file.
 */
export function flagsOfPackages(from: string): readonly string[] {
  if (process.versions['pnp'] === undefined) return [];
  const hook = findInstalled('pnpapi', from);
  if (hook === undefined) return [];
  const loader = hook.replace(/\.cjs$/, '.loader.mjs');
  const ofModules = existsSync(loader) ? ['--experimental-loader', pathToFileURL(loader).href] : [];
  return ['--require', hook, ...ofModules];
}
