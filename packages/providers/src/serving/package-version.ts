import { createRequire } from 'node:module';

/**
 * Returns the version of a package, as its servers report it; `'0.0.0'` where a bundle holds its code without its manifest.
 *
 * @param from - `import.meta.url` of a file of the package.
 *
 * @example
 * ```ts
 * const version = packageVersion('@vizprompt/memory', import.meta.url);
 * ```
 */
export function packageVersion(name: string, from: string): string {
  const manifest = readManifest(name, from);
  const isVersioned = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isVersioned ? String(manifest.version) : '0.0.0';
}

function readManifest(name: string, from: string): unknown {
  try {
    return createRequire(from)(`${name}/package.json`);
  } catch {
    return undefined;
  }
}
