// Bundlers build without a package that is not installed only where its import may fail.
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));
const NAMES = ['providers', 'vizprompt-core', 'rag', 'memory', 'workflow', 'talktable', 'cli'];

interface Manifest {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Returns the packages that one of ours may lack. */
function optionalOf(name: string): readonly string[] {
  const manifest: Manifest = JSON.parse(readFileSync(`${packages}/${name}/package.json`, 'utf8'));
  return Object.keys({ ...manifest.optionalDependencies, ...manifest.peerDependencies });
}

interface Found {
  /** Imports in a `try`. */
  readonly caught: string[];
  /** Places of all others. */
  readonly bare: string[];
}

function scan(file: string, text: string, isOptional: (module: string) => boolean): Found {
  const found: Found = { caught: [], bare: [] };
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const module = moduleOf(node);
    if (module !== undefined && isOptional(module)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (isCaught(node)) found.caught.push(module);
      else found.bare.push(`${file}:${line + 1} ${module}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the module that a node loads when the program runs: types are erased. */
function moduleOf(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [module] = node.arguments;
    return module && ts.isStringLiteral(module) ? module.text : undefined;
  }
  const isErased =
    (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly) ||
    (ts.isExportDeclaration(node) && node.isTypeOnly);
  if (isErased || !(ts.isImportDeclaration(node) || ts.isExportDeclaration(node))) return undefined;
  const module = node.moduleSpecifier;
  return module && ts.isStringLiteral(module) ? module.text : undefined;
}

/** Checks whether an import is awaited in a `try` with a `catch`, within the same function, as webpack requires. */
function isCaught({ parent }: ts.Node): boolean {
  if (!ts.isAwaitExpression(parent)) return false;
  for (let node: ts.Node = parent; !ts.isFunctionLike(node) && node.parent; node = node.parent) {
    const outer = node.parent;
    if (ts.isTryStatement(outer) && outer.tryBlock === node && outer.catchClause) return true;
  }
  return false;
}

describe('an import of an optional package', () => {
  it.each(NAMES)('of %s may fail', async (name) => {
    const optional = optionalOf(name);
    const isOptional = (module: string): boolean =>
      optional.some((each) => module === each || module.startsWith(`${each}/`));
    const found: Found = { caught: [], bare: [] };
    const source = `${packages}/${name}/src`;
    const files = await readdir(source, { recursive: true });
    for (const file of files.filter((each) => each.endsWith('.ts'))) {
      const path = `${source}/${file}`;
      const text = await readFile(path, 'utf8');
      // Parsing takes most of the time.
      if (!optional.some((module) => text.includes(`'${module}`))) continue;
      const { caught, bare } = scan(path, text, isOptional);
      found.caught.push(...caught);
      found.bare.push(...bare);
    }
    expect(found.bare).toEqual([]);
  });

  it('is found however it is written', () => {
    const text = `
      import a from 'x'; import type { b } from 'x'; export * from 'x/y'; import 'z';
      const c = await import('x'); import('x').then(f); import('x').catch(f);
      try { await import('x/caught'); } catch {}
      try { const d = (await import('x/inner')).default; } catch {} finally { await import('x'); }
      try { await import('x'); } finally {}
      try { import('x'); (async () => await import('x'))(); } catch { await import('x'); }
    `;
    const { caught, bare } = scan('a.ts', text, (module) => module.startsWith('x'));
    expect(caught).toEqual(['x/caught', 'x/inner']);
    expect(bare).toHaveLength(10);
  });
});
