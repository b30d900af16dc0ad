import { createRequire } from 'node:module';

/** The version of this package. */
export function packageVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('@vizprompt/cli/package.json');
  const isVersioned = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isVersioned ? String(manifest.version) : '0.0.0';
}
