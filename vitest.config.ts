import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['vizprompt-source', 'module', 'node'] } },
  resolve: { conditions: ['vizprompt-source', 'module', 'node'] },
  test: {
    projects: ['packages/*/vitest.config.ts', 'examples/vitest.config.ts'],
  },
});
