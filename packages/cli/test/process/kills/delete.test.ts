import { once } from 'node:events';
import { fork } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { findWords } from '../../../../providers/test/support/find-words.ts';
import { FILLS, WORDS } from '../../support/said-by-alice.ts';

const { SOAK_ROUNDS = '2' } = process.env;
const DELETES = new URL('../../children/delete-and-die.mjs', import.meta.url);
const ERASES = new URL('../../children/erase-and-die.mjs', import.meta.url);
/** Kills in a row, before the last call may finish. */
const KILLS = 4;
/** Milliseconds from the beginning of a deletion to its kill, at most; most take less. */
const LONGEST = 150;

/** The deletions: by the program that takes the kind, from a store with a name of its own. */
const KINDS: readonly (readonly [program: string, kind: string, filled: string])[] = [
  ['delete', 'core', 'core'],
  ['delete', 'memory, forget', 'memory'],
  ['delete', 'memory, delete', 'memory'],
  ['delete', 'rag', 'rag'],
  ['delete', 'rag, SQLite', 'rag, SQLite'],
  ['erase', 'core', 'core'],
  ['erase', 'memory', 'memory'],
  ['erase', 'talktable', 'talktable'],
  ['erase', 'workflow', 'workflow'],
];

/** Runs a deletion, and kills it after some time unless it may finish. Returns whether it was killed. */
async function run(program: string, args: readonly string[], killAfter?: number): Promise<boolean> {
  const child = fork(fileURLToPath(program === 'delete' ? DELETES : ERASES), args, {
    execArgv: [],
    env: { PATH: process.env['PATH'], HOME: `${args[1]}-home` },
  });
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  if (killAfter !== undefined) {
    await Promise.race([once(child, 'message'), ended]);
    await Promise.race([wait(killAfter), ended]);
    child.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  if (signal === 'SIGKILL') return true;
  expect([program, args[0], code]).toEqual([program, args[0], 0]);
  return false;
}

it.each(KINDS)(
  '%s of %s leaves no byte after it was killed at any moment and is called again',
  async (program, kind, filled) => {
    for (let round = 0; round < Number(SOAK_ROUNDS); round++) {
      const folder = await mkdtemp(join(tmpdir(), 'vizprompt-delete-'));
      for (const place of [folder, `${folder}-home`]) {
        onTestFinished(() => rm(place, { recursive: true, force: true }));
      }
      await FILLS[filled]?.(folder);
      expect(findWords(folder, WORDS)).not.toEqual([]);
      const args = [kind, folder, String(Number.MAX_SAFE_INTEGER)];
      const moments: number[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const moment = Math.random() * LONGEST;
        if (await run(program, args, moment)) moments.push(moment);
      }
      await run(program, args);
      expect({ moments, left: findWords(folder, WORDS) }).toEqual({ moments, left: [] });
      await rm(folder, { recursive: true, force: true });
    }
  },
);

// So `remains` of the others needs no place for batches that were set aside.
it.each(['core', 'memory', 'rag', 'rag, SQLite', 'talktable', 'workflow'])(
  'only core writes batches of files, which could be set aside: %s',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'vizprompt-batches-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    expect(FILLS[kind]).toBeDefined();
    await FILLS[kind]?.(folder);
    const names = await readdir(folder, { recursive: true });
    const journals = names.filter((name) => name.endsWith('.journal'));
    expect(journals).toEqual(kind === 'core' ? [join('.vizprompt', 'batch.journal')] : []);
  },
);
