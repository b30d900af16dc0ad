import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('../app', import.meta.url));

/** Packages that the program of `app/` imports. */
const IMPORTED = ['core', 'memory', 'providers', 'rag', 'talktable', 'workflow'];

/** Output of the program where everything works. */
export const EXPECTED = {
  core: ['done', 1],
  memory: 1,
  rag: 1800,
  workflow: 'A',
  talktable: ['done', 'rounds: 1'],
  openai: 'hi',
};

/** Writes the program and its manifest into a folder. */
export function writeApp(folder: string, more: { readonly [name: string]: string } = {}): void {
  mkdirSync(folder, { recursive: true });
  cpSync(sources, folder, { recursive: true });
  const own = Object.fromEntries(IMPORTED.map((name) => [`@vizprompt/${name}`, 'latest']));
  const dependencies = { ...own, openai: '6.49.0', ...more };
  const manifest = { name: 'app', version: '1.0.0', private: true, type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
}
