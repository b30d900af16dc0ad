import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findInstalled, programOnPath } from '../../src/internal.ts';

it('a program is not looked for in the working directory of Windows', () => {
  const exists = (file: string): boolean => file === 'C:\\Program Files\\Git\\cmd\\git.exe';
  const search = (path: string | undefined) => ({ platform: 'win32' as const, path, exists });
  const found = 'C:\\Program Files\\Git\\cmd\\git.exe';
  expect(programOnPath('git', search('.;;bin;"C:\\Program Files\\Git\\cmd";D:\\x'))).toBe(found);
  for (const path of [undefined, '', '.', 'C:\\x']) {
    expect(programOnPath('git', search(path))).toBe('C:\\not-on-path\\git.exe');
  }
  expect(programOnPath('git', { ...search('.'), platform: 'linux' })).toBe('git');
});

it('a package is not looked for in the working directory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-clone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const evil = join(folder, 'node_modules', 'evil-package');
  await mkdir(evil, { recursive: true });
  await writeFile(join(evil, 'package.json'), '{"name":"evil-package","version":"1.0.0"}');
  const cwd = process.cwd;
  process.cwd = () => folder;
  try {
    expect(findInstalled('evil-package/package.json', import.meta.url)).toBeUndefined();
  } finally {
    process.cwd = cwd;
  }
  expect(findInstalled('evil-package/package.json', join(folder, 'app.js'))).toBe(
    join(evil, 'package.json'),
  );
});
