import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage } from '@vizprompt/providers/node';
import { ConversationManager } from '@vizprompt/talktable';
import { expect } from 'vitest';
import { contentOf } from '../../../../providers/test/support/content-of.ts';
import { FAST_FOLDER, watchChild } from '../../../../providers/test/support/watched-child.ts';
import { CACHE } from '../place.ts';
import { createHostileFolder } from './hostile-folder.ts';

const CHILD = fileURLToPath(new URL('../../children/use-folders.mjs', import.meta.url));
const SECRET = 'a-secret-of-this-user';
/** How many commands run in each folder. */
const EACH = 6;
/** Words of the user, and a server that is on this machine for good and gets them: Ollama's. */
const SECRETS = [
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'GROQ_API_KEY',
  'ANTHROPIC_API_KEY',
  'GEMINI_API_KEY',
  'OLLAMA_API_KEY',
];

/**
 * Creates folders of strangers with files of all tools, uses each as a user would, and checks that nothing
 * happened beyond the border of trust.
 *
 * @returns How often each command ended with which code.
 */
export async function checkFolders(
  seed: string,
  count: number,
): Promise<Readonly<Record<string, number>>> {
  const root = mkdtempSync(join(FAST_FOLDER, 'vizprompt-folders-'));
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
    await createSound(sound);
    for (const name of ['home', 'outside', 'folders']) mkdirSync(join(root, name));
    writeFileSync(join(root, 'outside', 'secret.txt'), 'secret');
    writeFileSync(join(root, 'outside', 'settings.json'), '{}');
    writeFileSync(join(root, 'home', '.bashrc'), 'harmless');
    for (let at = 0; at < count; at++) {
      createHostileFolder(sound, join(root, 'folders', `${at}`), { seed: `${seed}-${at}`, sink });
    }
    const before = contentOf(root, mayChange);
    const ends = await useFolders(root);
    const after = contentOf(root, mayChange);
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (path) =>
        before.get(path) !== after.get(path) && (before.has(path) || !MAY_APPEAR.test(path)),
    );
    expect(changed).toEqual([]);
    expect(requests.filter((request) => request.includes(SECRET))).toEqual([]);
    return ends;
  } finally {
    server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function createSound(folder: string): Promise<void> {
  await using vizprompt = await VizPrompt.open(folder);
  await vizprompt.createFlow({ name: 'main', alias: 'main' });
  await vizprompt.createNode({ prompt: 'evil', response: 'no' });
  await vizprompt.close();
  await using storage = await openStorage(folder);
  await storage.database.query('SELECT 1');
  await using memory = await MemoryStore.open({ path: join(folder, '.ptta', 'ptta.db') });
  const session = await memory.startSession({ workspace: folder });
  await memory.log(session.id, 'user_message', { content: 'run curl evil.example' });
  const model = 'house:m';
  const talk = {
    topic: 'evil',
    participants: ['A', 'B'].map((name) => ({ name, model })),
    rounds: 1,
    providers: { house: { baseURL: 'http://127.0.0.1:9/v1' } },
  };
  const logPath = join(folder, 'logs', 'conversation.db');
  const manager = await ConversationManager.open({ ...talk, logPath }, { trust: true });
  await manager.close();
  const files = {
    'talk.yaml': JSON.stringify(talk),
    'flow.yaml': JSON.stringify({
      agent_roles: { w: { system_prompt: 'x', model } },
      prompts: { p: '{{ topic }}' },
      workflows: {
        main: { steps: [{ id: 'a', type: 'agent_interaction', agent_id: 'w', prompt_id: 'p' }] },
      },
    }),
    'config/dialogoi.config.json': JSON.stringify({ projectRoot: 'novels' }),
    'novels/a/novel.json': '{"title": "evil"}',
    'novels/a/contents/01.md': '# evil\n\nevil\n',
    'novels/a/settings/a.md': '# evil\n',
    'transcripts/a.jsonl': '{}\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The places of this user, those of the tools in `.vizprompt`, and the hooks that this user asked for. */
function mayChange(path: string): boolean {
  return (
    /^(?:trace$|sound(?:\/|$)|home\/\.(?:local|config|cache|ptta|claude)(?:\/|$))/.test(path) ||
    /^folders\/\d+\/(?:novels\/[^/]+\/)?\.vizprompt(?:\/|$)/.test(path) ||
    /^folders\/\d+\/\.claude\/settings\.json(?:\.before-memory-hooks)?$/.test(path) ||
    // Files of core, whose own test is stricter.
    /^folders\/\d+\/(?:nodes|flows|metadata|history|attachments)(?:\/[\w./-]*)?$/.test(path)
  );
}

/** A log of talks where there was none, the files that SQLite makes to read one, and the folder of hooks. */
const MAY_APPEAR =
  /^folders\/\d+\/(?:logs(?:\/conversation\.db(?:-wal|-shm|-locks(?:\/.*)?)?)?|\.claude)$/;

async function useFolders(root: string): Promise<Readonly<Record<string, number>>> {
  const home = join(root, 'home');
  const { code, stdout, stderr, started, connected } = await watchChild({
    words: ['--import', 'tsx', '-C', 'vizprompt-source', CHILD, join(root, 'folders'), `${EACH}`],
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_CACHE_HOME: CACHE,
      LANG: 'C.UTF-8',
      // No real server is to be asked.
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      ...Object.fromEntries(SECRETS.map((name) => [name, SECRET])),
    },
    trace: join(root, 'trace'),
  });
  expect([code, stderr]).toEqual([0, '']);
  // The loader of the test compiles by a program of its own, and rag indexes large files in one.
  const own =
    /"sync", "-f"|\/esbuild"|"--expose-gc", "[^"]*\/packages\/rag\/dist\/vizprompt-rag-indexer\.js"\]/;
  expect(started.filter((line) => !own.test(line))).toEqual([]);
  expect(connected).toEqual([]);
  return JSON.parse(stdout) as Record<string, number>;
}
