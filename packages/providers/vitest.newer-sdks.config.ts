import { fileURLToPath } from 'node:url';
import { defineProject } from 'vitest/config';

const NEWER = [
  '@ai-sdk/openai-compatible',
  '@ai-sdk/provider',
  '@google/genai',
  'ai',
  'ollama',
  'openai',
];
const folder = fileURLToPath(new URL('test/generations/node_modules/', import.meta.url));

/** The tests of models once more, on the newer generation of each SDK. */
export default defineProject({
  ssr: { resolve: { conditions: ['vizprompt-source', 'node'] } },
  resolve: {
    alias: NEWER.map((name) => ({
      find: new RegExp(`^${name}(?=/|$)`),
      replacement: folder + name,
    })),
  },
  test: {
    name: 'providers (newer SDKs)',
    include: ['test/models/**/*.test.ts'],
    exclude: ['test/models/middleware/**', 'test/models/fake-llm-faults.test.ts'],
    provide: { sdkFolder: fileURLToPath(new URL('test/generations', import.meta.url)) },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
