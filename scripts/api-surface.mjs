// Writes what each package shows to the world into api/NAME.api.ts, or fails when that has changed
// without being looked at: `npm run api -- --write` after a change that is meant.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const isWriting = process.argv.includes('--write');
const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });
let isStale = false;

for (const folder of readdirSync('packages')) {
  const root = join('packages', folder);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.entries(manifest.exports).flatMap(([entry, target]) =>
    typeof target === 'string' || entry.endsWith('/internal')
      ? []
      : [[entry, join(root, target.types)]],
  );
  if (entries.length === 0) continue;
  const text = surfaceOf(manifest.name, entries);
  const path = join('api', `${manifest.name.split('/')[1]}.api.ts`);
  const known = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (known === text) continue;
  if (isWriting) {
    mkdirSync('api', { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${path}`);
  } else {
    isStale = true;
    console.error(`${path} is not what ${manifest.name} exports now.`);
    console.error(firstDifference(known, text));
  }
}
if (isStale) {
  console.error('If the change is meant: npm run api -- --write, and review the difference.');
  process.exit(1);
}

/** The declarations of all exported names, entry after entry, in the order of the names. */
function surfaceOf(name, entries) {
  const program = ts.createProgram(
    entries.map(([, file]) => file),
    { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  );
  const checker = program.getTypeChecker();
  const sections = entries.map(([entry, file]) => {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    if (!symbol) throw new Error(`${relative('.', file)} is not built: npm run build`);
    const declarations = checker
      .getExportsOfModule(symbol)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((exported) => printSymbol(checker, exported));
    return `// ${name}${entry.slice(1)}\n\n${declarations.join('\n')}`;
  });
  return `// What ${name} exports. Written by scripts/api-surface.mjs; do not edit.\n\n${sections.join('\n')}`;
}

function printSymbol(checker, exported) {
  const isAlias = exported.flags & ts.SymbolFlags.Alias;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const texts = (symbol.declarations ?? []).map((declaration) => {
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  });
  return `${texts.join('\n')}\n`;
}

function firstDifference(before, after) {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const at = b.findIndex((line, index) => line !== a[index]);
  return `  line ${at + 1}\n  - ${a[at] ?? ''}\n  + ${b[at] ?? ''}`;
}
