import { defineProject } from 'vitest/config';

export default defineProject({
  ssr: { resolve: { conditions: ['vizprompt-source', 'module', 'node'] } },
  test: {
    name: 'talktable',
    include: ['test/**/*.test.ts'],
    globalSetup: ['../providers/test/support/global-postgres.ts'],
    setupFiles: ['../providers/test/support/fuzz-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
