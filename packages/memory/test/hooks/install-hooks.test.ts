import { lstat, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installHooks, uninstallHooks } from '../../src/hooks/index.ts';
import { newFolder, put } from '../capture/open-memory.ts';

const COMMAND = 'ptta hook';

const SETTINGS = [
  '{',
  '    // 自分の設定',
  '    "model": "opus", /* keep */',
  '    "env": { "URL": "http://x/*y" },',
  '    "hooks": {',
  '        "Stop": [',
  '            { "hooks": [{ "type": "command", "command": "say done" }] }, // loud',
  '        ]',
  '    },',
  '    "permissions": { "allow": [] } // last',
  '}',
  '',
].join('\n');

/** The settings without comments, as Claude Code reads them. */
function parsed(text: string): { hooks: Record<string, { hooks: { command: string }[] }[]> } {
  const plain = text
    .replaceAll(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
      part.startsWith('"') ? part : '',
    )
    .replaceAll(/,(\s*[}\]])/g, '$1');
  return JSON.parse(plain) as ReturnType<typeof parsed>;
}

describe('the hooks in the settings', () => {
  it('are added beside everything else, once, and taken out to the byte', async () => {
    const settingsFile = await put(await newFolder(), 'settings.json', SETTINGS);
    const report = await installHooks({ command: COMMAND, settingsFile });
    expect(report.hooks).toContain('PreToolUse');
    const text = await readFile(settingsFile, 'utf8');
    for (const comment of ['// 自分の設定', '/* keep */', '// loud', '// last']) {
      expect(text).toContain(comment);
    }
    const { hooks } = parsed(text);
    expect(Object.keys(hooks).toSorted()).toEqual(report.hooks.toSorted());
    const commands = hooks['Stop']?.flatMap((entry) => entry.hooks.map(({ command }) => command));
    expect(commands).toEqual(['say done', COMMAND]);

    expect((await installHooks({ command: COMMAND, settingsFile })).hooks).toEqual([]);
    expect(await readFile(settingsFile, 'utf8')).toBe(text);
    const { hooks: removed } = await uninstallHooks({ command: COMMAND, settingsFile });
    expect(removed.toSorted()).toEqual(report.hooks.toSorted());
    expect(await readFile(settingsFile, 'utf8')).toBe(SETTINGS);
    expect((await uninstallHooks({ command: COMMAND, settingsFile })).hooks).toEqual([]);
  });

  for (const before of [
    '{}',
    '{"a":1}',
    '{ "hooks": {} }\n',
    '\uFEFF{\n\t"a": [1, 2,],\n}\n',
    '',
  ]) {
    it(`come and go in ${JSON.stringify(before)}`, async () => {
      const settingsFile = await put(await newFolder(), 'settings.json', before);
      await installHooks({ command: COMMAND, settingsFile });
      const { hooks } = parsed((await readFile(settingsFile, 'utf8')).replace('\uFEFF', ''));
      expect(hooks['SessionStart']?.[0]?.hooks[0]?.command).toBe(COMMAND);
      await uninstallHooks({ command: COMMAND, settingsFile });
      expect(await readFile(settingsFile, 'utf8')).toBe(before);
    });
  }

  it('go alone when somebody changed the settings in between', async () => {
    const folder = await newFolder();
    const settingsFile = await put(folder, 'settings.json', SETTINGS);
    await installHooks({ command: COMMAND, settingsFile });
    const changed = (await readFile(settingsFile, 'utf8')).replace('opus', 'sonnet');
    await writeFile(settingsFile, changed);
    // Added again after a part of them is gone, they still leave the change alone.
    await writeFile(settingsFile, changed.replace('"SessionEnd"', '"Other"'));
    await installHooks({ command: COMMAND, settingsFile });
    await writeFile(settingsFile, changed);
    await uninstallHooks({ command: COMMAND, settingsFile });
    const after = await readFile(settingsFile, 'utf8');
    expect(after).not.toContain(COMMAND);
    expect(parsed(after)).toEqual(parsed(SETTINGS.replace('opus', 'sonnet')));
    expect(after).toContain('// loud');
  });

  it('leave no file where there was none, and follow a link', async () => {
    const folder = await newFolder();
    const missing = join(folder, 'new', 'settings.json');
    await installHooks({ command: COMMAND, settingsFile: missing });
    expect((await stat(missing)).mode & 0o777).toBe(0o600);
    await uninstallHooks({ command: COMMAND, settingsFile: missing });
    await expect(stat(missing)).rejects.toMatchObject({ code: 'ENOENT' });

    const real = await put(folder, 'dotfiles/settings.json', '{}\n');
    const link = join(folder, 'settings.json');
    await rm(link, { force: true });
    await symlink(real, link);
    await installHooks({ command: COMMAND, settingsFile: link });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(real, 'utf8')).toContain(COMMAND);
  });

  it('do not touch a file that they cannot read', async () => {
    const folder = await newFolder();
    for (const [text, message] of [
      ['{ "a": 1', 'line 1, column 9'],
      ['[]', 'is no object'],
      ['{ "hooks": [] }', 'hooks is no object'],
    ] as const) {
      const settingsFile = await put(folder, 'settings.json', text);
      await expect(installHooks({ command: COMMAND, settingsFile })).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining(message),
      });
      expect(await readFile(settingsFile, 'utf8')).toBe(text);
    }
  });
});
