import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { expect } from 'vitest';
import { contentOf } from '../../../../providers/test/support/content-of.ts';
import { FAST_FOLDER, watchChild } from '../../../../providers/test/support/watched-child.ts';
import { isProjectPlace } from '../../../src/format/layout.ts';
import { makeHostileProject } from './hostile-project.ts';

const CHILD = fileURLToPath(new URL('../../children/use-projects.mjs', import.meta.url));
const SECRET = 'a-secret-of-this-user';

/**
 * Makes projects of strangers, uses each as a user would, and checks that nothing happened beyond the
 * border of trust: no byte changed outside of the places of a project, no key was sent, and, by what the
 * system saw, no process was started and no machine beyond this one was connected to.
 *
 * @returns How often each action ended with which code.
 */
export async function checkBorder(
  seed: string,
  count: number,
): Promise<Readonly<Record<string, number>>> {
  const root = mkdtempSync(join(FAST_FOLDER, 'vizprompt-border-'));
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
  // Without a key of OpenAI, whose server is that of a sound project: no real server is to be asked.
  const names = ['AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'GEMINI_API_KEY', 'GROQ_API_KEY'];
  const secrets = Object.fromEntries(names.map((name) => [name, SECRET]));
  const { code, stdout, stderr, started, connected } = await watchChild({
    words: [CHILD, join(root, 'projects')],
    cwd: join(root, 'home'),
    env: { PATH: process.env['PATH'], HOME: join(root, 'home'), ...secrets },
    trace: join(root, 'trace'),
  });
  expect([code, stderr]).toEqual([0, '']);
  // The disk is waited for by a program of the system where many files are written.
  expect(started.filter((line) => !line.includes('"sync", "-f"'))).toEqual([]);
  expect(connected).toEqual([]);
  return JSON.parse(stdout) as Record<string, number>;
}
