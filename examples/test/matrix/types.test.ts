// With pnpm only what a manifest names can be imported, so the compiler can only name types that a package exports
// itself: declarations of a program that uses one entry of one package, and nothing else. An entry names the types of
// its package where it exports one from the root, which brings all of them into the program.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPILER, programOfAll } from './support/infer-all.ts';
import { install } from './support/managers.ts';
import { type Packed, servePacked } from './support/packed.ts';

const timeout = 1_200_000;

let packed: Packed;
beforeAll(async () => {
  packed = await servePacked();
}, timeout);
afterAll(() => packed[Symbol.asyncDispose](), timeout);

/** Installs a package alone, and returns its entries that users import. */
async function installAlone(name: string, folder: string): Promise<readonly string[]> {
  const { place, registry } = packed;
  mkdirSync(folder);
  const manifest = {
    name: 'app',
    private: true,
    type: 'module',
    dependencies: { [name]: 'latest' },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  await install(folder, { manager: 'pnpm', node: process.execPath, registry, place });
  const installed = join(folder, 'node_modules', name, 'package.json');
  const { exports }: { exports: object } = JSON.parse(readFileSync(installed, 'utf8'));
  return Object.entries(exports)
    .filter(([entry, target]) => typeof target === 'object' && !entry.endsWith('/internal'))
    .map(([entry]) => `${name}${entry.slice(1)}`);
}

/** Declares all that an entry returns, and returns what the compiler has against it. */
function problemsOf(entry: string, folder: string): readonly string[] {
  const file = join(folder, 'index.mts');
  const text = programOfAll(entry, folder);
  writeFileSync(file, text);
  const manifest = createRequire(import.meta.url).resolve('@types/node/package.json');
  const typeRoots = [join(manifest, '../..')];
  const program = ts.createProgram([file], { ...COMPILER, typeRoots, types: ['node'] });
  const { diagnostics } = program.emit(undefined, () => {});
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ code, messageText, start = 0 }) => {
      const line = text.slice(0, start).split('\n').length;
      return `${entry}: TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}: ${text.split('\n')[line - 1]}`;
    },
  );
}

it.each(['providers', 'core', 'memory', 'rag', 'workflow', 'talktable', 'cli'])(
  'all that each entry of @vizprompt/%s returns can be declared where it is installed alone',
  { timeout },
  async (name) => {
    const folder = join(packed.place, `types-${name}`);
    const entries = await installAlone(`@vizprompt/${name}`, folder);
    expect(entries).toContain(`@vizprompt/${name}`);
    expect(entries.flatMap((entry) => problemsOf(entry, folder))).toEqual([]);
  },
);

it('finds what cannot be declared', { timeout }, async () => {
  const folder = join(packed.place, 'types-hidden');
  mkdirSync(join(folder, 'node_modules/hidden/dist'), { recursive: true });
  const own = join(folder, 'node_modules/hidden');
  const manifest = { name: 'hidden', type: 'module', exports: { '.': './dist/index.js' } };
  writeFileSync(join(own, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(own, 'dist/index.js'), '');
  writeFileSync(join(own, 'dist/kept.d.ts'), 'export interface Kept { readonly a: string }\n');
  const types = `import type { Kept } from './kept.js';\nexport declare function get(): Kept;\n`;
  writeFileSync(join(own, 'dist/index.d.ts'), types);
  expect(problemsOf('hidden', folder)).toContainEqual(expect.stringContaining("'Kept'"));
});
