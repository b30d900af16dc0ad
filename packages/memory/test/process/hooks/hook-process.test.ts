import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../../src/index.ts';
import { newFolder, put } from '../../support/capture/open-memory.ts';

const PROGRAM = fileURLToPath(new URL('../../children/run-hook.mjs', import.meta.url));

/** Runs the built hook as a process, as Claude Code does. */
async function run(folder: string, input: string): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [PROGRAM, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { out: await text(child.stdout), code: await ended };
}

const prompt = (folder: string, words: string) =>
  JSON.stringify({
    hook_event_name: 'UserPromptSubmit',
    session_id: 's',
    cwd: folder,
    prompt: words,
  });

describe('a hook as a process', () => {
  it('loads one file, and nothing else but Node and SQLite', async () => {
    const built = fileURLToPath(new URL('../../../dist/hooks/index.js', import.meta.url));
    const code = await readFile(built, 'utf8');
    const imported = [...code.matchAll(/\b(?:from\s?|import\s?\(?)"([\w@:./-]+)"/g)].map(
      ([, name]) => name,
    );
    expect(imported).toContain('node:fs');
    expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([]);
    expect(code.length).toBeLessThan(665_000);
  });

  it('notes and prints, many at once', async () => {
    const folder = await newFolder();
    const start = {
      hook_event_name: 'SessionStart',
      session_id: 's',
      cwd: folder,
      source: 'startup',
    };
    expect(await run(folder, JSON.stringify(start))).toEqual({ code: 0, out: 'startup: 1' });
    await Promise.all(['a', 'b', 'c', 'd'].map((words) => run(folder, prompt(folder, words))));
    await using store = await MemoryStore.open({ path: join(folder, 'memory.db') });
    const [session] = await store.listSessions();
    const { events } = await store.events(session?.id ?? '').page();
    const words = events.map(({ data }) => ('content' in data ? data.content : ''));
    expect(new Set(words)).toEqual(new Set(['a', 'b', 'c', 'd']));
    expect(words).toHaveLength(4);
  });

  it('lets the agent continue when the memory is locked, broken, or no input comes', async () => {
    const folder = await newFolder();
    await run(folder, prompt(folder, 'a'));
    const holder = new Sqlite(join(folder, 'memory.db'));
    holder.exec('BEGIN EXCLUSIVE');
    expect(await run(folder, prompt(folder, 'b'))).toEqual({ code: 0, out: '' });
    holder.exec('ROLLBACK');
    holder.close();
    expect(await run(folder, '')).toEqual({ code: 0, out: '' });
    const other = await newFolder();
    await put(other, 'memory.db', 'no database '.repeat(1000));
    expect(await run(other, prompt(other, 'a'))).toEqual({ code: 0, out: '' });
    expect(await readFile(join(folder, 'hooks.log'), 'utf8')).toContain('UserPromptSubmit');
    expect(await readFile(join(other, 'hooks.log'), 'utf8')).toContain('corrupt');
  });
});
