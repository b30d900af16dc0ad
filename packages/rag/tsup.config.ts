import { defineConfig } from 'tsup';
import { fromSources, shared } from '../../tsup.shared.ts';

/** Programs that run as processes of their own. */
const PROGRAMS = ['vizprompt-rag-indexer', 'vizprompt-rag-compiler'];

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      'mcp/index': 'src/mcp/index.ts',
      'testing/index': 'src/testing/index.ts',
    },
    // Both are built at the same time.
    clean: PROGRAMS.map((name) => `!${name}.*`),
  },
  {
    ...shared,
    // Each is one file that needs no package, so that it can be copied next to a bundle.
    entry: {
      'vizprompt-rag-indexer': 'src/segment/background/indexer-process.ts',
      'vizprompt-rag-compiler': 'src/dictionary/compile-process.ts',
    },
    clean: false,
    splitting: false,
    minify: true,
    sourcemap: false,
    noExternal: [/.*/],
    external: ['better-sqlite3', 'kuromojin'],
    esbuildOptions: fromSources,
  },
]);
