import { join } from 'node:path';
import ts from 'typescript';

/**
 * Writes a program whose exported declarations have the types of all that a package returns and holds: of its
 * functions, and of the methods and fields of its classes and interfaces. None of them is written down, so that the
 * compiler has to name each.
 */
export function programOfAll(name: string, folder: string): string {
  const file = join(folder, 'index.mts');
  const host = ts.createCompilerHost(COMPILER);
  const read = host.getSourceFile.bind(host);
  const text = `import * as M from '${name}';\nexport { M };\n`;
  host.getSourceFile = (path, target) =>
    path === file ? ts.createSourceFile(path, text, target) : read(path, target);
  const program = ts.createProgram([file], COMPILER, host);
  const checker = program.getTypeChecker();
  const [statement] = program.getSourceFile(file)?.statements ?? [];
  if (!statement || !ts.isImportDeclaration(statement)) throw new Error('there is no import');
  const root = checker.getSymbolAtLocation(statement.moduleSpecifier);
  if (!root) throw new Error(`the types of ${name} are not found`);
  const own = root.declarations?.[0]?.getSourceFile().fileName.replace(/[^/]*$/, '') ?? '';
  const lines = checker.getExportsOfModule(root).flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declared = target.declarations?.[0]?.getSourceFile().fileName;
    // A type of a sibling package is tested with that package.
    return declared?.startsWith(own) ? usesOf(target, symbol, checker) : [];
  });
  return [
    `import * as M from '${name}';`,
    RESULT_OF,
    ...lines.map((line, i) => `export const x${i} = ${line};`),
    '',
  ].join('\n');
}

export const COMPILER: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts'],
  strict: true,
  exactOptionalPropertyTypes: true,
  declaration: true,
  emitDeclarationOnly: true,
  skipLibCheck: true,
};

/** Type of the result, for any arguments; of overloads, the last one. */
const RESULT_OF =
  'declare function resultOf<F>(f: F): NonNullable<F> extends (...args: any) => infer R ? R : never;';

function usesOf(symbol: ts.Symbol, exported: ts.Symbol, checker: ts.TypeChecker): string[] {
  const at = `M.${exported.name}`;
  if (symbol.flags & ts.SymbolFlags.Function) return [`resultOf(${at})`];
  if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return [];
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  // Its members have no type before it has arguments.
  if (type.isClassOrInterface() && type.typeParameters?.length) return [];
  const members = type.getProperties().filter(isPublic);
  const own = members.map((member) => {
    const value = `(null as unknown as ${at})['${member.name}']`;
    return member.flags & ts.SymbolFlags.Method ? `resultOf(${value})` : value;
  });
  // A class that is exported as a type has no value.
  const isType = exported.declarations?.some((each) => ts.isTypeOnlyExportDeclaration(each));
  if (isType) return own;
  const statics = [...(symbol.exports?.values() ?? [])]
    .filter((member) => member.flags & ts.SymbolFlags.Method && isPublic(member))
    .map((member) => `resultOf(${at}.${member.name})`);
  return [...own, ...statics];
}

/** Symbols such as that of `await using` have no name that can be written. */
function isPublic({ name, declarations }: ts.Symbol): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (
    !/^(?:__|#)/.test(name) &&
    (declarations ?? []).every((each) => !(ts.getCombinedModifierFlags(each) & hidden))
  );
}
