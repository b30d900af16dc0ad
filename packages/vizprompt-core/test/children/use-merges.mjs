// Merges a stranger's branch into a clone of this user, with the merge driver, once for each plan of a folder,
// and does with the result what a user does.
import { VizPrompt } from '@vizprompt/core';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const [, , root, names] = process.argv;
const template = join(root, 'template');
const codes = {};
const count = (name) => (codes[name] = (codes[name] ?? 0) + 1);

function git(folder, ...words) {
  const settings = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'commit.gpgSign=false'];
  const { status, stderr } = spawnSync('git', [...settings, ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stderr };
}

function put(folder, path, file) {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  rmSync(place, { recursive: true, force: true });
  if (typeof file === 'string') writeFileSync(place, file);
  else symlinkSync(file.link, place);
}

mkdirSync(template);
git(template, 'init', '-q', '-b', 'main');
await VizPrompt.init(template, { git: true });
{
  const vizprompt = await VizPrompt.open(template);
  await vizprompt.createNode({ prompt: 'one', tags: ['a'] });
  await vizprompt.close();
}
/** The first file of a kind, whose name holds an id. */
const firstOf = (kind, end) => {
  const found = readdirSync(join(template, kind), { recursive: true, encoding: 'utf8' });
  return `${kind}/${found.find((name) => name.endsWith(end)) ?? ''}`;
};
const SHORT = { '@node': firstOf('nodes', '.xml'), '@flow': firstOf('flows', '.yaml') };
for (const name of JSON.parse(names)) {
  put(template, name, readFileSync(join(template, SHORT['@node']), 'utf8'));
}
put(template, 'package.json', '{}\n');
git(template, 'add', '-A');
git(template, 'commit', '-q', '-m', 'first');

for (const plan of readdirSync(join(root, 'plans'))) {
  const folder = join(root, 'clones', plan);
  cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
  const planned = Object.entries(JSON.parse(readFileSync(join(root, 'plans', plan), 'utf8')));
  const theirs = Object.fromEntries(planned.map(([path, file]) => [SHORT[path] ?? path, file]));
  git(folder, 'checkout', '-q', '-b', 'theirs');
  for (const [path, file] of Object.entries(theirs)) put(folder, path, file);
  git(folder, 'add', '-A', '-f');
  git(folder, 'commit', '-q', '-m', 'theirs');
  git(folder, 'checkout', '-q', '-f', 'main');
  git(folder, 'clean', '-q', '-f', '-d', '-x');
  for (const path of Object.keys(theirs)) {
    const place = join(folder, path);
    if (existsSync(place)) writeFileSync(place, readFileSync(place, 'utf8').replace('one', 'mine'));
  }
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'mine');
  const { status, stderr } = git(folder, 'merge', '-q', '--no-edit', 'theirs');
  if (/\n\s+at .*node:/.test(stderr)) count(`merge ${stderr}`);
  count(`merge ${status === 0 ? 'done' : 'conflict'}`);
  if (stderr.includes('merged as text')) count('merge as-text');
  try {
    const vizprompt = await VizPrompt.open(folder);
    try {
      await vizprompt.repair(await vizprompt.check());
      await vizprompt.structure.undo();
    } finally {
      await vizprompt.close();
    }
    count('use done');
  } catch (error) {
    count(`use ${typeof error?.code === 'string' ? error.code : error?.stack}`);
  }
}
process.stdout.write(JSON.stringify(codes));
