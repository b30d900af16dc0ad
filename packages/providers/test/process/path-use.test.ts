import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pathUses } from '../../src/trust/path-use.ts';

it('a path that a file names may lead to plain places of its folder alone, links followed', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'vizprompt-paths-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'project');
  mkdirSync(join(folder, 'logs'), { recursive: true });
  mkdirSync(join(root, 'outside'));
  writeFileSync(join(folder, 'here'), '');
  const links: Readonly<Record<string, string>> = {
    'to-outside': '../outside',
    'to-missing': '../outside/missing.db',
    'to-missing-here': 'logs/new.db',
    'to-link': 'to-missing',
    'to-git': '.git/config',
    'to-here': 'here',
    absolute: join(root, 'outside', 'x', 'y'),
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
  const asks = (path: string): boolean =>
    pathUses({ path: join(folder, path), folders: [folder], what: 'w', source: 's' }).length > 0;
  const free = ['here', 'new', 'logs/a/b.db', 'to-here', 'to-missing-here', '.'];
  const asking = [
    'to-outside',
    'to-outside/a',
    'to-missing',
    'to-link',
    'to-git',
    'absolute',
    '../x',
    '.git/config',
    'logs/.hidden/x',
    'GIT~1/config',
    'a/../../x',
  ];
  expect(free.filter(asks)).toEqual([]);
  expect(asking.filter((path) => !asks(path))).toEqual([]);
});
