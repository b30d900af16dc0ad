import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { MemoryStore } from '@vizprompt/memory';
import { createId } from '@vizprompt/providers';
import { startFakeLLM, type FakeLLM } from '@vizprompt/providers/testing';
import { loadTalkConfig } from '@vizprompt/talktable/config';
import { lint } from '@vizprompt/workflow';
import pg from 'pg';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { Program, runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const snippets = join(root, 'examples/snippets');
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Where a program runs: a folder of its own, which is its home, too. */
let folder = '';
let llm: FakeLLM;
let env: Readonly<Record<string, string>> = {};

beforeEach(async () => {
  folder = await temporaryFolder();
  llm = await startFakeLLM({ answer: 'はい、とても好きです。' });
  onTestFinished(() => llm.close());
  env = {
    HOME: folder,
    // The dictionary of rag is compiled once.
    XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    OLLAMA_HOST: llm.url,
    DATABASE_URL: inject('databaseUrl'),
  };
});

/** Returns the output of a program that ends well. */
async function output(file: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram(folder, file, { env });
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${stderr}`);
  return stdout;
}

describe('the code of the README', () => {
  it.each([
    ['snippets/models.ts', 'Yes, very much.', "{ names: [ 'Tama', 'Mike' ] } 2\n"],
    ['snippets/ja/models.ts', 'はい、とても好きです。', "{ names: [ 'タマ', 'ミケ' ] } 2\n"],
  ])('of models runs: %s', async (file, answer, object) => {
    const text = await output(file);
    expect(text.startsWith(`${answer}${answer} {`)).toBe(true);
    expect(text).toContain(object);
    expect(text).toContain('it refused with status 429: Rate limit reached');
  });

  it('of tools of MCP servers runs: snippets/mcp-tools.ts', async () => {
    expect(await output('snippets/mcp-tools.ts')).toContain('まだ何もありません。 true');
  });

  it('of deleting runs: snippets/deleting.ts', async () => {
    expect(await output('snippets/deleting.ts')).toContain("place: 'nodes', count: 1");
  });

  it('of transcripts runs: snippets/transcripts.ts', async () => {
    expect(await output('snippets/transcripts.ts')).toContain('1 user 値引きを直して\nclaude-code');
  });

  it('of memory about transcripts and hooks runs: snippets/memory-capture.ts', async () => {
    expect(await output('snippets/memory-capture.ts')).toBe('1 0 {} []\n');
  });

  it('of memory on a server runs: snippets/memory-postgres.ts', async () => {
    expect(await output('snippets/memory-postgres.ts')).toContain('sessions: 0');
  });

  it.each(['snippets/memory-vectors.ts', 'snippets/ja/memory-vectors.ts'])(
    'of memory by meaning runs: %s',
    async (file) => {
      expect(await output(file)).toBe('[]\n');
    },
  );

  it('of rag in plain JavaScript runs: snippets/rag/plain.mjs', async () => {
    expect(await output('snippets/rag/plain.mjs')).toContain('chunks: 0');
  });

  it('of memory as a hook runs: snippets/memory-hook.ts', async () => {
    const prompt = { hook_event_name: 'UserPromptSubmit', prompt: '値引きを直して' };
    const input = JSON.stringify({ session_id: 's', cwd: folder, ...prompt });
    const hook = new Program('snippets/memory-hook.ts', { cwd: folder, env, input });
    expect((await hook.ended).code).toBe(0);
    await using store = await MemoryStore.open({ path: join(folder, '.ptta/ptta.db') });
    expect(await store.search('値引き', { workspace: folder })).toHaveLength(1);
  });

  it('of memory over MCP runs: snippets/memory-mcp.ts', async () => {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const server = new Program('snippets/memory-mcp.ts', { cwd: folder, env });
    server.child.stdin?.write(`${JSON.stringify(message)}\n`);
    const [line] = await server.said(/^.*(?=\n)/);
    expect(JSON.parse(line)).toMatchObject({ result: { serverInfo: { name: 'ptta' } } });
    server.child.stdin?.end();
    expect((await server.ended).code).toBe(0);
  });

  it('of workflows on DBOS runs: snippets/workflow-dbos.ts', async () => {
    const url = await newDatabase();
    const module = JSON.stringify(join(snippets, 'workflow-dbos.ts'));
    const main = join(folder, 'main.mts');
    const lines = [`import * as dbos from ${module};`, 'await dbos.workWithin(process.argv[2]);'];
    await writeFile(main, lines.join('\n'));
    const where = { cwd: folder, env: { ...process.env, ...env } };
    const { stdout } = await run(process.execPath, ['--import', tsx, main, url], where);
    expect(stdout).toBe('');
  });
});

/** Returns a database of its own, so that workers of other tests lead none of its runs. */
async function newDatabase(): Promise<string> {
  const connectionString = inject('databaseUrl');
  const name = `snippets_${createId().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(connectionString), { pathname: `/${name}` }).href;
}

const CLIENT = { name: 'x', version: '1' };

describe('the YAML of the README', () => {
  it.each([
    ['snippets/talk-short.yaml', 'cats'],
    ['snippets/talk-ollama.yaml', 'cats'],
    ['snippets/talk.yaml', 'cats'],
    ['snippets/ja/talk-short.yaml', '猫と犬'],
    ['snippets/ja/talk-ollama.yaml', '猫と犬'],
    ['snippets/ja/talk.yaml', '猫と犬'],
  ])('is a talk: %s', async (file, topic) => {
    expect((await loadTalkConfig(join(root, 'examples', file))).topic).toContain(topic);
  });

  it.each([
    'snippets/flows.yaml',
    'snippets/panel.yaml',
    'snippets/refine.yaml',
    'snippets/ja/flows.yaml',
    'snippets/ja/daily.yaml',
  ])('is a workflow: %s', async (file) => {
    expect(await lint(join(root, 'examples', file))).toEqual([]);
  });
});

describe('each file that code in Markdown is cut from', () => {
  it('is run by a test, which names it', async () => {
    const { stdout } = await run(
      'git',
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      {
        cwd: root,
      },
    );
    const files = stdout.split('\0').filter((file) => file !== '');
    const texts = async (fits: (file: string) => boolean): Promise<readonly string[]> =>
      Promise.all(files.filter(fits).map((file) => readFile(join(root, file), 'utf8')));
    // Guides are run as they are, by guides.test.ts.
    const pages = await texts((file) => file.endsWith('.md') && !file.startsWith('docs/guides/'));
    const tests = await texts((file) => file.endsWith('.test.ts'));
    const sources = new Set(
      pages.flatMap((page) =>
        Array.from(page.matchAll(/^<!-- snippet: ([^\s#]+)/gm), ([, file]) => file ?? ''),
      ),
    );
    const all = tests.join('\n');
    const isRun = (source: string): boolean => {
      if (source.endsWith('.test.ts') || source.startsWith('docs/')) return true;
      // An example has tests of its own, which run the whole of it.
      const [, example = ''] = /^examples\/([\w-]+)\//.exec(source) ?? [];
      if (files.some((file) => isTestOf(file, example))) return true;
      const inside = source.replace(/^examples\//, '');
      if (all.includes(inside)) return true;
      // Some tests run a list of programs: `snippets/rag/${name}.ts`, and the names apart.
      return Array.from(all.matchAll(/`([\w/-]*)\$\{name\}(\.\w+)`/g)).some(([, before, after]) => {
        if (!inside.startsWith(before ?? '') || !inside.endsWith(after ?? '')) return false;
        const name = inside.slice(before?.length, -(after?.length ?? 0));
        return all.includes(`'${name}'`);
      });
    };
    expect([...sources].filter((source) => !isRun(source))).toEqual([]);
    expect(sources.size).toBeGreaterThan(50);
  });

  it('is used: no file of snippets is left over', async () => {
    const entries = await readdir(snippets, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
    const { stdout } = await run('git', ['grep', '-hoE', 'snippet: [^ #]+', '--', '*.md'], {
      cwd: root,
    });
    const used = new Set(stdout.split('\n').map((line) => line.replace('snippet: ', '')));
    const extra = names.filter((name) => !used.has(name) && !HELP.has(name));
    expect(extra).toEqual([]);
  });
});

/** Checks whether a file is a test of an example: `bot.test.ts`, `studio/flow.test.ts`. */
function isTestOf(file: string, example: string): boolean {
  if (example === 'snippets' || example === 'extending') return false;
  return (
    file === `examples/test/process/${example}.test.ts` ||
    file.startsWith(`examples/test/process/${example}/`)
  );
}

/** The files that snippets read. */
const HELP = new Set(
  ['panel.yaml', 'refine.yaml', 'talk.yaml', 'ja/talk.yaml'].map(
    (name) => `examples/snippets/${name}`,
  ),
);
