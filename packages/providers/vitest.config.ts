import { defineProject } from 'vitest/config';

export default defineProject({
  ssr: { resolve: { conditions: ['vizprompt-source', 'node'] } },
  test: {
    name: 'providers',
    include: ['test/**/*.test.ts'],
    globalSetup: ['./test/support/global-postgres.ts'],
    provide: { sdkFolder: import.meta.dirname },
    setupFiles: ['./test/support/fuzz-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
