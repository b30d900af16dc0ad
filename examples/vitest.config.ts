import { defineProject } from 'vitest/config';

export default defineProject({
  test: {
    name: 'examples',
    include: ['test/**/*.test.ts'],
    globalSetup: ['../packages/providers/test/support/global-postgres.ts'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 5000 } },
  },
});
