import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { contentOf } from '../../../../providers/test/support/content-of.ts';
import { FAST_FOLDER, watchChild } from '../../../../providers/test/support/watched-child.ts';
import { hostileBranch, ODD_NAMES } from './hostile-branch.ts';

const CHILD = fileURLToPath(new URL('../../children/use-merges.mjs', import.meta.url));

/** Programs that git and its merge start: git itself, a shell with the driver's command, and the driver. */
const OWN: readonly RegExp[] = [
  /execve\("[^"]*\/git", \["[^"]*git"/,
  /execve\("[^"]*\/git-core\/[\w-]+"/,
  /execve\("[^"]*\/sh", \["[^"]*sh", "-c", "[^"]*vizprompt-merge\.js' (?:node|flow|metadata) /,
  /execve\("[^"]*\/node", \["[^"]*node", "[^"]*\/vizprompt-merge\.js", "(?:node|flow|metadata)", "\.merge_file_/,
  /"sync", "-f"/,
];

/**
 * Merges branches of strangers with the merge driver, and checks that nothing happened beyond the merge.
 *
 * @returns How often each action ended how.
 */
export async function checkMerges(
  seed: string,
  count: number,
): Promise<Readonly<Record<string, number>>> {
  const root = mkdtempSync(join(FAST_FOLDER, 'vizprompt-merges-'));
  try {
    for (const name of ['home', 'outside', 'plans', 'clones']) mkdirSync(join(root, name));
    writeFileSync(join(root, 'outside', 'secret.txt'), 'secret');
    for (let at = 0; at < count; at++) {
      writeFileSync(join(root, 'plans', `${at}`), JSON.stringify(hostileBranch(`${seed}-${at}`)));
    }
    const end = await watchChild({
      words: [CHILD, root, JSON.stringify(ODD_NAMES)],
      cwd: join(root, 'home'),
      env: { PATH: process.env['PATH'], HOME: join(root, 'home'), GIT_CONFIG_NOSYSTEM: '1' },
      trace: join(root, 'trace'),
    });
    expect([end.code, end.stderr]).toEqual([0, '']);
    expect(end.started.filter((line) => !OWN.some((own) => own.test(line)))).toEqual([]);
    expect(end.connected).toEqual([]);
    expect([...contentOf(join(root, 'outside'), () => false).keys()]).toEqual(['secret.txt']);
    expect(readFileSync(join(root, 'outside', 'secret.txt'), 'utf8')).toBe('secret');
    const config = readFileSync(join(root, 'template', '.git', 'config'), 'utf8');
    const hooks = [...contentOf(join(root, 'template', '.git', 'hooks'), () => false)];
    for (let at = 0; at < count; at++) {
      const git = join(root, 'clones', `${at}`, '.git');
      expect(readFileSync(join(git, 'config'), 'utf8')).toBe(config);
      expect([...contentOf(join(git, 'hooks'), () => false)]).toEqual(hooks);
    }
    const all = contentOf(root, (path) => path.includes('/.git/'));
    expect([...all.keys()].filter((path) => path.endsWith('/PWNED'))).toEqual([]);
    return JSON.parse(end.stdout) as Record<string, number>;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
