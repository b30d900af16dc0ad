import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../../../studio/main.ts', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Starts the program with a folder for temporary files of its own, and waits for the address it prints. */
async function start(
  temporary: string,
  ...words: readonly string[]
): Promise<{ readonly url: URL; readonly end: () => Promise<unknown> }> {
  const args = ['--import', tsx, program, '--port', '0', ...words];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TMPDIR: temporary, TEMP: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  await expect.poll(() => output).toMatch(/open \S+\n/);
  return {
    url: new URL(/open (\S+)/.exec(output)?.[1] ?? ''),
    async end() {
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      return (await exited)[0] as unknown;
    },
  };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-studio-main-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it('the program shows what it made up, and takes it away when it is stopped', async () => {
  const temporary = await temporaryFolder();
  const { url, end } = await start(temporary);
  expect(await (await fetch(url)).text()).toContain('<main id="main"');
  const headers = { Authorization: `Bearer ${url.hash.replace('#token=', '')}` };
  const { sessions } = (await (await fetch(new URL('/api/sessions', url), { headers })).json()) as {
    sessions: { event_count: number }[];
  };
  expect(sessions.map(({ event_count: count }) => count)).toEqual([5, 10]);
  const scratch = (await readdir(temporary)).filter((name) => name.startsWith('vizprompt-studio-'));
  expect(scratch).toHaveLength(1);
  expect(await end()).toBe(0);
  expect(existsSync(join(temporary, scratch[0] ?? ''))).toBe(false);
});

it('the program adds nothing to a project and a memory that it is given', async () => {
  const temporary = await temporaryFolder();
  const project = join(temporary, 'mine');
  await using vizprompt = await VizPrompt.open(project);
  await vizprompt.createNode({ prompt: '私のもの' });
  const memory = join(temporary, 'mine.db');
  const { url, end } = await start(temporary, '--project', project, '--memory', memory);
  const headers = { Authorization: `Bearer ${url.hash.replace('#token=', '')}` };
  const stats = await (await fetch(new URL('/api/stats', url), { headers })).json();
  expect(stats).toMatchObject({ sessions: 0, events: 0 });
  expect(await end()).toBe(0);
  expect(existsSync(memory)).toBe(true);
  expect((await vizprompt.listFlows()).map(({ nodes }) => nodes)).toEqual([1]);
});
