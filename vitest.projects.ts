import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { PGBOUNCER } from './packages/providers/test/support/pgbouncer.ts';

/**
 * The tiers. The folder of a test (`test/TIER/`) is its tier; CONTRIBUTING.md says which belongs where.
 * A limit is generous on purpose: it ends a test that hangs, and never judges one that is slow.
 */
const TIERS: Readonly<Record<string, TierOptions>> = {
  unit: { seconds: 300, isolate: false, isInMemory: true },
  contract: { seconds: 300, isolate: false, isInMemory: true },
  smoke: { seconds: 300, isolate: true, isInMemory: false },
  process: { seconds: 300, isolate: true, isInMemory: false },
  soak: { seconds: 3600, isolate: true, isInMemory: false },
};

interface TierOptions {
  /** The limit of a test. */
  readonly seconds: number;
  /** Whether each file has modules of its own. */
  readonly isolate: boolean;
  /** Whether temporary files go to a folder in memory. */
  readonly isInMemory: boolean;
}

type TestOptions = NonNullable<TestProjectInlineConfiguration['test']>;

/**
 * A folder in memory for temporary files, where there is one with room: half of the time of a test that
 * writes small files goes into waiting for the disk, which proves nothing unless something is killed.
 */
const MEMORY_FOLDER = hasRoom('/dev/shm') ? '/dev/shm' : undefined;

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
  rag: part('packages/rag', { globalSetup: [POSTGRES, DICTIONARY] }),
  memory: part('packages/memory', { globalSetup: [POSTGRES], provide: { database: 'SQLite' } }),
  workflow: part('packages/workflow', { globalSetup: [POSTGRES] }),
  talktable: part('packages/talktable', { globalSetup: [POSTGRES] }),
  cli: part('packages/cli', { globalSetup: [POSTGRES, DICTIONARY] }),
  examples: { ...part('examples', { globalSetup: [POSTGRES] }), usesSources: false },
};

/** A project for each tier of each part (`unit-rag`, `process-cli`), and those of the matrix. */
export const testProjects: TestProjectInlineConfiguration[] = [
  ...Object.entries(PARTS).flatMap(([name, { folder }]) =>
    Object.keys(TIERS)
      .map((tier) => ({ tier, folders: foldersOf(folder, tier) }))
      .filter(({ folders }) => folders.length > 0)
      .map(({ tier, folders }) => projectOf(`${tier}-${name}`, name, tier, folders.map(testsOf))),
  ),
  ...matrix(),
];

/** The same tests once more: on another database, or on the newer generation of each SDK; and what is packed elsewhere. */
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
  // The tests of the unit tier share modules there, too.
  const shared = { isolate: false } as const;
  const onPostgres = { ...shared, provide: { database: 'PostgreSQL' } } as const;
  return [
    projectOf(
      'contract-memory-postgres',
      'memory',
      'contract',
      ['test/contract/**/*.test.ts'],
      onPostgres,
    ),
    projectOf('contract-core-postgres', 'core', 'contract', ['test/contract/**/*.test.ts'], {
      ...onPostgres,
      exclude: ['test/contract/storages.test.ts'],
    }),
    ...poolers(),
    // The suites of the engine, which the contract tests run on SQLite, on its other runtimes.
    projectOf('matrix-workflow-runtimes', 'workflow', 'contract', ['test/matrix/**/*.test.ts']),
    // What opens no storage of the kind that is tested would be the same once more.
    projectOf('matrix-memory-postgres', 'memory', 'process', ['test/unit/**/*.test.ts'], {
      ...onPostgres,
      exclude: ['test/unit/{capture,hooks,sqlite}/**'],
    }),
    projectOf(
      'matrix-core-postgres',
      'core',
      'process',
      ['test/unit/**/*.test.ts', 'test/process/structure-at-once.test.ts'],
      {
        ...onPostgres,
        exclude: [
          'test/unit/websocket/**',
          'test/unit/{flow-yaml,merge-flows,node-xml,scan-node-xml,wrong-arguments,context-properties}.test.ts',
          // What reads and repairs texts: the suites of storages test that they are stored.
          'test/unit/import-{archives,chats,links,odd,sources,table,zips}.test.ts',
          'test/unit/repair-{in-place,properties}.test.ts',
        ],
      },
    ),
    // Suites of frameworks, which take `describe` and `expect` from their runner.
    projectOf('matrix-providers-frameworks', 'providers', 'process', ['test/matrix/**/*.test.ts'], {
      globals: true,
    }),
    projectOf('matrix-core-frameworks', 'core', 'process', ['test/matrix/**/*.test.ts']),
    ...nodeSqliteProjects(),
    {
      ...projectOf(
        'matrix-core-newer-sdks',
        'core',
        'process',
        [
          'test/unit/ai-sdk/**/*.test.ts',
          'test/unit/bridges/agents-session.test.ts',
          'test/matrix/random-chats.test.ts',
        ],
        shared,
      ),
      ...aliased(['@openai/agents-core', 'ai'], generations),
    },
    // The packed packages in other runtimes and tools, which are downloaded.
    projectOf('installs-examples', 'examples', 'process', ['test/matrix/**/*.test.ts'], {
      globalSetup: [],
    }),
    {
      ...projectOf(
        'matrix-providers-newer-sdks',
        'providers',
        'process',
        ['test/*/models/**/*.test.ts'],
        {
          ...shared,
          exclude: ['test/unit/models/middleware/**', 'test/unit/models/fake-llm-faults.test.ts'],
          provide: { sdkFolder: generations },
        },
      ),
      ...aliased(newer, generations),
    },
  ];
}

/** Resolves packages to those of another folder. */
function aliased(
  names: readonly string[],
  folder: string,
): Pick<TestProjectInlineConfiguration, 'resolve'> {
  const alias = names.map((name) => ({
    find: new RegExp(`^${name}(?=/|$)`),
    replacement: `${folder}/node_modules/${name}`,
  }));
  // Of a folder the resolver reads no exports.
  const test = { find: /^ai\/test$/, replacement: `${folder}/node_modules/ai/dist/test/index.js` };
  return { resolve: { alias: [test, ...alias] } };
}

/** The suites of PostgreSQL by other routes: a connection string with options, and poolers where there is one. */
function poolers(): TestProjectInlineConfiguration[] {
  const routes = [
    'options',
    ...(PGBOUNCER === undefined ? [] : (['transaction', 'session'] as const)),
  ] as const;
  return routes.map((postgresRoute) =>
    projectOf(
      `matrix-providers-postgres-${postgresRoute}`,
      'providers',
      'contract',
      ['test/contract/{storage-postgres,vectors-postgres,purge-postgres,copy-storage}.test.ts'],
      {
        globalSetup: [setupFile('providers', 'global-pooled-postgres')],
        provide: { postgresRoute },
      },
    ),
  );
}

/**
 * Unit and contract tests and kill loops on the SQLite of Node, where it has one that is new enough; at night, many
 * rounds of the kill loops.
 */
function nodeSqliteProjects(): TestProjectInlineConfiguration[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 16)) return [];
  const kills = 'process/kills';
  const onNodeSqlite = { env: { VIZPROMPT_SQLITE: 'node:sqlite' } } as const;
  return Object.keys(PARTS)
    .filter((name) => name !== 'examples')
    .flatMap((name) => {
      // The command lines are tested with the packages that they call.
      const folders = name === 'cli' ? [kills] : ['unit', 'contract', kills];
      const projects = [
        ['matrix', 'process', folders],
        ['soak', 'soak', [kills]],
      ] as const;
      return projects.map(([prefix, tier, own]) =>
        projectOf(
          `${prefix}-${name}-node-sqlite`,
          name,
          tier,
          own.map((folder) => testsOf(`test/${folder}`)),
          onNodeSqlite,
        ),
      );
    });
}

/** The kill loops belong to two tiers: a few rounds with every change, and many at night. */
function foldersOf(folder: string, tier: string): string[] {
  const names = tier === 'soak' ? ['test/soak', 'test/process/kills'] : [`test/${tier}`];
  return names.filter((name) => existsSync(absolute(`${folder}/${name}`)));
}

function testsOf(folder: string): string {
  return `${folder}/**/*.test.ts`;
}

function projectOf(
  name: string,
  partName: string,
  tier: string,
  include: string[],
  test: TestOptions = {},
): TestProjectInlineConfiguration {
  const [partOfName, limits] = [PARTS[partName], TIERS[tier]];
  if (!partOfName || !limits) throw new Error(`there is no part '${partName}' or tier '${tier}'`);
  const { folder, usesSources, test: own } = partOfName;
  const { seconds, isolate, isInMemory } = limits;
  return {
    // One root for all, so that what is transformed for one project is there for the others.
    root: absolute('.'),
    // As Node resolves, which loads what is not of these packages: it knows no condition "module".
    ...(usesSources && { ssr: { resolve: { conditions: ['vizprompt-source', 'node'] } } }),
    test: {
      name,
      dir: absolute(folder),
      include,
      isolate,
      setupFiles: [setupFile('providers', 'before-each-file')],
      ...(MEMORY_FOLDER !== undefined && isInMemory && { env: { TMPDIR: MEMORY_FOLDER } }),
      testTimeout: seconds * 1000,
      hookTimeout: seconds * 1000,
      expect: { poll: { timeout: seconds * 900, interval: 10 } },
      ...own,
      // Unit tests use no PostgreSQL, so a run of them alone starts none.
      globalSetup: [own.globalSetup ?? []]
        .flat()
        .filter((file) => tier !== 'unit' || file !== POSTGRES),
      ...test,
      provide: { ...own.provide, ...test.provide },
    },
  };
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 2 ** 30;
  } catch {
    return false;
  }
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
