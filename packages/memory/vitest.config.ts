import { defineProject } from 'vitest/config';

export default defineProject({
  ssr: { resolve: { conditions: ['vizprompt-source', 'module', 'node'] } },
  test: {
    name: 'memory',
    include: ['test/**/*.test.ts'],
    provide: { database: 'SQLite' },
    setupFiles: ['../providers/test/support/fuzz-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
