import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { put } from '../support/indexed-project.ts';
import { temporaryFolder } from '../support/search-index.ts';

const ENTRY = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const ASK = fileURLToPath(new URL('../children/ask-novels.mjs', import.meta.url));
const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** The answer of `ask-novels.mjs`. */
interface Answer {
  readonly found: readonly string[];
  readonly incomplete: boolean;
  readonly problems: Readonly<Record<string, string>>;
  readonly texts: readonly string[];
  readonly failures: readonly string[];
}

/** A disk of its own on `$1`: index a project, change it, spoil the disk, and ask new processes. */
const SCRIPT = `
  set -e
  cd "$1"; node="$2"; ask="$3"; entry="$4"; spoil="$5"
  mount -t tmpfs -o size=8m none "$1"; cd "$1"
  export XDG_CACHE_HOME="$1/cache"
  mkdir -p 灯台/contents; echo 嵐の夜。 > 灯台/contents/1.md
  "$node" "$ask" "$entry" "$1" 嵐
  echo 嵐の朝。 > 灯台/contents/2.md
  if [ "$spoil" = full ]; then
    dd if=/dev/zero of=fill bs=64k status=none 2>/dev/null || true
    dd if=/dev/zero of=more bs=1 count=4096 status=none 2>/dev/null || true
  else
    mount -o remount,ro "$1"
  fi
  "$node" "$ask" "$entry" "$1" 嵐
  "$node" "$ask" "$entry" "$1" 嵐 watch
  if [ "$spoil" = full ]; then rm fill; else mount -o remount,rw "$1"; fi
  "$node" "$ask" "$entry" "$1" 嵐 watch
`;

it.skipIf(!mounts).each(['full', 'read-only'])(
  'a new process answers from the index that is there where the disk is %s, and says that it may be old',
  (spoil) => {
    const folder = temporaryFolder();
    const args = [folder, process.execPath, ASK, ENTRY, spoil];
    const run = ['-rm', 'sh', '-c', SCRIPT, 'sh', ...args];
    const { stdout, stderr } = spawnSync('unshare', run, { encoding: 'utf8' });
    expect(stderr).toBe('');
    const [before, once, watching, after] = stdout
      .trim()
      .split('\n')
      .map((line): Answer => JSON.parse(line));
    const whole = { found: ['contents/1.md'], incomplete: false, failures: [] };
    expect(before).toMatchObject(whole);
    for (const old of [once, watching]) {
      expect(old).toMatchObject({ found: ['contents/1.md'], incomplete: true });
      expect(old?.failures).not.toEqual([]);
      expect(old?.texts).toHaveLength(2);
    }
    expect(after).toMatchObject({ ...whole, found: expect.arrayContaining(['contents/2.md']) });
  },
);

it.skipIf(process.platform === 'win32')(
  'a folder that cannot be read is an entry with its problem, and leaves the others readable',
  () => {
    const root = temporaryFolder();
    put(root, '灯台/contents/1.md', '嵐の夜。');
    put(root, '灯台/contents/closed/2.md', '嵐の朝。');
    put(root, '灯台/contents/open/3.md', '嵐の海。');
    const closed = join(root, '灯台/contents/closed');
    chmodSync(closed, 0o000);
    onTestFinished(() => chmodSync(closed, 0o700));
    // Root may read everything.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (user.uid !== undefined) chmodSync(root, 0o777);
    if (user.uid !== undefined) chmodSync(join(root, '灯台'), 0o777);
    const env = { ...process.env, XDG_CACHE_HOME: join(root, 'cache'), HOME: root };
    const args = [ASK, ENTRY, root, '嵐'];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      ...user,
      env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const { found, problems, texts }: Answer = JSON.parse(stdout);
    expect(found.toSorted()).toEqual(['contents/1.md', 'contents/open/3.md']);
    expect(texts).toEqual(['嵐の夜。', '嵐の海。']);
    expect(problems).toEqual({ 'contents/closed/': expect.stringContaining('EACCES') });
  },
);
