import { execFile } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasCode } from '@vizprompt/providers/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const CHILD = fileURLToPath(new URL('../children/use-stores.mjs', import.meta.url));
const KINDS = ['core', 'memory', 'rag', 'talktable', 'workflow'] as const;
const READ = 'lighthouse';
/** Bytes of a page of SQLite. */
const PAGE = 4096;

/** The answer of a process about a store: its content, or its error. */
interface Said {
  readonly read?: string;
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
}

async function use(
  words: readonly string[],
  { limit, temporary = tmpdir() }: { readonly limit?: number; readonly temporary?: string } = {},
): Promise<Said> {
  const shell = limit === undefined ? '' : `ulimit -n ${limit};`;
  const command = `${shell} exec "$0" "$@"`;
  const { stdout, stderr } = await run('sh', ['-c', command, process.execPath, CHILD, ...words], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary },
  }).catch((error: unknown) => {
    const { stdout: out = '', stderr: err = '' } = Object(error) as Record<string, string>;
    return { stdout: out, stderr: err };
  });
  // A process that was killed after it wrote, or that Node itself could not start.
  return JSON.parse(
    stdout === '' ? JSON.stringify({ name: 'none', message: stderr }) : stdout,
  ) as Said;
}

/** Mounts a disk of its own in memory, which needs root. */
async function mounted(folder: string, size: string): Promise<boolean> {
  return run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
}

function fill(folder: string): void {
  const path = join(folder, 'filler');
  for (let size = 1 << 16; size >= 1;) {
    try {
      appendFileSync(path, Buffer.alloc(size));
    } catch (error) {
      if (!hasCode(error, 'ENOSPC')) throw error;
      size >>= 1;
    }
  }
}

const disk = mkdtempSync(join(tmpdir(), 'disk-'));
let isMounted = false;
beforeAll(
  async () => void (isMounted = process.platform === 'linux' && (await mounted(disk, '4m'))),
);
afterAll(async () => {
  if (isMounted) await run('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** How the writer ended: SQLite leaves its log behind where it was killed. */
const ENDS = ['closed', 'killed'] as const;
const STORES = KINDS.flatMap((kind) => ENDS.map((end) => [kind, end] as const));

describe('a new process opens, reads and searches', () => {
  it.each(STORES)('%s on a full disk, after its writer was %s', async (kind, end) => {
    await onDisk(kind, end, async (folder) => {
      fill(disk);
      expect(await use([kind, 'read', folder])).toEqual({ read: READ });
      // Where the folder for temporary files is on that disk, too.
      expect(await use([kind, 'read', folder], { temporary: disk })).toEqual({ read: READ });
    });
  });

  it.each(STORES)('%s on a read-only mount, after its writer was %s', async (kind, end) => {
    await onDisk(kind, end, async (folder) => {
      await run('mount', ['-o', 'remount,ro', disk]);
      try {
        const said = await use([kind, 'read', folder]);
        expect(said).toEqual({ read: READ });
      } finally {
        await run('mount', ['-o', 'remount,rw', disk]);
      }
    });
  });

  it.runIf(process.platform !== 'win32').each(KINDS)(
    '%s with few descriptors, or says so',
    async (kind) => {
      const folder = mkdtempSync(join(tmpdir(), 'few-'));
      await use([kind, 'make', folder, 'closed']);
      const all: Said[] = [];
      for (const limit of [22, 32, 256]) {
        // oxlint-disable-next-line no-await-in-loop -- a machine has few processors
        all.push(await use([kind, 'read', folder], { limit }));
      }
      for (const said of all) {
        if (said.read === READ) continue;
        expect(said).toMatchObject({
          message: expect.stringMatching(/EMFILE|ulimit|too many open/i),
        });
      }
      expect(all.at(-1)).toEqual({ read: READ });
      rmSync(folder, { recursive: true });
    },
  );
});

/** Databases and their overwritten pages, as parts of the file. */
const DATABASES = [
  ['memory', 'memory.db'],
  ['talktable', 'talk.db'],
  ['workflow', '.vizprompt/database.db'],
] as const;

it.each(DATABASES)('damaged pages of %s are a coded error, or cost nothing', async (kind, file) => {
  const folder = mkdtempSync(join(tmpdir(), 'damage-'));
  await use([kind, 'make', folder, 'closed']);
  const path = join(folder, file);
  const sound = readFileSync(path);
  for (const part of [0.1, 0.5, 0.9]) {
    const bytes = Buffer.from(sound);
    const start = Math.max(1, Math.floor((bytes.length / PAGE) * part)) * PAGE;
    bytes.fill(0x5a, start, start + PAGE);
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    writeFileSync(path, bytes);
    // oxlint-disable-next-line no-await-in-loop -- one file, damaged in one place after the other
    const { read, ...said } = await use([kind, 'read', folder]);
    if (read === READ) continue;
    expect(said).toMatchObject({
      code: expect.stringMatching(/^(?:corrupt|log-unreadable|journal-unwritable)$/),
      message: expect.stringContaining(file),
    });
  }
  rmSync(folder, { recursive: true });
});

/** Makes a store on the disk, for a test that needs one. */
async function onDisk(
  kind: string,
  end: string,
  test: (folder: string) => Promise<void>,
): Promise<void> {
  if (!isMounted) return console.warn('skipped: no disk can be mounted here, which needs root');
  const folder = join(disk, kind);
  mkdirSync(folder);
  try {
    await use([kind, 'make', folder, end]);
    await test(folder);
  } finally {
    for (const path of [folder, join(disk, 'filler')])
      rmSync(path, { recursive: true, force: true });
  }
}
