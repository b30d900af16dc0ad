import { defineProject } from 'vitest/config';

export default defineProject({
  ssr: { resolve: { conditions: ['vizprompt-source', 'module', 'node'] } },
  test: {
    name: 'rag',
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/support/global-dictionary.ts'],
    setupFiles: ['../providers/test/support/fuzz-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
