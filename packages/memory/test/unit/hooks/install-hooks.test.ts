import { lstat, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installHooks, uninstallHooks } from '../../../src/hooks/index.ts';
import { newFolder, put } from '../../support/capture/open-memory.ts';
import { Random } from '../../support/capture/random.ts';
import { randomRuns } from '../../support/open-store.ts';

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

interface Settings {
  readonly hooks: Record<string, { hooks: { command: string }[] }[]>;
}

/** Returns the settings without comments, as Claude Code reads them. */
function parsed(text: string): Settings {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
      part.startsWith('"') ? part : '',
    )
    .replaceAll(/,(\s*[}\]])/g, '$1');
  return JSON.parse(plain) as Settings;
}

describe('the hooks in the settings', () => {
  it('are added next to everything else, once, and removed to the byte', async () => {
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
      const { hooks } = parsed(await readFile(settingsFile, 'utf8'));
      expect(hooks['SessionStart']?.[0]?.hooks[0]?.command).toBe(COMMAND);
      await uninstallHooks({ command: COMMAND, settingsFile });
      expect(await readFile(settingsFile, 'utf8')).toBe(before);
    });
  }

  it.each([
    '{}',
    '{ }',
    '{\n\n}',
    '{ /* none */ }',
    '// above\n{\n  // inside\n}',
    '{"a":1,"b":{"c":[1]}}',
    '{ "a": 1 }',
    '{\n\t"a": 1,\n}',
    '{\r\n  "a": [1, 2,], // 二つ\r\n}',
    '{\n  "a": 1, // with a comma\n}',
    '{\n  "a": 1 // without one\n}',
    '\uFEFF{\r  "a": 1\r}',
    '{ "a": 1 /* x */ , /* y */ "b": "// no /* comment" /* z */ }',
    '{"hooks":{}}',
    '{ "hooks" : { "Stop" : [ ], "Other": [] } , "b" : 1 }',
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}],"X":[]}}',
    '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [] }, // mine\n    ],\n    // later\n  },\n  "z": null,\n}',
  ])('go from changed settings without another byte: %j', async (before) => {
    const settingsFile = await put(await newFolder(), 'settings.json', before);
    await installHooks({ command: COMMAND, settingsFile });
    await writeFile(settingsFile, `${await readFile(settingsFile, 'utf8')}\n// a change\n`);
    await uninstallHooks({ command: COMMAND, settingsFile });
    expect(await readFile(settingsFile, 'utf8')).toBe(`${before}\n// a change\n`);
  });

  it.each([
    '{\r\n\t"hooks": {\r\n\t}\r\n}\r\n',
    '{"hooks": { "Stop": [ ], "X": [1] } }',
    '{ "hooks": { } }',
  ])('leave empty lists and objects as they were: %j', async (before) => {
    const settingsFile = await put(await newFolder(), 'settings.json', before);
    await installHooks({ command: COMMAND, settingsFile });
    await writeFile(settingsFile, `${await readFile(settingsFile, 'utf8')}// mine`);
    await uninstallHooks({ command: COMMAND, settingsFile });
    expect(await readFile(settingsFile, 'utf8')).toBe(`${before}// mine`);
  });

  it.each([
    ['', ['ptta hook', 'other hook']],
    ['', ['other hook', 'ptta hook']],
    ['{"hooks":{"Stop":[]}}', ['ptta hook', 'other hook']],
    ['{"hooks":{"Stop":[]}}', ['other hook', 'ptta hook']],
    [undefined, ['ptta hook', 'other hook']],
    [undefined, ['other hook', 'ptta hook']],
  ])('of two commands come to %j and go in any order: %j', async (before, order) => {
    const folder = await newFolder();
    const settingsFile = join(folder, 'settings.json');
    if (before !== undefined) await writeFile(settingsFile, before);
    await installHooks({ command: 'ptta hook', settingsFile });
    await installHooks({ command: 'other hook', settingsFile });
    for (const command of order) {
      expect(await readdir(folder)).toHaveLength(2);
      await uninstallHooks({ command, settingsFile });
    }
    const left = await readdir(folder);
    expect(left).toEqual(before === undefined ? [] : ['settings.json']);
    const texts = await Promise.all(left.map((name) => readFile(join(folder, name), 'utf8')));
    expect(texts[0]).toBe(before);
  });

  it.each([
    [
      ['A', 'B'],
      ['A', 'B'],
    ],
    [
      ['A', 'B'],
      ['B', 'A'],
    ],
    [
      ['A', 'B', 'C'],
      ['A', 'C', 'B'],
    ],
    [
      ['A', 'B', 'C'],
      ['A', 'B', 'C'],
    ],
    [
      ['A', 'B', 'C'],
      ['B', 'A', 'C'],
    ],
    [
      ['A', 'B', 'C'],
      ['B', 'C', 'A'],
    ],
    [
      ['A', 'B', 'C'],
      ['C', 'A', 'B'],
    ],
  ])('of %j never come back when %j go, whenever settings change', async (come, go) => {
    for (let edited = 0; edited < 2 ** (come.length + go.length); edited++) {
      const settingsFile = await put(await newFolder(), 'settings.json', '{ "n": 0 }\n');
      const edit = async (step: number): Promise<void> => {
        if (!(edited & (1 << step))) return;
        const text = await readFile(settingsFile, 'utf8');
        await writeFile(settingsFile, text.replace(/"n": \d+/, `"n": ${step + 1}`));
      };
      const here = new Set<string>();
      for (const [step, command] of [...come, ...go].entries()) {
        if (here.has(command)) await uninstallHooks({ command, settingsFile });
        else await installHooks({ command, settingsFile });
        if (!here.delete(command)) here.add(command);
        const text = await readFile(settingsFile, 'utf8');
        const found = come.filter((one) => text.includes(`"command": "${one}"`));
        expect([edited, step, found]).toEqual([edited, step, come.filter((one) => here.has(one))]);
        await edit(step);
      }
      expect(await readFile(settingsFile, 'utf8')).toMatch(/^\{ "n": \d+ \}\n$/);
    }
  });

  it('are the only part removed if the settings changed in between', async () => {
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

  it('are removed wherever they are, and leave the hooks of others as they are written', async () => {
    const foreign = '{"type" :"command", "command":"say \\u0064one"  }';
    const list = `[ {"hooks":[${foreign}, {"type":"command","command":"${COMMAND}"}]}, /* 他人 */ {"hooks": [ ${foreign} ]} ]`;
    const twice = `[{"hooks":[{"command":"${COMMAND}"}]},{"hooks":[{"command":"${COMMAND}"}]}]`;
    const text = `{"hooks":{"Stop":${list},"Notification":${twice}},"hooks ":1}`;
    const settingsFile = await put(await newFolder(), 'settings.json', text);
    const { hooks } = await uninstallHooks({ command: COMMAND, settingsFile });
    expect(hooks).toEqual(['Stop', 'Notification']);
    const left = `[ {"hooks":[${foreign}]}, /* 他人 */ {"hooks": [ ${foreign} ]} ]`;
    expect(await readFile(settingsFile, 'utf8')).toBe(`{"hooks":{"Stop":${left}},"hooks ":1}`);
  });

  it('go without those of another command, and without the comments around them', async () => {
    const text = '{\r\n  "hooks": {\r\n    // 大事\r\n  }\r\n}\r\n';
    const settingsFile = await put(await newFolder(), 'settings.json', text);
    await installHooks({ command: 'one', settingsFile });
    await installHooks({ command: 'two', settingsFile });
    const both = await readFile(settingsFile, 'utf8');
    expect(both).not.toMatch(/[^\r]\n/);
    expect((await uninstallHooks({ command: 'one', settingsFile })).hooks).toContain('Stop');
    const { hooks } = parsed(await readFile(settingsFile, 'utf8'));
    expect(hooks['Stop']?.flatMap((entry) => entry.hooks.map(({ command }) => command))).toEqual([
      'two',
    ]);
    await uninstallHooks({ command: 'two', settingsFile });
    const left = await readFile(settingsFile, 'utf8');
    expect(left).toContain('// 大事');
    expect(parsed(left)).toEqual({ hooks: {} });
  });

  it('are forgotten with a file that is gone, and are not to be read from a folder', async () => {
    const folder = await newFolder();
    const settingsFile = await put(folder, 'settings.json', '{}\n');
    await installHooks({ command: COMMAND, settingsFile });
    await rm(settingsFile);
    expect((await uninstallHooks({ command: COMMAND, settingsFile })).hooks).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    for (const attempt of [installHooks, uninstallHooks]) {
      await expect(attempt({ command: COMMAND, settingsFile: folder })).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining(folder),
      });
    }
    const latin = join(folder, 'latin.json');
    await writeFile(latin, Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]));
    await expect(installHooks({ command: COMMAND, settingsFile: latin })).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });

  it('come through a link to a file that is not there yet, and leave the link', async () => {
    const folder = await newFolder();
    const settingsFile = join(folder, 'settings.json');
    await symlink(join('dotfiles', 'claude.json'), settingsFile);
    await installHooks({ command: COMMAND, settingsFile });
    expect(await readFile(join(folder, 'dotfiles', 'claude.json'), 'utf8')).toContain(COMMAND);
    await uninstallHooks({ command: COMMAND, settingsFile });
    expect((await lstat(settingsFile)).isSymbolicLink()).toBe(true);
    expect(await readdir(join(folder, 'dotfiles'))).toEqual([]);
  });

  it.each([
    ['many comments in a row', `{"a": 1 ${'/* , */ '.repeat(200)}${'// , }\n'.repeat(200)}}`],
    ['a comment with slashes in it', '{"a": 1 /* https://a.example/ */ }'],
  ])('come and go in settings with %s', async (_, text) => {
    const settingsFile = await put(await newFolder(), 'settings.json', text);
    await installHooks({ command: COMMAND, settingsFile });
    const installed = await readFile(settingsFile, 'utf8');
    await writeFile(settingsFile, `${installed} `);
    await uninstallHooks({ command: COMMAND, settingsFile });
    expect(await readFile(settingsFile, 'utf8')).toBe(`${text} `);
  });

  it('come and go in settings of any form', async () => {
    const folder = await newFolder();
    for (let seed = 1; seed <= randomRuns(40); seed++) {
      const random = new Random(seed);
      const pick = (...from: readonly string[]): string => random.pick(from);
      const gap = (): string => pick('', '', ' ', '\n  ', '\r\n\t', ' /* , ] } */ ', ' // x: {\n');
      const own = `{"hooks":[{"type":"command","command":"other ${seed}"}]}`;
      const list = (): string =>
        pick(`[${gap()}]`, `[${gap()}${own}${gap()}]`, `[${own}${gap()},${gap()}${own},${gap()}]`);
      const fields = ['Stop', 'PreToolUse', 'Notification'].filter(() => random.below(2) === 0);
      const hooks = fields.map((name) => `${gap()}"${name}"${gap()}:${gap()}${list()}${gap()}`);
      const parts = [
        `"a":${gap()}[1,2${pick('', ',')}]`,
        `"hooks":${gap()}{${hooks.join(',') || gap()}}`,
      ];
      const members = random.below(5) > 0 ? parts : parts.slice(0, 1);
      const text = `${pick('', '\uFEFF')}${gap()}{${gap()}${members.join(`${gap()},${gap()}`)}${pick('', ',')}${gap()}}${gap()}`;
      const settingsFile = await put(folder, 'settings.json', text);
      await installHooks({ command: COMMAND, settingsFile });
      const installed = await readFile(settingsFile, 'utf8');
      expect(parsed(installed).hooks['SessionEnd']).toHaveLength(1);
      await uninstallHooks({ command: COMMAND, settingsFile });
      expect(await readFile(settingsFile, 'utf8')).toBe(text);

      await writeFile(settingsFile, `${installed} `);
      await uninstallHooks({ command: COMMAND, settingsFile });
      const left = await readFile(settingsFile, 'utf8');
      expect(left).not.toContain(COMMAND);
      const count = (piece: string, of: string): number => of.split(piece).length;
      for (const piece of [own, '/* , ] } */', '// x: {']) {
        expect([left, count(piece, left)]).toEqual([left, count(piece, text)]);
      }
      const { hooks: before, ...others } = parsed(text);
      const { hooks: after, ...same } = parsed(left);
      expect(same).toEqual(others);
      const full = (all: Settings['hooks'] | undefined) =>
        Object.entries(all ?? {}).filter(([, { length }]) => length > 0);
      expect(full(after)).toEqual(full(before));
    }
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
