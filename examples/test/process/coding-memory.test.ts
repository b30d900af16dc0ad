import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Program } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('the next session knows what this one did, and why', async () => {
  const folder = await temporaryFolder();
  const env = { LC_ALL: 'C.UTF-8', HOME: join(folder, 'somebody') };
  const program = new Program('coding-memory/main.ts', { cwd: folder, args: ['--web'], env });
  const [, url = ''] = await program.said(/(http:\/\/127\.0\.0\.1:\d+\S*)/);
  const parts = program.stdout.split(/\n\d\. .*\n-+\n/);
  const [, installed, first, second, history, recalled, found] = parts;

  const settings = join(folder, 'coding-memory-data/project/.claude/settings.json');
  expect(installed).toContain('PreToolUse, PostToolUse');
  expect(await readFile(settings, 'utf8')).toContain('ptta hook --data');
  expect(first?.trim().split('\n')).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse Write',
    'PostToolUse Write',
    'PostToolUse Bash',
    'Stop',
    'UserPromptSubmit',
    'PreToolUse Edit',
    'PostToolUse Edit',
    'Stop',
    'SessionEnd',
  ]);
  expect(second).toMatch(/^SessionStart\n<recalled-memory [^]*\n\[[-0-9a-f]{36}\] /);
  expect(second).toContain('勤務一回分の12時間までにとどめる。');
  expect(second).toContain('+const LIFETIME_MINUTES = 720;');
  expect(history).toMatch(
    /edit\n {4}長くするほど[^]*-const LIFETIME_MINUTES = 30;\n\+const LIFETIME_MINUTES = 720;[^]*create\n {4}ライブラリは足さない。/,
  );
  expect(recalled).toContain('720');
  expect(recalled?.length).toBeLessThan(second?.length ?? 0);
  expect(found).toContain('現場の端末では');

  const page = await (await fetch(url)).text();
  expect(page).toContain('勤務一回分の12時間までにとどめる。');
  program.child.kill('SIGINT');
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  // Neither a memory nor settings were made where the user has theirs.
  await expect(access(join(folder, 'somebody'))).rejects.toThrow('ENOENT');
});
