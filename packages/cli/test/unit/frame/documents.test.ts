import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { dialogoi } from '../../../src/dialogoi/tool.ts';
import { buildProgram } from '../../../src/frame/build-program.ts';
import { Cli } from '../../../src/frame/cli.ts';
import { noIo } from '../../support/no-io.ts';
import {
  describeCommands,
  type CompletionCommand,
} from '../../../src/frame/completion/completion-script.ts';
import { frameEn } from '../../../src/frame/messages/en.ts';
import type { Tool, ToolMessages } from '../../../src/frame/tool.ts';
import { ptta } from '../../../src/ptta/tool.ts';
import { talktable } from '../../../src/talktable/tool.ts';
import { vizprompt } from '../../../src/vizprompt/tool.ts';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const TOOLS = [
  dialogoi as Tool<ToolMessages>,
  ptta as unknown as Tool<ToolMessages>,
  talktable as Tool<ToolMessages>,
  vizprompt as Tool<ToolMessages>,
];

/** A command in a shell block, with the remarks after it and on the lines below. */
interface Line {
  readonly where: string;
  readonly text: string;
}

/** The commands of every tool, by tool and path: `ptta log:user`, `vizprompt flow list`. */
const commands = new Map<string, CompletionCommand>();
let lines: readonly Line[] = [];

beforeAll(async () => {
  for (const tool of TOOLS) {
    const surroundings = { toolName: tool.name, language: 'en', frame: frameEn } as const;
    const cli = new Cli(tool.messages.en, { ...surroundings, io: noIo() });
    const program = buildProgram(tool, cli);
    await program.complete();
    for (const command of describeCommands(program.root)) {
      commands.set(`${tool.name} ${command.path}`.trim(), command);
    }
  }
  lines = await shellLines();
});

/** Lists the commands in the shell blocks of all documents, one a line. */
async function shellLines(): Promise<readonly Line[]> {
  const found: Line[] = [];
  for (const file of await documentsBelow(root)) {
    const text = await readFile(join(root, file), 'utf8');
    for (const { index, 1: block = '' } of text.matchAll(/^```(?:sh|console)\n([^]*?)^```/gm)) {
      const first = text.slice(0, index).split('\n').length + 1;
      // Remarks that continue below belong to the command above.
      const joined = block.replaceAll(/\n {4,}(?=#)/g, ' ');
      for (const line of joined.split('\n')) found.push({ where: `${file}:${first}`, text: line });
    }
  }
  return found;
}

/** Returns the Markdown files of a folder, except for those that git ignores. */
async function documentsBelow(folder: string): Promise<readonly string[]> {
  const ignored = await readFile(join(root, '.gitignore'), 'utf8');
  const others = new Set(['.git', ...ignored.split('\n').map((line) => line.replace(/\/$/, ''))]);
  const walk = async (inside: string): Promise<readonly string[]> => {
    const entries = await readdir(join(folder, inside), { withFileTypes: true });
    const found = entries
      .filter(({ name }) => !others.has(name) && !others.has(posix.join(inside, name)))
      .map(async (entry) => {
        const path = join(inside, entry.name);
        if (entry.isDirectory()) return walk(path);
        return entry.name.endsWith('.md') ? [path] : [];
      });
    return (await Promise.all(found)).flat();
  };
  return walk('');
}

describe('the commands in the documents', () => {
  it('are there, with the options that are said of them', () => {
    const problems: string[] = [];
    let count = 0;
    const call = /(?:^|[|&(]|-- |\$ )\s*(dialogoi|ptta|talktable|vizprompt) ((?:(?!&&)[^|)])*)/g;
    for (const { where, text } of lines) {
      for (const [, tool = '', rest = ''] of text.matchAll(call)) {
        count++;
        const words = rest.trim().split(/\s+/);
        const path = [2, 1]
          .map((length) => `${tool} ${words.slice(0, length).join(' ')}`)
          .find((name) => commands.has(name));
        const command = commands.get(path ?? tool);
        // Two pages show what a tool says then.
        const isMistyped = /^(?:log:usr|serch)\b/.test(rest);
        if (path === undefined && !isMistyped && !/^[-[]/.test(rest)) {
          problems.push(`${where}: ${tool} has no command '${words[0]}'`);
        }
        const flags = new Set(command?.options.flatMap((option) => option.flags));
        // After `--` comes another program.
        const own = rest.replace(/ -- .*?(?=#|$)/, ' ');
        for (const [flag] of own.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)) {
          if (!flags.has(flag)) problems.push(`${where}: ${path ?? tool} has no ${flag}`);
        }
      }
    }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(80);
  });

  it('are scripts that npm finds, and programs that are there', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const problems = lines.flatMap(({ where, text }) => {
      const [, script] = /\bnpm run ([\w:-]+)/.exec(text) ?? [];
      const [, program] = /\b(?:npx tsx|node) ([\w./-]+\.m?[jt]s)\b/.exec(text) ?? [];
      return [
        ...(script === undefined || scripts[script] ? [] : [`${where}: npm run ${script}`]),
        ...(program === undefined || existsSync(join(root, program))
          ? []
          : [`${where}: ${program}`]),
      ];
    });
    expect(problems).toEqual([]);
  });
});
