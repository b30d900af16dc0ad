import { defineProject } from 'vitest/config';

/** The same suite on a store whose database is PostgreSQL. */
export default defineProject({
  ssr: { resolve: { conditions: ['vizprompt-source', 'module', 'node'] } },
  test: {
    name: 'memory (PostgreSQL)',
    include: ['test/**/*.test.ts'],
    exclude: ['test/sqlite/**', 'test/diff.test.ts'],
    globalSetup: ['../providers/test/support/global-postgres.ts'],
    provide: { database: 'PostgreSQL' },
    setupFiles: ['../providers/test/support/fuzz-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
