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
type Kind = (typeof KINDS)[number];
const READ = 'lighthouse';
const ALL_READ = Object.fromEntries(KINDS.map((kind) => [kind, { read: READ }]));
/** Bytes of a page of SQLite. */
const PAGE = 4096;

/** The answer of a process about a store: its content, or its error. */
interface Said {
  readonly read?: string;
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
}

interface Use {
  /** Its folder has one for each kind. */
  readonly place: string;
  readonly kinds?: readonly Kind[];
  /** How the writer ended: SQLite leaves its log behind where it was killed. */
  readonly end?: 'closed' | 'killed';
  /** The number of open files that it may have. */
  readonly limit?: number;
  /** The folder for temporary files. */
  readonly temporary?: string;
}

/** Makes or reads stores in a process of its own. */
async function use(
  action: 'make' | 'read',
  { place, kinds = KINDS, end = 'closed', limit, temporary = tmpdir() }: Use,
): Promise<Partial<Record<Kind, Said>>> {
  const shell = limit === undefined ? '' : `ulimit -n ${limit};`;
  const command = `${shell} exec "$0" "$@"`;
  const words = ['-c', command, process.execPath, CHILD, action, place, end, ...kinds];
  const { stdout, stderr } = await run('sh', words, {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary },
  }).catch((error: unknown) => {
    const { stdout: out = '', stderr: err = '' } = Object(error) as Record<string, string>;
    return { stdout: out, stderr: err };
  });
  if (stdout !== '') return JSON.parse(stdout) as Record<Kind, Said>;
  // A process that was killed after it wrote, or that Node itself could not start.
  return Object.fromEntries(kinds.map((kind) => [kind, { name: 'none', message: stderr }]));
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
  async () => void (isMounted = process.platform === 'linux' && (await mounted(disk, '24m'))),
);
afterAll(async () => {
  if (isMounted) await run('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

describe.each(['closed', 'killed'] as const)('when its writer was %s, a new process', (end) => {
  it('opens, reads and searches each store on a full disk', async () => {
    await onDisk(end, async (place) => {
      fill(disk);
      expect(await use('read', { place })).toEqual(ALL_READ);
      // Where the folder for temporary files is on that disk, too.
      expect(await use('read', { place, temporary: disk })).toEqual(ALL_READ);
    });
  });

  it('opens, reads and searches each store on a read-only mount', async () => {
    await onDisk(end, async (place) => {
      await run('mount', ['-o', 'remount,ro', disk]);
      try {
        expect(await use('read', { place })).toEqual(ALL_READ);
      } finally {
        await run('mount', ['-o', 'remount,rw', disk]);
      }
    });
  });
});

it.runIf(process.platform !== 'win32')(
  'a new process reads each store with few descriptors, or says so',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'few-'));
    await use('make', { place });
    // Each in a process of its own, as what one has loaded and holds open would count for the next.
    for (const kind of KINDS) {
      for (const limit of [22, 32]) {
        const { [kind]: said } = await use('read', { place, kinds: [kind], limit });
        if (said?.read === READ) continue;
        // Node's own loader says of a package that it cannot open that it cannot find it.
        expect([kind, said]).toMatchObject([
          kind,
          { message: expect.stringMatching(/EMFILE|ulimit|too many open|Cannot find package/i) },
        ]);
      }
    }
    expect(await use('read', { place, limit: 256 })).toEqual(ALL_READ);
    rmSync(place, { recursive: true });
  },
);

/** Databases and their overwritten pages, as parts of the file. */
const DATABASES = [
  ['memory', 'memory.db'],
  ['talktable', 'talk.db'],
  ['workflow', '.vizprompt/database.db'],
] as const;

it('damaged pages of a database are a coded error, or cost nothing', async () => {
  const place = mkdtempSync(join(tmpdir(), 'damage-'));
  const kinds = DATABASES.map(([kind]) => kind);
  await use('make', { place, kinds });
  const files = DATABASES.map(([kind, file]) => {
    const path = join(place, kind, file);
    return { kind, file, path, sound: readFileSync(path) };
  });
  for (const part of [0.1, 0.5, 0.9]) {
    for (const { path, sound } of files) {
      const bytes = Buffer.from(sound);
      const start = Math.max(1, Math.floor((bytes.length / PAGE) * part)) * PAGE;
      bytes.fill(0x5a, start, start + PAGE);
      for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
      writeFileSync(path, bytes);
    }
    const all = await use('read', { place, kinds });
    for (const { kind, file } of files) {
      const { read, ...said } = all[kind] ?? {};
      if (read === READ) continue;
      expect(said).toMatchObject({
        code: expect.stringMatching(/^(?:corrupt|log-unreadable|journal-unwritable)$/),
        message: expect.stringContaining(file),
      });
    }
  }
  rmSync(place, { recursive: true });
});

/** Makes a store of each kind on the disk, for a test that needs them. */
async function onDisk(
  end: 'closed' | 'killed',
  test: (place: string) => Promise<void>,
): Promise<void> {
  if (!isMounted) return console.warn('skipped: no disk can be mounted here, which needs root');
  const place = join(disk, 'stores');
  mkdirSync(place);
  try {
    await use('make', { place, end });
    await test(place);
  } finally {
    for (const path of [place, join(disk, 'filler')])
      rmSync(path, { recursive: true, force: true });
  }
}
