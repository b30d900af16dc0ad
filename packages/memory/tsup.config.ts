import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { fromSources, shared } from '../../tsup.shared.ts';

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      internal: 'src/internal.ts',
      'http/index': 'src/http/index.ts',
      'mcp/index': 'src/mcp/index.ts',
      'schemas/index': 'src/schemas/index.ts',
    },
    // Both are built at the same time.
    clean: ['!hooks/**'],
  },
  {
    ...shared,
    // A hook is a process of its own, and most of its time is that of loading modules: it is one small file.
    entry: ['src/hooks/index.ts'],
    outDir: 'dist/hooks',
    splitting: false,
    minify: true,
    external: [/^gpt-tokenizer/],
    noExternal: ['@vizprompt/providers', 'better-sqlite3', 'diff', 'eventemitter3'],
    footer: { js: `/*! Holds parts of the package diff:\n${licenseOf('diff')}*/` },
    esbuildOptions: fromSources,
    esbuildPlugins: [requireSqlite()],
  },
]);

function licenseOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return readFileSync(join(dirname(manifest), 'LICENSE'), 'utf8');
}

/** `require` loads a CommonJS package in half the time of `import`, which reads its sources for exports. */
function requireSqlite(): NonNullable<Options['esbuildPlugins']>[number] {
  return {
    name: 'require-sqlite',
    setup(build) {
      const namespace = 'required';
      build.onResolve({ filter: /^better-sqlite3$/ }, ({ path }) => ({ path, namespace }));
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `import { createRequire } from 'node:module';
          export default createRequire(import.meta.url)('${path}');`,
      }));
    },
  };
}
