import { execFile } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Storage } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tempName } from '../../src/files/durable.ts';
import { kill, nextMessage, startChild } from '../support/children.ts';
import { temporaryFolder } from '../support/subjects.ts';

const run = promisify(execFile);

let folder: string;
let remove: () => Promise<void>;
let storage: Storage;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  storage = await openStorage(folder);
});
afterEach(async () => {
  await storage.close();
  await remove();
});

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of storage.files.list('')) found.push(key);
  return found.toSorted();
}

it('files in a folder keep what the store needs for itself out of git and out of lists', async () => {
  await storage.files.write('a.txt', 'x');
  await storage.database.execute('CREATE TABLE t (x TEXT)');
  await storage.cache.execute('CREATE TABLE t (x TEXT)');
  await run('git', ['init', '-q'], { cwd: folder });
  const { stdout } = await run('git', ['status', '--porcelain', '-uall'], { cwd: folder });
  expect(stdout).toBe('?? a.txt\n');
  expect((await keys()).filter((key) => !key.startsWith('.git/'))).toEqual(['a.txt']);
});

describe('what a dead process leaves behind', () => {
  it('is swept: temporary files of processes that are gone or an hour old', async () => {
    await storage.files.write('a/b.txt', 'x');
    const child = startChild('hold-lock', [folder, 'any']);
    await nextMessage(child);
    await kill(child);
    const host = /\.vp-([0-9a-f]{8})-/;
    const names = leaveTemps(child.pid ?? 0);
    expect(await keys()).toEqual(['a/b.txt']);
    const left = readdirSync(join(folder, 'a')).filter((name) => host.test(name));
    expect(left).toEqual([names.alive]);
  });

  it('is a lock that is free', async () => {
    const child = startChild('hold-lock', [folder, 'project']);
    await nextMessage(child);
    const early = storage.files.lock('project', { timeoutMs: 50 });
    await expect(early).rejects.toMatchObject({ code: 'lock-timeout' });
    const waiting = storage.files.lock('project', { timeoutMs: 60_000 });
    await kill(child);
    await (await waiting).release();
  });

  function leaveTemps(deadPid: number): { alive: string } {
    const alive = tempName();
    const dead = tempName().replace(`-${process.pid}-`, `-${deadPid}-`);
    const old = tempName().replace(/-[0-9a-f]{8}-/, '-00000000-');
    for (const name of [alive, dead, old]) writeFileSync(join(folder, 'a', name), 'half');
    utimesSync(join(folder, 'a', old), 1, 1);
    return { alive };
  }
});
