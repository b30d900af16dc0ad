import { createRequire } from 'node:module';

/** The version of this package, as servers tell it. */
export function packageVersion(): string {
  const load = createRequire(import.meta.url);
  const manifest: unknown = load('@vizprompt/memory/package.json');
  const isVersioned = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isVersioned ? String(manifest.version) : '0.0.0';
}
