import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { expect } from 'vitest';
import { isProjectPlace } from '../../../src/format/layout.ts';
import { contentOf, makeHostileProject } from './hostile-project.ts';

const CHILD = fileURLToPath(new URL('../../children/use-projects.mjs', import.meta.url));
const SECRET = 'a-secret-of-this-user';

/** Whether this machine can say which processes and connections a program starts. */
export const HAS_STRACE: boolean =
  process.platform === 'linux' && spawnSync('strace', ['-V']).status === 0;

/**
 * Makes projects of strangers, uses each as a user would, and checks that nothing happened beyond the
 * border of trust: no byte changed outside of the places of a project, no key was sent, and, by what the
 * system saw, no process was started and nobody beyond this machine was connected to.
 *
 * @returns How often each action ended with which code.
 */
export async function checkBorder(
  seed: string,
  count: number,
): Promise<Readonly<Record<string, number>>> {
  const root = mkdtempSync(join(tmpdir(), 'vizprompt-border-'));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(JSON.stringify([request.url, request.headers]));
    response.writeHead(400).end('{}');
  });
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: sink } = server.address() as { readonly port: number };
    const sound = join(root, 'sound');
    await makeSound(sound);
    for (const name of ['home', 'outside', 'projects']) mkdirSync(join(root, name));
    writeFileSync(join(root, 'outside', 'secret.txt'), 'secret');
    for (let at = 0; at < count; at++) {
      makeHostileProject(sound, join(root, 'projects', `${at}`), { seed: `${seed}-${at}`, sink });
    }
    const before = contentOf(root, mayChange);
    const codes = await useProjects(root);
    expect(Object.fromEntries(contentOf(root, mayChange))).toEqual(Object.fromEntries(before));
    expect(requests.filter((request) => request.includes(SECRET))).toEqual([]);
    return codes;
  } finally {
    server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function makeSound(folder: string): Promise<void> {
  await using vizprompt = await VizPrompt.open(folder);
  const flow = await vizprompt.createFlow({ name: 'main', alias: 'main' });
  const first = await vizprompt.createNode({ prompt: 'evil', response: 'no' });
  await vizprompt.createNode({ prompt: 'good', response: 'yes' });
  await vizprompt.structure.tailFork(first.id, { name: 'fork' });
  expect(flow.id).not.toBe('');
}

/** `projects/N/KEY`, and what belongs to this user. */
function mayChange(path: string): boolean {
  if (/^(?:trace$|sound(?:\/|$)|home\/\.(?:local|config)(?:\/|$))/.test(path)) return true;
  const [, key = ''] = /^projects\/[^/]+\/(.*)$/s.exec(path) ?? [];
  const isFolder = /^(?:nodes|flows|metadata|history|attachments|lost\+found)(?:\/[^.]*)?$/s;
  return isProjectPlace(key) || /^\.vizprompt(?:\/|$)/.test(key) || isFolder.test(key);
}

async function useProjects(root: string): Promise<Readonly<Record<string, number>>> {
  const trace = join(root, 'trace');
  const own = [process.execPath, CHILD, join(root, 'projects')] as const;
  const watch = ['-f', '-qq', '-e', 'trace=execve,execveat,connect,sendto', '-o', trace] as const;
  const [program, ...args] = HAS_STRACE ? ['strace', ...watch, ...own] : own;
  // Without a key of OpenAI, whose server is that of a sound project: nobody is to be asked in earnest.
  const names = ['AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'GEMINI_API_KEY', 'GROQ_API_KEY'];
  const secrets = Object.fromEntries(names.map((name) => [name, SECRET]));
  const child = spawn(program, args, {
    cwd: join(root, 'home'),
    env: { PATH: process.env['PATH'], HOME: join(root, 'home'), ...secrets },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([0, '']);
  if (HAS_STRACE) checkTrace(readFileSync(trace, 'utf8').split('\n'));
  return JSON.parse(stdout) as Record<string, number>;
}

function checkTrace(lines: readonly string[]): void {
  const started = lines.filter((line) => /execve(?:at)?\(/.test(line)).slice(1);
  // The disk is waited for by a program of the system where many files are written.
  expect(started.filter((line) => !/"sync", "-f"/.test(line) && !line.includes('ENOENT'))).toEqual(
    [],
  );
  const outside = lines.filter(
    (line) => /sa_family=AF_INET/.test(line) && !/"(?:127\.\d+\.\d+\.\d+|::1)"/.test(line),
  );
  expect(outside).toEqual([]);
}
