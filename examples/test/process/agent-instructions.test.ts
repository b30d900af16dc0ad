import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../', import.meta.url));
const guides = join(repository, 'docs/guides');
const binOf = (tool: string): string => join(repository, 'packages/cli/dist/bin', `${tool}.cjs`);

const pages = await Promise.all(
  ['agent-instructions.md', 'ja/agent-instructions.md'].map((name) =>
    readFile(join(guides, name), 'utf8'),
  ),
);

/** Returns the texts to paste, by what they are for. */
function instructionsOf(page: string): ReadonlyMap<string, string> {
  const blocks = page.matchAll(/<!-- instructions: (.+?) -->\n\n```md\n([^]*?)^```/gm);
  return new Map([...blocks].map(([, name = '', text = '']) => [name, text]));
}

/** Lists the text between backticks, without the placeholders in it. */
function spansOf(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

/** Returns a command of a command line with its options, as `ptta log:edit --action`: those to type, not those in prose. */
function commandsIn(text: string): ReadonlySet<string> {
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, code = '']) => code);
  const code = [...blocks, ...spansOf(text)].join('\n');
  const calls = code.matchAll(/\b(vizprompt|ptta|dialogoi|talktable) ([a-z]+(?:[:-][a-z]+)?)(.*)/g);
  return new Set(
    [...calls].flatMap(([, tool, command, rest = '']) => {
      const [own = ''] = rest.split(/ #| -- |[;|]/, 1);
      const options = [...own.matchAll(/--[a-z-]+/g)].map(([option]) => option);
      return [`${tool} ${command}`, ...options.map((option) => `${tool} ${command} ${option}`)];
    }),
  );
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-instructions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const helps = new Map<string, Promise<string>>();

/** Returns the help of a command, which each is asked for once. */
function helpOf(...args: readonly string[]): Promise<string> {
  const key = args.join(' ');
  const [tool = '', ...words] = args;
  const ask = async (): Promise<string> =>
    (await run(process.execPath, [binOf(tool), ...words, '--help'])).stdout;
  const help = helps.get(key) ?? ask();
  helps.set(key, help);
  return help;
}

describe('the instructions for agents', () => {
  it('are the same in both languages: names, commands and tools', () => {
    const [en, ja] = pages.map(instructionsOf);
    expect([...(en?.keys() ?? [])]).toEqual(['memory-mcp', 'memory-commands', 'novel-mcp']);
    expect([...(ja?.keys() ?? [])]).toEqual([...(en?.keys() ?? [])]);
    for (const [name, text] of en ?? []) {
      const other = ja?.get(name) ?? '';
      expect(commandsIn(other)).toEqual(commandsIn(text));
      const names = (of: string): string[] => spansOf(of).filter((span) => /^\w+$/.test(span));
      expect(new Set(names(other))).toEqual(new Set(names(text)));
    }
  });

  it('and all guides name commands and options that there are', async () => {
    const names = await readdir(guides, { recursive: true });
    const texts = await Promise.all(
      names
        .filter((name) => name.endsWith('.md'))
        .map((name) => readFile(join(guides, name), 'utf8')),
    );
    const named = new Set(texts.flatMap((text) => [...commandsIn(text)]));
    expect(named).toContain('ptta log:intention --reason');
    expect(named).toContain('talktable resume');
    const lists = new Map<string, string>();
    for (const tool of ['vizprompt', 'ptta', 'dialogoi', 'talktable']) {
      lists.set(tool, await helpOf(tool));
    }
    const missing: string[] = [];
    for (const one of named) {
      const [tool = '', command = '', option] = one.split(' ');
      const isThere = option
        ? new RegExp(`${option}\\b`).test(await helpOf(tool, command))
        : new RegExp(`^ +${command}\\b`, 'm').test(lists.get(tool) ?? '');
      if (!isThere) missing.push(one);
    }
    expect(missing).toEqual([]);
  });

  it.each(pages.map((page, at) => [['English', 'Japanese'][at], page] as const))(
    'can be followed as written: the commands in %s',
    async (_, page) => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'a.txt'), 'one\n');
      await writeFile(join(folder, 'answer.md'), '答え\n');
      const ptta = `'${process.execPath}' '${binOf('ptta')}' `;
      const type = async (line: string): Promise<string> => {
        const command = line.replaceAll('<file>', 'a.txt').replaceAll(/<[^<> ][^<>]*>/g, '認証');
        const env = { PATH: process.env['PATH'], HOME: folder };
        const words = ['-c', command.replace(/^ptta /, ptta)];
        return (await run('bash', words, { cwd: folder, env })).stdout;
      };
      const lines = spansOf(instructionsOf(page).get('memory-commands') ?? '');
      for (const line of lines.filter((one) => one.startsWith('ptta '))) await type(line);
      const logged = await type('ptta history --json');
      const types = new Set([...logged.matchAll(/"type":"(\w+)"/g)].map(([, name]) => name));
      expect([...types]).toEqual([
        'user_message',
        'assistant_message',
        'thinking',
        'code_intention',
        'file_edit',
      ]);
    },
  );

  it.each([
    ['memory-mcp', 'ptta'],
    ['novel-mcp', 'dialogoi'],
  ])('%s names tools of `%s mcp` that there are', async (name, tool) => {
    const folder = await temporaryFolder();
    const args = [binOf(tool), 'mcp', ...(tool === 'dialogoi' ? ['--project-root', folder] : [])];
    const client = new Client({ name: 'test', version: '1' });
    onTestFinished(() => client.close());
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: folder, env }),
    );
    const { tools } = await client.listTools();
    // Tools, their arguments, and the values and fields that these may have.
    const told = JSON.stringify(tools.map((one) => [one.name, one.inputSchema]));
    const known = new Set(told.match(/\w+/g));
    for (const page of pages) {
      const names = spansOf(instructionsOf(page).get(name) ?? '').filter(
        (span) => /^\w+$/.test(span) && span !== tool,
      );
      expect(names.length).toBeGreaterThan(8);
      expect(names.filter((one) => !known.has(one))).toEqual([]);
    }
  });
});
