import { defineProject } from 'vitest/config';

export default defineProject({
  ssr: { resolve: { conditions: ['vizprompt-source', 'module', 'node'] } },
  test: {
    name: 'cli',
    include: ['test/**/*.test.ts'],
    globalSetup: ['../providers/test/support/global-postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
