import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['vizprompt-source', 'module', 'node'] } },
  resolve: { conditions: ['vizprompt-source', 'module', 'node'] },
  test: {
    projects: ['packages/*/vitest*.config.ts', 'examples/vitest.config.ts'],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**'],
      reporter: ['text', 'lcovonly'],
      thresholds: {
        'packages/providers/src/**': { lines: 85 },
        'packages/vizprompt-core/src/**': { lines: 85 },
        'packages/rag/src/**': { lines: 85 },
        'packages/memory/src/**': { lines: 85 },
        'packages/talktable/src/**': { lines: 85 },
        'packages/workflow/src/**': { lines: 85 },
      },
    },
  },
});
