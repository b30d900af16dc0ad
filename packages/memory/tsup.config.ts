import { defineConfig } from 'tsup';
import { shared } from '../../tsup.shared.ts';

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      'http/index': 'src/http/index.ts',
      'mcp/index': 'src/mcp/index.ts',
      'schemas/index': 'src/schemas/index.ts',
    },
    // Both are built at the same time; the other one writes over what it has made.
    clean: ['!hooks/index.js', '!hooks/index.js.map'],
  },
  {
    ...shared,
    // A hook is a process of its own, so most of its time is that of loading modules: it is one file.
    entry: { 'hooks/index': 'src/hooks/index.ts' },
    splitting: false,
    clean: false,
    noExternal: ['@vizprompt/providers', 'eventemitter3'],
    esbuildOptions(options) {
      options.conditions = ['vizprompt-source', 'import', 'module'];
      // What is bundled is our own; Node has this one already.
      options.alias = { ...options.alias, eventemitter3: 'node:events' };
    },
  },
]);
