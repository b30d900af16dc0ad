import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { fromSources, shared } from '../../tsup.shared.ts';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];
type TsupPlugin = NonNullable<Options['plugins']>[number];

/** ptta is called on every message, and starts as few files as may be: all that it needs is in one. */
const QUICK = 'ptta';
const TOOLS = ['dialogoi', 'talktable', 'vizprompt'];

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts' },
    splitting: false,
    // All are built at the same time.
    clean: [
      `!${QUICK}.*`,
      `!${QUICK}-start.*`,
      '!bin/*.cjs*',
      '!bin/*.d.ts*',
      ...TOOLS.map((tool) => `!${tool}.*`),
    ],
  },
  {
    ...shared,
    // It reports that there are too few files for the rest, and so imports nothing that is another file.
    entry: { [`${QUICK}-start`]: `src/${QUICK}/start.ts` },
    clean: false,
    splitting: false,
    minify: true,
    noExternal: [/^@vizprompt\/providers\/internal$/],
    esbuildOptions: fromSources,
    esbuildPlugins: [apart()],
  },
  {
    ...shared,
    // CommonJS starts sooner. A hook that only writes down what it is given loads this file, and no other.
    format: ['cjs'],
    entry: Object.fromEntries(
      [QUICK, ...TOOLS].map((tool) => [`bin/${tool}`, `src/bin/${tool}.ts`]),
    ),
    clean: false,
    splitting: false,
    minify: true,
    noExternal: [/^@vizprompt\/(?:providers(?:\/transcripts)?|memory)(?:\/internal)?$/],
    esbuildOptions: fromSources,
    esbuildPlugins: [apart()],
  },
  {
    ...shared,
    entry: Object.fromEntries(TOOLS.map((tool) => [tool, `src/${tool}/main.ts`])),
    clean: false,
    // A start reads as few files as may be: a tool is one, with what commander and errors are.
    splitting: false,
    minify: true,
    external: [/^gpt-tokenizer/, 'better-sqlite3'],
    noExternal: [/^commander$/, /^@commander-js\/extra-typings$/, /^@vizprompt\/providers$/],
    banner: { js: requireBanner() },
    footer: { js: `/*! Holds the package commander:\n${licenseOf('commander')}*/` },
    esbuildOptions: fromSources,
    esbuildPlugins: [withoutChildren()],
  },
  {
    ...shared,
    // The compiled code of CommonJS can be cached, see `runCompiled`.
    format: ['cjs'],
    entry: { [QUICK]: `src/${QUICK}/main.ts` },
    clean: false,
    splitting: false,
    minify: true,
    external: [/^gpt-tokenizer/],
    noExternal: [
      /^commander$/,
      /^@commander-js\/extra-typings$/,
      /^@vizprompt\/(?:providers(?:\/(?:config|node|text|transcripts|serving))?|memory(?:\/hooks)?)(?:\/internal)?$/,
      'better-sqlite3',
      'diff',
      'eventemitter3',
    ],
    banner: { js: urlBanner() },
    footer: {
      js: `/*! Holds the package commander:\n${licenseOf('commander')}
And parts of the package diff:\n${licenseOf('diff')}*/`,
    },
    esbuildOptions: asCommonJs,
    esbuildPlugins: [withoutChildren(), requireSqlite()],
    plugins: [lazily()],
  },
]);

function asCommonJs(options: Parameters<typeof fromSources>[0]): void {
  fromSources(options);
  options.define = { ...options.define, 'import.meta.url': '__url' };
}

/** CommonJS knows the path of its file. */
function urlBanner(): string {
  return `'use strict';const __url = require('node:url').pathToFileURL(__filename).href;`;
}

/** Code that was kept cannot import: `runCompiled` gives it a function of as many letters. */
function lazily(): TsupPlugin {
  return {
    name: 'lazily',
    renderChunk: (code) => ({ code: code.replaceAll(/\bimport\(/g, 'lazily(') }),
  };
}

/** CommonJS packages ask for modules of Node by `require`. */
function requireBanner(): string {
  return `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`;
}

/** A tool is a file of its own, which its bin only names. */
function apart(): Plugin {
  return {
    name: 'apart',
    setup(build) {
      build.onResolve({ filter: /\/(?:main|start)\.ts$/ }, ({ path, kind }) => {
        if (kind !== 'dynamic-import') return undefined;
        const file = path.replace(/\/main\.ts$/, '.js').replace(/\/start\.ts$/, '-start.js');
        return { path: file, external: true };
      });
    },
  };
}

function licenseOf(name: string): string {
  const require = createRequire(import.meta.url);
  const folder = require.resolve.paths(name)?.find((path) => existsSync(join(path, name)));
  return readFileSync(join(folder ?? '', name, 'LICENSE'), 'utf8');
}

/** commander starts no programs here: ours have no commands that are files of their own. */
function withoutChildren(): Plugin {
  return {
    name: 'without-children',
    setup(build) {
      const namespace = 'no-children';
      build.onResolve({ filter: /^(node:)?child_process$/ }, ({ path, importer }) =>
        /[\\/]commander[\\/]/.test(importer) ? { path, namespace } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace }, () => ({ contents: 'module.exports = {};' }));
    },
  };
}

/** `require` loads a CommonJS package in half the time of `import`, which reads its sources for exports. */
function requireSqlite(): Plugin {
  return {
    name: 'require-sqlite',
    setup(build) {
      const namespace = 'required';
      build.onResolve({ filter: /^better-sqlite3$/ }, ({ path }) => ({ path, namespace }));
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        // Imports that esbuild does not recognise stay as they are.
        contents: `const ask = module.require.bind(module);
          export default ask('${path}');`,
      }));
    },
  };
}
