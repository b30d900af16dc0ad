import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const examples = fileURLToPath(new URL('..', import.meta.url));
const tsx = createRequire(import.meta.url).resolve('tsx/cli');

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-examples-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function runProgram(
  cwd: string,
  file: string,
  args: readonly string[] = [],
): Promise<string> {
  const { stdout } = await run(process.execPath, [tsx, join(examples, file), ...args], { cwd });
  return stdout;
}

describe('the quickstart', () => {
  it('makes a graph of a branched conversation, and adds nothing the second time', async () => {
    const folder = await temporaryFolder();
    const first = await runProgram(folder, 'quickstart/main.ts');
    expect(first).toContain('2 conversations, 23 messages: 7 + 3 nodes, 6 + 1 edges');
    expect(first).toContain('10 nodes are new, 0 were here already.');
    expect(first).toContain('└─● 3 ログインはどうする');
    expect(first).toContain('10 nodes built.');
    expect(first).toContain('[盗まれた]');
    expect(first).toMatch(/\* 8 二つの枝をまとめる.* ⇠ 7/);
    const data = join(folder, 'quickstart-data');
    expect(await readFile(join(data, 'flow.html'), 'utf8')).toContain('<svg');
    expect(await readFile(join(data, 'flow.mmd'), 'utf8')).toContain('n7 --> n8');
    const map = await readFile(join(data, 'metadata/node_map.tsv'), 'utf8');

    const second = await runProgram(folder, 'quickstart/main.ts');
    expect(second).toContain('0 nodes are new, 10 were here already.');
    expect(second).toContain('0 nodes built.');
    expect(second).toContain('They were merged by an earlier run.');
    expect(await readFile(join(data, 'metadata/node_map.tsv'), 'utf8')).toBe(map);
  });

  it('takes a real export', async () => {
    const folder = await temporaryFolder();
    const messages = ['human', 'assistant', 'human', 'assistant'].map((sender, at) => ({
      uuid: `m${at}`,
      sender,
      text: `message ${at}`,
    }));
    await writeFile(
      join(folder, 'claude.json'),
      JSON.stringify({ uuid: 'c', name: 'One', chat_messages: messages }),
    );
    const output = await runProgram(folder, 'quickstart/main.ts', ['--input', 'claude.json']);
    expect(output).toContain('1 conversations, 4 messages: 2 nodes, 1 edges');
    expect(output).toContain('There is only one branch here, and nothing to merge.');
    await expect(
      runProgram(folder, 'quickstart/main.ts', ['--input', 'nowhere.json']),
    ).rejects.toThrow(/cannot read nowhere\.json/);
  });
});

describe('the code in the documents', () => {
  it.each([
    ['snippets/first.ts', '└─* 3 なぜ？'],
    ['snippets/core.ts', 'closes a circle'],
    ['snippets/providers.ts', 'はい、猫です。 1'],
  ])('runs: %s', async (file, expected) => {
    const folder = await temporaryFolder();
    await symlink(examples, join(folder, 'examples'));
    expect(await runProgram(folder, file)).toContain(expected);
  });
});
