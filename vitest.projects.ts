import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestProjectInlineConfiguration } from 'vitest/config';

/**
 * The tiers. The folder of a test (`test/TIER/`) is its tier; CONTRIBUTING.md says which belongs where.
 * A limit is generous on purpose: it ends a test that hangs, and never judges one that is slow.
 */
const TIERS = {
  unit: { seconds: 60, isolate: false },
  contract: { seconds: 120, isolate: false },
  smoke: { seconds: 120, isolate: true },
  process: { seconds: 180, isolate: true },
  soak: { seconds: 3600, isolate: true },
} as const;

type Tier = keyof typeof TIERS;
type TestOptions = NonNullable<TestProjectInlineConfiguration['test']>;

const POSTGRES = setupFile('providers', 'global-postgres');
const DICTIONARY = setupFile('rag', 'global-dictionary');

/** A folder with tests, and what they need besides. */
interface Part {
  readonly folder: string;
  /** Whether tests import the sources of the packages, and not what is built. */
  readonly usesSources: boolean;
  readonly test: TestOptions;
}

const PARTS: Readonly<Record<string, Part>> = {
  providers: part('packages/providers', {
    globalSetup: [POSTGRES],
    provide: { sdkFolder: absolute('packages/providers') },
  }),
  core: part('packages/vizprompt-core', { globalSetup: [POSTGRES] }),
  rag: part('packages/rag', { globalSetup: [DICTIONARY] }),
  memory: part('packages/memory', { globalSetup: [POSTGRES], provide: { database: 'SQLite' } }),
  workflow: part('packages/workflow', { globalSetup: [POSTGRES] }),
  talktable: part('packages/talktable', { globalSetup: [POSTGRES] }),
  cli: part('packages/cli', { globalSetup: [POSTGRES, DICTIONARY] }),
  examples: { ...part('examples', { globalSetup: [POSTGRES] }), usesSources: false },
};

/** A project for each tier of each part (`unit-rag`, `process-cli`), and those of the matrix. */
export const testProjects: TestProjectInlineConfiguration[] = [
  ...Object.entries(PARTS).flatMap(([name, { folder }]) =>
    (Object.keys(TIERS) as Tier[])
      .filter((tier) => existsSync(absolute(`${folder}/test/${tier}`)))
      .map((tier) => projectOf(`${tier}-${name}`, name, tier, [`test/${tier}/**/*.test.ts`])),
  ),
  ...matrix(),
];

/** The same tests once more: on another database, or on the newer generation of each SDK. */
function matrix(): TestProjectInlineConfiguration[] {
  const generations = absolute('packages/providers/test/generations');
  const newer = [
    '@ai-sdk/openai-compatible',
    '@ai-sdk/provider',
    '@google/genai',
    'ai',
    'ollama',
    'openai',
  ];
  const onPostgres = { provide: { database: 'PostgreSQL' } } as const;
  const both = ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts'];
  return [
    projectOf('matrix-memory-postgres', 'memory', 'process', both, {
      ...onPostgres,
      exclude: ['test/*/sqlite/**', 'test/unit/diff.test.ts'],
    }),
    projectOf(
      'matrix-core-postgres',
      'core',
      'process',
      [
        'test/unit/structure*.test.ts',
        'test/unit/check.test.ts',
        'test/unit/repair-properties.test.ts',
      ],
      onPostgres,
    ),
    {
      ...projectOf(
        'matrix-providers-newer-sdks',
        'providers',
        'process',
        ['test/*/models/**/*.test.ts'],
        {
          exclude: ['test/unit/models/middleware/**', 'test/unit/models/fake-llm-faults.test.ts'],
          provide: { sdkFolder: generations },
        },
      ),
      resolve: {
        alias: newer.map((name) => ({
          find: new RegExp(`^${name}(?=/|$)`),
          replacement: `${generations}/node_modules/${name}`,
        })),
      },
    },
  ];
}

function projectOf(
  name: string,
  partName: string,
  tier: Tier,
  include: string[],
  test: TestOptions = {},
): TestProjectInlineConfiguration {
  const { folder, usesSources, test: own } = PARTS[partName]!;
  const { seconds, isolate } = TIERS[tier];
  return {
    root: absolute(folder),
    ...(usesSources && {
      ssr: { resolve: { conditions: ['vizprompt-source', 'module', 'node'] } },
    }),
    test: {
      name,
      include,
      isolate,
      setupFiles: [setupFile('providers', 'fuzz-seed')],
      testTimeout: seconds * 1000,
      hookTimeout: seconds * 1000,
      expect: { poll: { timeout: (seconds * 1000) / 2 } },
      ...own,
      ...test,
      provide: { ...own.provide, ...test.provide },
    },
  };
}

function part(folder: string, test: TestOptions): Part {
  return { folder, usesSources: true, test };
}

function setupFile(packageName: string, name: string): string {
  return absolute(`packages/${packageName}/test/support/${name}.ts`);
}

function absolute(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
