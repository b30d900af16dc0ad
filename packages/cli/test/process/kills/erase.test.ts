import { once } from 'node:events';
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { findWords } from '../../../../providers/test/support/find-words.ts';
import { FILLS, WORDS } from '../../support/said-by-alice.ts';

/** `npm run test:soak` kills more often: the steps between two kills grow more slowly. */
const DENSITY = process.env['SOAK_ROUNDS'] === undefined ? 2 : 8;
const PROGRAM = fileURLToPath(new URL('../../children/erase-and-die.mjs', import.meta.url));

it.each(['core', 'memory', 'talktable', 'workflow'])(
  'an erasure of %s that is killed again and again is finished by the last call',
  async (kind) => {
    const folder = await mkdtemp(join(tmpdir(), 'vizprompt-erase-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await FILLS[kind]?.(folder);
    expect(findWords(folder, WORDS)).not.toEqual([]);
    let kills = 0;
    for (let stops = 0; ; stops += 1 + Math.floor(stops / DENSITY)) {
      const child = fork(PROGRAM, [kind, folder, String(stops)], {
        execArgv: [],
        env: { PATH: process.env['PATH'], HOME: folder },
      });
      const [code, signal] = await once(child, 'exit');
      if (code === 0) break;
      expect([kind, stops, signal]).toEqual([kind, stops, 'SIGKILL']);
      kills++;
    }
    expect(kills).toBeGreaterThan(2);
    expect(findWords(folder, WORDS)).toEqual([]);
  },
);
