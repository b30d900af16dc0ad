import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MemoryStore } from '@vizprompt/memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNovel } from '../../support/novel.ts';
import { Background } from '../../support/background.ts';
import { Place } from '../../support/place.ts';
import type { ToolName } from '../../support/run.ts';

const EVENTS = 8000;
/** A check of this many takes several times as long as a process takes to notice a signal. */
const CONVERSATIONS = 300;
const TURNS = 10;

let place: Place;

function textOf(seed: number, words: number): string {
  return Array.from({ length: words }, (_, at) => `word${(seed * 31 + at * at * 7) % 9973}`).join(
    ' ',
  );
}

/** Returns an export of ChatGPT. */
function conversations(): object[] {
  return Array.from({ length: CONVERSATIONS }, (_, number) => {
    const mapping = Object.fromEntries(
      Array.from({ length: TURNS }, (__, at) => [
        `n${at}`,
        {
          id: `n${at}`,
          parent: at === 0 ? null : `n${at - 1}`,
          children: at === TURNS - 1 ? [] : [`n${at + 1}`],
          message: {
            id: `m${number}-${at}`,
            author: { role: at % 2 === 0 ? 'user' : 'assistant' },
            content: { content_type: 'text', parts: [textOf(number * TURNS + at, 100)] },
            create_time: 1_700_000_000 + number * 100 + at,
          },
        },
      ]),
    );
    return {
      id: `c${number}`,
      title: `c${number}`,
      create_time: 1_700_000_000,
      mapping,
      current_node: `n${TURNS - 1}`,
    };
  });
}

/** Returns a memory, its export, a project, an export of conversations and a novel: more than is read in a moment. */
beforeAll(async () => {
  place = await Place.make();
  const data = join(place.home, '.ptta');
  await mkdir(data);
  await using store = await MemoryStore.open({ path: join(data, 'ptta.db'), redact: false });
  const { id } = await store.startSession({ workspace: place.cwd });
  for (let first = 0; first < EVENTS; first += 1000) {
    await store.logMany(
      id,
      Array.from({ length: 1000 }, (_, at) => ({
        type: 'user_message' as const,
        data: { content: textOf(first + at, 40) },
      })),
    );
  }
  let exported = '';
  for await (const piece of store.exportJson()) exported += piece;
  await writeFile(join(place.home, 'memory.json'), exported);
  await writeFile(join(place.home, 'chats.json'), JSON.stringify(conversations()));
  await place.run('vizprompt', ['init']);
  await place.run('vizprompt', ['import', '../chats.json']);
  const root = await writeNovel(place.cwd);
  for (let chapter = 0; chapter < 4; chapter++) {
    const text = Array.from(
      { length: 30_000 },
      (_, at) => `灯台の${(at * chapter) % 977}番の海。\n`,
    );
    await writeFile(join(root, `contents/large${chapter}.md`), text.join(''));
  }
}, 300_000);
afterAll(() => place[Symbol.asyncDispose]());

/** Each long command, and a file that it holds open while it works. */
const COMMANDS: readonly (readonly [tool: ToolName, words: readonly string[], file: string])[] = [
  ['ptta', ['check'], 'ptta.db'],
  ['ptta', ['export', '--output', '../out.json'], '.tmp'],
  ['ptta', ['export', '--format', 'html', '--output', '../out.html'], '.tmp'],
  ['ptta', ['import', '../memory.json', '--data', '../other'], 'other/ptta.db'],
  ['ptta', ['redact'], 'ptta.db'],
  ['ptta', ['erase', '--speaker', 'Ada'], 'ptta.db'],
  ['vizprompt', ['import', '../chats.json'], 'cache.db'],
  ['vizprompt', ['check'], 'cache.db'],
  ['vizprompt', ['repair'], 'cache.db'],
  ['vizprompt', ['build'], 'cache.db'],
  ['vizprompt', ['erase', '--speaker', 'Ada'], 'cache.db'],
  ['vizprompt', ['vacuum'], 'cache.db'],
  ['dialogoi', ['index'], 'rag'],
];

/** Resolves when a process holds a file open whose path ends with, or goes through, some words. */
async function opens({ child }: Background, file: string): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const folder = `/proc/${child.pid}/fd`;
    for (const descriptor of namesIn(folder)) {
      const path = pathOf(join(folder, descriptor));
      if (path.endsWith(file) || path.includes(`/${file}/`)) return;
    }
    await setImmediate();
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function pathOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor);
  } catch {
    return '';
  }
}

describe.skipIf(process.platform !== 'linux')('SIGTERM at work', () => {
  it.each(COMMANDS)('ends %s %j before its work is done', async (tool, words, file) => {
    const command = Background.start(place, tool, words);
    await opens(command, file);
    const code = await command.end('SIGTERM');
    // `null`: the system ended it, as a statement of SQLite was at work.
    expect([143, null]).toContain(code);
    expect(command.stdout).toBe('');
  });
});

describe('SIGTERM', () => {
  it('ends a command whose output has no reader', async () => {
    const command = Background.start(place, 'ptta', ['export']);
    command.child.stdout?.pause();
    await once(command.child.stdout ?? command.child, 'readable');
    expect(await command.end('SIGTERM')).toBe(143);
  });
});
