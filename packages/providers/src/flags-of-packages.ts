import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { findInstalled } from './find-installed.ts';

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
