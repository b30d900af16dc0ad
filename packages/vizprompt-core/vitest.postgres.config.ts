import { defineProject } from 'vitest/config';

/** The tests of edits, undo and repair once more, on projects whose database is PostgreSQL. */
export default defineProject({
  ssr: { resolve: { conditions: ['vizprompt-source', 'module', 'node'] } },
  test: {
    name: 'vizprompt-core (PostgreSQL)',
    include: ['test/structure*.test.ts', 'test/check.test.ts', 'test/repair-properties.test.ts'],
    globalSetup: ['../providers/test/support/global-postgres.ts'],
    provide: { database: 'PostgreSQL' },
    setupFiles: ['../providers/test/support/fuzz-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
