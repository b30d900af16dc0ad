// The pages about protocols name all that the code has, and nothing else.
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { MemoryStore } from '@vizprompt/memory';
import { createMemoryApp } from '@vizprompt/memory/http';
import { createMemoryMcpServer } from '@vizprompt/memory/mcp';
import { inMemoryStorage, sqliteDatabase } from '@vizprompt/providers/node';
import { loadRagConfig, NovelService, segmenterAnalyzer } from '@vizprompt/rag';
import { createNovelMcpServer } from '@vizprompt/rag/mcp';
import { scriptedModel } from '@vizprompt/providers/testing';
import { ConversationManager } from '@vizprompt/talktable';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
type Named = Readonly<Record<string, readonly string[]>>;

interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Returns the rows of the first table after a heading: their cells. */
async function tableOf(page: string, heading: string): Promise<readonly (readonly string[])[]> {
  const text = await readFile(join(root, 'docs/formats', page), 'utf8');
  const section = text.slice(text.indexOf(`\n${heading}\n`) + 1);
  const [, , ...rows] = /(?:^\|.*\n)+/m.exec(section)?.[0].trim().split('\n') ?? [];
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Returns the names in a cell, each as it is written: `limit?`. Values in parentheses are none. */
function namesIn(cell = ''): readonly string[] {
  const bare = cell.replaceAll(/\([^)]*\)/g, '');
  return Array.from(bare.matchAll(/`([^`]+)`/g), ([, name]) => name ?? '').toSorted();
}

function keysOf({ properties = {}, required = [] }: Schema): readonly string[] {
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .toSorted();
}

/** Lists the keys of a schema and of the objects in it, at any depth. */
function allKeysOf(schema: Schema): readonly string[] {
  const below = Object.values(schema.properties ?? {}).flatMap((property) =>
    allKeysOf(property.items ?? property),
  );
  return [...new Set([...keysOf(schema), ...below])].toSorted();
}

async function clientOf(
  server: Awaited<ReturnType<typeof createMemoryMcpServer>>,
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return client;
}

async function memoryTools(): Promise<Client> {
  const store = await MemoryStore.open({ path: ':memory:' });
  onTestFinished(() => store.close());
  return clientOf(await createMemoryMcpServer(store));
}

async function novelTools(): Promise<Client> {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'novels'));
  const config = await loadRagConfig({ cwd, env: {} });
  const service = await NovelService.open({ config, analyzer: segmenterAnalyzer() });
  onTestFinished(() => service.close());
  return clientOf(await createNovelMcpServer(service));
}

describe.each([
  ['memory-mcp.md', '# The MCP tools of a memory', memoryTools],
  ['rag-mcp.md', '## Tools', novelTools],
])('the tools in %s', (page, heading, open) => {
  it('are those of the server, with their inputs', async () => {
    const { tools } = await (await open()).listTools();
    const actual: Named = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, keysOf(inputSchema as Schema)]),
    );
    const rows = await tableOf(page, heading);
    let last: readonly string[] = [];
    const written: Named = Object.fromEntries(
      rows.map(([tool = '', input]) => {
        if (input !== 'the same') last = namesIn(input);
        return [namesIn(tool)[0], last];
      }),
    );
    expect(written).toEqual(actual);
  });

  it('have results with these fields', async () => {
    const { tools } = await (await open()).listTools();
    const rows = await tableOf(page, '## Results');
    const shared = page === 'memory-mcp.md' ? EVENT : ['nextOffset?', 'total'];
    const problems = tools.flatMap(({ name, outputSchema }) => {
      const row = rows.find(([cell = '']) =>
        namesIn(cell).some((tool) => (tool.endsWith('_') ? name.startsWith(tool) : name === tool)),
      );
      const actual = allKeysOf(outputSchema as Schema);
      const said = namesIn(row?.[1]);
      const known = [...said, ...shared, ...(said.includes('session_start') ? SESSION : [])];
      return [
        ...actual.filter((key) => !known.includes(key)).map((key) => `${name} lacks ${key}`),
        ...said
          .filter((key) => key !== 'session_start' && !actual.includes(key))
          .map((key) => `${name} has no ${key}`),
      ];
    });
    expect(problems).toEqual([]);
  });
});

const EVENT = ['event_id', 'session_id', 'sequence', 'timestamp', 'type'];
const SESSION = 'session_id workspace started_at ended_at event_count metadata damaged?'.split(' ');

describe('memory-http.md', () => {
  const openapi = async (): Promise<OpenApi> => {
    const store = await MemoryStore.open({ path: ':memory:' });
    onTestFinished(() => store.close());
    const app = await createMemoryApp(store);
    const answer = await app.request('http://127.0.0.1/api/openapi.json');
    return (await answer.json()) as OpenApi;
  };

  it('names the routes of the server, with their queries', async () => {
    const { paths } = await openapi();
    const actual: Named = Object.fromEntries(
      Object.entries(paths).flatMap(([path, verbs]) =>
        Object.entries(verbs).map(([verb, { parameters = [] }]) => [
          `${verb.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
          parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])).toSorted(),
        ]),
      ),
    );
    const rows = await tableOf('memory-http.md', '# The REST API of a memory');
    const written = Object.fromEntries(
      rows.map(([route = '', query]) => [namesIn(route)[0], namesIn(query)]),
    );
    expect(written).toEqual(actual);
  });

  it('names the fields of what is sent and answered', async () => {
    const { paths, components } = await openapi();
    const schemaOf = (content: Content): Schema =>
      content['application/json']?.schema ?? content['application/problem+json']?.schema ?? {};
    const operations = Object.values(paths).flatMap((verbs) => Object.values(verbs));
    const bodies = operations.flatMap(({ requestBody }) =>
      requestBody ? keysOf(schemaOf(requestBody.content)) : [],
    );
    const answers = operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        status.startsWith('2') ? allKeysOf(schemaOf(content)) : [],
      ),
    );
    const things = ['Session', 'Event'].flatMap((name) => keysOf(components.schemas[name] ?? {}));
    const page = await readFile(join(root, 'docs/formats/memory-http.md'), 'utf8');
    const missing = [...new Set([...bodies, ...answers, ...things])].filter(
      (key) => !new RegExp(`[\`{ ,]${unmarked(key)}\\b`).test(page),
    );
    expect(missing).toEqual([]);
    expect(bodies.length + answers.length + things.length).toBeGreaterThan(40);
  });
});

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

describe('the messages in websocket.md', () => {
  it('are the actions and events of the protocol, with their fields', async () => {
    const file = join(root, 'packages/vizprompt-core/asyncapi.json');
    const { components } = JSON.parse(await readFile(file, 'utf8')) as {
      readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
    };
    const dataOf = (name: string): readonly string[] => {
      const data = components.schemas[name]?.properties?.['data'];
      return data ? keysOf(data) : [];
    };
    const actions = await tableOf('websocket.md', '## Actions');
    const known = Object.keys(components.schemas).filter((name) =>
      Object.hasOwn(components.schemas, `${name}_result`),
    );
    expect(actions.flatMap(([name]) => namesIn(name)).toSorted()).toEqual(known.toSorted());
    const short = ['those of asking', 'one at least of', 'what else'];
    const whole = actions.filter(([, data = '']) => !short.some((words) => data.includes(words)));
    expect(tableByName(whole)).toEqual(
      Object.fromEntries(whole.flatMap(([name]) => namesIn(name).map((one) => [one, dataOf(one)]))),
    );
    const missing = actions.flatMap(([name, , result = '']) =>
      namesIn(name).flatMap((action) =>
        dataOf(`${action}_result`)
          .filter((field) => result !== 'the same' && !result.includes(`\`${unmarked(field)}\``))
          .map((field) => `the answer of ${action} has ${field}`),
      ),
    );
    expect(missing).toEqual([]);
    const events = await tableOf('websocket.md', '## Events');
    expect(tableByName(events)).toEqual(
      Object.fromEntries(
        events.flatMap(([name]) => namesIn(name).map((one) => [one, dataOf(one)])),
      ),
    );
  });
});

/** Returns the names in the second cell by those in the first. */
function tableByName(rows: readonly (readonly string[])[]): Named {
  return Object.fromEntries(
    rows.flatMap(([names, data]) => namesIn(names).map((name) => [name, namesIn(data)])),
  );
}

function unmarked(field: string): string {
  return field.replace('?', '');
}

describe('the keys in workflow.md', () => {
  it('are those of the JSON Schema', async () => {
    const file = join(root, 'packages/workflow/workflow.schema.json');
    const page = await readFile(join(root, 'docs/formats/workflow.md'), 'utf8');
    const keys = new Set<string>();
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, below] of Object.entries(value)) {
        if (key === 'properties') for (const name of Object.keys(Object(below))) keys.add(name);
        collect(below);
      }
    };
    collect(JSON.parse(await readFile(file, 'utf8')));
    expect(keys.size).toBeGreaterThan(50);
    // A key is code, alone or at the beginning of its value: `{ goto: STEP }`.
    const isNamed = (key: string): boolean =>
      new RegExp(`\\\`(?:\\{ )?${key.replace('$', '\\$')}\\b`).test(page);
    expect([...keys].filter((key) => !isNamed(key))).toEqual([]);
  });
});

describe('the pages of options', () => {
  /** Another name of `DictionaryOptions`, and a type of the AI SDK. */
  const NO_TABLE = new Set(['CompactAnalyzerOptions', 'EmbeddingModelV3CallOptions']);
  /** Types that hold options, by their names. */
  const HOLDS_OPTIONS =
    /^export interface (\w*(?:Options|Config|Settings|Limits|Timeouts))\b[^{]*\{\n([^]*?)^\}/gm;

  it.each(['core', 'memory', 'providers', 'rag', 'talktable', 'workflow'])(
    'name every option of %s',
    async (name) => {
      const surface = await readFile(join(root, `api/${name}.api.ts`), 'utf8');
      const actual: Named = Object.fromEntries(
        Array.from(surface.matchAll(HOLDS_OPTIONS), ([, type = '', body = '']) => [
          type,
          Array.from(body.matchAll(/^ {4}(?:readonly )?(\w+)\??[:(<]/gm), ([, key = '']) => key),
        ]),
      );
      expect(Object.keys(actual).length).toBeGreaterThan(5);
      const page = await readFile(join(root, `docs/options/${name}.md`), 'utf8');
      const tables = page.matchAll(/^<!-- options: \S+#(\w+) -->\n\n((?:\|.*\n)+)/gm);
      const written: Named = Object.fromEntries(
        Array.from(tables, ([, type = '', table = '']) => [
          type,
          // Options in others, such as `context.turns`, are listed besides.
          Array.from(table.matchAll(/^\| `(\w+)` +\|/gm), ([, key = '']) => key).slice(1),
        ]),
      );
      const types = Object.keys(actual);
      expect(Object.fromEntries(types.map((type) => [type, written[type]]))).toEqual(actual);
    },
  );

  it.each(['core', 'memory', 'providers', 'rag', 'talktable', 'workflow'])(
    'have a table of each options type that %s names, exported or not',
    async (name) => {
      const surface = await readFile(join(root, `api/${name}.api.ts`), 'utf8');
      const named = new Set(
        surface.match(/\b[A-Z]\w*(?:Options|Config|Settings|Limits|Timeouts)\b/g),
      );
      const pages = await readdir(join(root, 'docs/options'));
      const texts = pages.map((page) => readFile(join(root, 'docs/options', page), 'utf8'));
      const written = new Set(
        (await Promise.all(texts)).flatMap((text) =>
          Array.from(text.matchAll(/^<!-- options: \S+#(\w+) -->$/gm), ([, type = '']) => type),
        ),
      );
      expect(named.size).toBeGreaterThan(5);
      expect([...named].filter((type) => !written.has(type) && !NO_TABLE.has(type))).toEqual([]);
    },
  );

  it('name every variable of the environment', async () => {
    const page = await readFile(join(root, 'docs/options/README.md'), 'utf8');
    const reads = /\benv\['([A-Z_]+)'\]|\bkeyName: '([A-Z_]+)'/g;
    const names = new Set<string>();
    for (const name of await readdir(join(root, 'packages'))) {
      const source = join(root, 'packages', name, 'src');
      for (const path of await readdir(source, { recursive: true })) {
        if (!path.endsWith('.ts')) continue;
        const text = await readFile(join(source, path), 'utf8');
        for (const [, variable, key] of text.matchAll(reads)) names.add(variable ?? key ?? '');
      }
    }
    expect(names.size).toBeGreaterThan(10);
    expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('the architecture', () => {
  it('names every folder of every package', async () => {
    const page = await readFile(join(root, 'docs/architecture.md'), 'utf8');
    const missing: string[] = [];
    for (const name of await readdir(join(root, 'packages'))) {
      const entries = await readdir(join(root, 'packages', name, 'src'), { withFileTypes: true });
      const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
      const unnamed = folders.filter((folder) => !new RegExp(`(?<![\\w-])${folder}/`).test(page));
      missing.push(...unnamed.map((folder) => `${name}/src/${folder}`));
    }
    expect(missing).toEqual([]);
  });
});

describe('the tables', () => {
  const COLUMNS = 'SELECT name, type, "notnull" AS required FROM pragma_table_info(?) ORDER BY cid';

  it('of memory.md are those of a memory', async () => {
    const page = await readFile(join(root, 'docs/formats/memory.md'), 'utf8');
    const [, sql = ''] = /```sql\n([^]*?)```/.exec(page) ?? [];
    const written = sqliteDatabase({ path: ':memory:' });
    onTestFinished(() => written.close());
    for (const statement of sql.split(';\n')) {
      if (statement.trim() !== '') await written.execute(statement);
    }
    await using storage = await inMemoryStorage();
    await (await MemoryStore.open({ storage })).close();
    const tables = await written.query<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'memory%' ORDER BY name",
    );
    expect(tables.map(({ name }) => name)).toEqual(
      ['blobs', 'events', 'sessions', 'workspaces'].map((name) => `memory_${name}`),
    );
    for (const { name } of tables) {
      const columns = await written.query(COLUMNS, [name]);
      expect(columns).toEqual(await storage.database.query(COLUMNS, [name]));
    }
  });

  it('of talktable-log.md are those of a log', async () => {
    await using storage = await inMemoryStorage();
    const participants = ['猫派', '犬派'].map((name) => ({ name, model: scriptedModel(['。']) }));
    const config = { topic: '猫と犬', participants, rounds: 1 };
    await (await ConversationManager.open(config, { storage })).close();
    for (const table of ['conversation_log', 'conversation_meta']) {
      const columns = await storage.database.query<{ name: string }>(COLUMNS, [table]);
      const rows = await tableOf('talktable-log.md', `## \`${table}\``);
      const written = rows.flatMap(([cell]) => namesIn(cell));
      expect(columns.map(({ name }) => name).toSorted()).toEqual(written.toSorted());
    }
  });
});

describe('the page about tested agents', () => {
  it('has the versions that are installed', async () => {
    const page = await readFile(join(root, 'docs/agents-tested.md'), 'utf8');
    const versions = await readFile(
      join(root, 'packages/memory/test/agents/versions.json'),
      'utf8',
    );
    const installed = Array.from(versions.matchAll(/"version": "([^"]+)"/g), ([, one]) => one);
    const named = Array.from(page.matchAll(/^\| [A-Z]?\w.*? \| (\d+\.\S+) /gim), ([, one]) => one);
    expect(named).toEqual(installed);
  });
});
