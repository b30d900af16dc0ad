import { readFileSync } from 'node:fs';

/** Returns the version of this package, whose manifest lies above the sources as it lies above what is built of them. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const manifest: unknown = JSON.parse(text);
  const isVersioned = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isVersioned ? String(manifest.version) : '0.0.0';
}
