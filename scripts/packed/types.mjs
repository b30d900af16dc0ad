import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const RESOLUTIONS = {
  nodenext: {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  },
  bundler: {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  },
};

/**
 * What TypeScript says to a program that uses each entry, strictly and with declarations checked. First without
 * optional packages: only those may be missing. Then with them.
 */
export function checkTypes({ folder, missing }, entries) {
  const names = entries.filter(({ isCode }) => isCode).map(({ name }) => name);
  const file = join(folder, 'program.mts');
  const lines = names.map((name, at) => `import * as m${at} from '${name}';\nexport { m${at} };`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  link(folder, '@types/node');
  const without = missing.map((name) => `Cannot find module '${name}`);
  const problems = errorsOf(file).filter(
    (error) => !without.some((message) => error.includes(message)),
  );
  for (const name of missing) link(folder, name);
  link(folder, '@types/pg');
  return [...new Set([...problems, ...errorsOf(file)])];
}

const OWN = /node_modules\/@vizprompt\/|program\.mts$/;

/** Errors in our declarations and in the program; those of others are not ours to mend. */
function errorsOf(file) {
  return Object.entries(RESOLUTIONS).flatMap(([name, resolution]) => {
    const program = ts.createProgram([file], {
      ...resolution,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
      types: ['node'],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    });
    const own = program.getSourceFiles().filter(({ fileName }) => OWN.test(fileName));
    return [
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...own.flatMap((each) => program.getSyntacticDiagnostics(each)),
      ...own.flatMap((each) => program.getSemanticDiagnostics(each)),
    ].map((one) => {
      const place = one.file?.fileName.replace(/.*node_modules\//, '') ?? 'the program';
      return `${name}: ${place}: ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`;
    });
  });
}

/** A package of the repository. */
function link(folder, name) {
  const target = join(folder, 'node_modules', name);
  const source = resolve('node_modules', name);
  if (existsSync(target) || !existsSync(source)) return;
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(source, target, 'junction');
}
