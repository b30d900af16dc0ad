import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { MemoryStore } from '@vizprompt/memory';
import { StorageError } from '@vizprompt/providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all, temporaryFolder } from '../../support/open-store.ts';
import { startChild } from '../../support/sqlite/start-children.ts';
import { once } from 'node:events';

const EVENTS = 1500;

/** A database with events, of which each test gets a copy. */
let original: string;
beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), 'vizprompt-memory-'));
  await fill(join(original, 'memory.db'));
});
afterAll(() => rm(original, { recursive: true, force: true }));

async function filled(): Promise<{ path: string; folder: string }> {
  const folder = await temporaryFolder();
  const path = join(folder, 'memory.db');
  copyFileSync(join(original, 'memory.db'), path);
  return { path, folder };
}

async function fill(path: string): Promise<void> {
  await using store = await MemoryStore.open({ path });
  const { id } = await store.startSession({ id: 's', workspace: '/w' });
  await store.logMany(
    id,
    Array.from({ length: EVENTS }, (_, at) => ({
      type: 'thinking' as const,
      data: { content: `event ${at} ${'logged '.repeat(20)}` },
    })),
  );
  await store.log(id, 'file_edit', {
    action: 'create',
    file_path: 'a',
    new_content: 'content '.repeat(100),
    success: true,
  });
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

describe('a damaged file', () => {
  it('that is no database is refused with a clear error and stays as it is', async () => {
    const path = join(await temporaryFolder(), 'memory.db');
    writeFileSync(path, 'this is no database and long enough to be sure of it '.repeat(400));
    const before = hashOf(path);
    const error: unknown = await MemoryStore.open({ path }).catch((thrown: unknown) => thrown);
    expect(StorageError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: 'corrupt' });
    expect(String(error)).toContain(path);
    expect(hashOf(path)).toBe(before);
    const report = await MemoryStore.checkFile(path);
    expect(report).toMatchObject({ isOk: false, sessions: 0, events: 0 });
    expect(report.problems[0]).toMatchObject({ code: 'database' });
    expect(report.problems[0]?.message).toContain(path);
    expect(hashOf(path)).toBe(before);
    const none = MemoryStore.checkFile(`${path}.none`);
    await expect(none).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('with damaged pages reports how much can still be read, on a copy', async () => {
    const { path, folder } = await filled();
    const page = 4096;
    const file = openSync(path, 'r+');
    const pages = statSync(path).size / page;
    // Pages in the middle, which hold rows.
    for (const at of [0.3, 0.31, 0.5]) {
      writeSync(file, Buffer.alloc(page, 0x5a), 0, page, Math.floor(pages * at) * page);
    }
    closeSync(file);
    const before = hashOf(path);
    const report = await MemoryStore.checkFile(path);
    expect(report.isOk).toBe(false);
    expect(report.problems.map(({ code }) => code)).toContain('database');
    expect(report.sessions).toBe(1);
    expect(report.events).toBeGreaterThan(EVENTS / 2);
    expect(report.events).toBeLessThan(EVENTS + 1);
    expect(hashOf(path)).toBe(before);
    expect((await readdir(folder)).filter((name) => name.includes('copy'))).toEqual([]);
  });

  it('that was cut off is reported', async () => {
    const { path } = await filled();
    truncateSync(path, Math.floor(statSync(path).size * 0.6));
    const report = await MemoryStore.checkFile(path);
    expect(report.isOk).toBe(false);
    expect(report.problems.length).toBeGreaterThan(0);
  });

  it('differs from a sound one', async () => {
    const { path } = await filled();
    expect(await MemoryStore.checkFile(path)).toEqual({
      isOk: true,
      sessions: 1,
      events: EVENTS + 1,
      contents: 2,
      problems: [],
    });
  });

  it('whose tables do not agree is found out', async () => {
    const { path } = await filled();
    const database = new Sqlite(path);
    database.pragma('foreign_keys = OFF');
    database.exec(`
      DELETE FROM memory_events WHERE sequence = 5;
      UPDATE memory_events SET data_text = 'no json' WHERE sequence = 7;
      UPDATE memory_blobs SET data = x'00' WHERE rowid = 1;
      DELETE FROM memory_blobs WHERE rowid = 2;
      DELETE FROM derived_memory_text WHERE rowid = 9;
    `);
    database.close();
    await using store = await MemoryStore.open({ path });
    const { isOk, problems } = await store.check();
    expect(isOk).toBe(false);
    const codes = problems.map(({ code }) => code).toSorted();
    expect(codes).toEqual(['content', 'content', 'data', 'index', 'index', 'sequence']);
    expect(problems.find(({ code }) => code === 'sequence')).toMatchObject({ session: 's' });
  });
});

it('refuses a file of a newer version', async () => {
  const { path } = await filled();
  const database = new Sqlite(path);
  database.exec("INSERT INTO vizprompt_migrations VALUES ('memory', 99, 'future', 'now')");
  database.close();
  await expect(MemoryStore.open({ path })).rejects.toMatchObject({ code: 'newer-schema' });
});

it('is copied whole while others write', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'memory.db');
  const child = startChild('write-memory', [path, 'busy']);
  await once(child, 'message');
  await using store = await MemoryStore.open({ path });
  for (let round = 0; round < 5; round++) {
    const target = join(folder, `backup${round}.db`);
    await store.backup(target);
    await using copy = await MemoryStore.open({ path: target });
    expect((await copy.check()).problems).toEqual([]);
    await expect(store.backup(target)).rejects.toMatchObject({ code: 'conflict' });
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await all(store.events('shared', { limit: 1000 }))).not.toEqual([]);
});

it('opens once where many processes open a new memory together', async () => {
  const path = join(await temporaryFolder(), 'memory.db');
  const children = Array.from({ length: 4 }, (_, at) =>
    startChild('write-memory', [path, `c${at}`, '20']),
  );
  const codes = await Promise.all(
    children.map(async (child) => (await once(child, 'exit'))[0] as number),
  );
  expect(codes).toEqual([0, 0, 0, 0]);
  await using store = await MemoryStore.open({ path });
  expect(await store.check()).toMatchObject({ isOk: true, events: 320, sessions: 5 });
});

describe('a disk', () => {
  it('that is full fails with a clear error, and what was acknowledged stays', async () => {
    const path = join(await temporaryFolder(), 'memory.db');
    const program = fileURLToPath(new URL('../../children/fill-disk.mjs', import.meta.url));
    // The largest file that the shell's child may write: 3,072 blocks of 1,024 bytes.
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', `ulimit -f 3072; exec "$0" "$@"`, process.execPath, program, path],
      { encoding: 'utf8' },
    );
    const { logged, code, name, message } = JSON.parse(stdout || '{}') as Record<string, string>;
    expect([stderr, name, code]).toEqual(['', 'StorageError', 'io']);
    expect(message).toContain(path);
    expect(Number(logged)).toBeGreaterThan(50);
    await using store = await MemoryStore.open({ path });
    const report = await store.check();
    expect(report).toMatchObject({ isOk: true, events: Number(logged) });
    await store.log('s', 'thinking', { content: 'there is room again' });
  });

  it('that cannot be written fails with a clear error', async () => {
    const { path } = await filled();
    const program = fileURLToPath(new URL('../../children/open-read-only.mjs', import.meta.url));
    const before = hashOf(path);
    const { stdout, stderr } = spawnSync(process.execPath, [program, path], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const outcome = JSON.parse(stdout) as Record<string, string>;
    expect(outcome).toMatchObject({ name: 'StorageError', code: 'io' });
    expect(outcome['message']).toContain(path);
    expect(hashOf(path)).toBe(before);
  });
});
