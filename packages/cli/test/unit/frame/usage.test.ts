import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '../../support/place.ts';

describe('every tool', () => {
  let place: Place;
  beforeAll(async () => {
    place = await Place.make();
  });
  afterAll(async () => {
    await place[Symbol.asyncDispose]();
  });

  it('ends with 2 and a suggestion for a command that is not there', async () => {
    const { code, stdout, stderr } = await place.run('ptta', ['sesion:start']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain("ptta: unknown command 'sesion:start'");
    expect(stderr).toContain('Did you mean session:start?');
  });

  it('ends with 2 and its help without a command', async () => {
    const { code, stdout, stderr } = await place.run('ptta', []);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage: ptta [options] [command]');
  });

  it('reports wrong usage as JSON too', async () => {
    const { code, stderr } = await place.run('ptta', ['log:user', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        name: 'CliError',
        code: 'usage',
        message: "missing required argument 'message'",
        context: {},
        exitCode: 2,
      },
    });
  });

  it.each([
    [['search', 'a', '--limit', 'x'], "--limit <n>: expected a whole number from 1, got 'x'"],
    [['search', 'a', '--type', 'file_edt'], "got 'file_edt': is 'file_edit' meant?"],
    [['search', 'a', '--limit'], '--limit <n>: expected a value, got nothing'],
    [['search', ' '], 'the query: expected words, got nothing'],
    [['stats', '--data', 'a.txt'], '--data: expected a folder, got the file'],
    [['log:user', '-', '--data', 'a.txt'], '--data: expected a folder, got the file'],
  ])('says of %j what was expected', async (args, message) => {
    await writeFile(join(place.cwd, 'a.txt'), 'a');
    const { code, stderr } = await place.run('ptta', args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('takes a file as the folder of --data where the command does', async () => {
    const talk = "topic: t\nparticipants: [{ name: A, model: 'm:a' }, { name: B, model: 'm:b' }]\n";
    await writeFile(join(place.cwd, 'talk.yaml'), talk);
    const { code, stderr } = await place.run('vizprompt', ['trust', '--data', 'talk.yaml']);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('says that there is no folder for a backup', async () => {
    await place.run('ptta', ['session:start', '--data', 'm']);
    const { stderr } = await place.run('ptta', ['backup', 'nowhere/b.db', '--data', 'm']);
    expect(stderr).toMatch(/cannot back up to .*b\.db: there is no folder .*nowhere/);
  });

  it('takes the common options before and after the command', async () => {
    const before = await place.run('ptta', ['--json', '--data', 'a', 'session:start']);
    const behind = await place.run('ptta', ['session:start', '--data', 'a', '--json']);
    for (const { code, stdout } of [before, behind]) {
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ workspace_path: place.cwd });
    }
  });

  it.each([
    ['en', { LANG: 'en_US.UTF-8' }, []],
    ['ja', { LANG: 'ja_JP.UTF-8' }, []],
    ['ja', { LC_ALL: 'ja_JP', LANG: 'en_US' }, []],
    ['en', { LC_ALL: 'C', LC_MESSAGES: 'ja_JP', LANG: 'ja_JP' }, []],
    ['ja', { LC_MESSAGES: 'ja_JP.eucJP', LANG: 'C' }, []],
    ['en', { LANG: 'jam_JM' }, []],
    ['ja', { LANG: 'C' }, ['--lang', 'ja']],
    ['en', { LANG: 'ja_JP' }, ['--lang=en']],
  ] as const)('speaks %s with %o and %j', async (language, env, args) => {
    const { stdout } = await place.run('ptta', [...args, 'log:user', '--help'], { env });
    expect(stdout).toContain(
      language === 'ja' ? '使い方: ptta log:user [オプション]' : 'Usage: ptta',
    );
  });

  it.each([
    [['log:usr'], "不明なコマンドです: 'log:usr'\n（もしかして: log:user）"],
    [['log:user'], "引数 'message' がありません"],
    [['log:user', 'a', 'b'], '引数が多すぎます（1 個のところ 2 個）'],
    [
      ['log:user', 'a', '--sesion', 'b'],
      "不明なオプションです: '--sesion'\n（もしかして: --session）",
    ],
    [['log:user', 'a', '--session'], "オプション '--session <id>' に値がありません"],
    [['completion', 'tcsh'], "引数 'shell' の値 'tcsh' は無効です。選択肢: bash, zsh, fish"],
    [['log:user', 'a', '--lang', 'fr'], "の値 'fr' は無効です。選択肢: en, ja"],
  ])('reports wrong usage in Japanese: %j', async (args, message) => {
    const { code, stderr } = await place.run('ptta', args, { env: { LANG: 'ja_JP.UTF-8' } });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('shows colours only on a terminal, or where they are forced', async () => {
    const plain = await place.run('ptta', ['nonsense']);
    const forced = await place.run('ptta', ['nonsense'], { env: { FORCE_COLOR: '1' } });
    expect(plain.stderr).toMatch(/^ptta: /);
    expect(forced.stderr).toContain('\u001B[31mptta\u001B[39m: ');
  });

  it('shows the help of a command by the word help, too', async () => {
    const { code, stdout } = await place.run('ptta', ['help', 'log:user']);
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:\n  ptta log:user');
    const group = await place.run('vizprompt', ['help', 'flow', 'show', 'main']);
    expect(group.stdout).toContain('Usage: vizprompt flow show');
  });

  it.each([
    [['help', 'log:usr'], "ptta: unknown command 'log:usr'\n(Did you mean log:user?)"],
    [['help', 'log:usr', '--json'], '"code":"usage"'],
  ])('says that there is no such command to help with: %j', async (args, message) => {
    const { code, stdout, stderr } = await place.run('ptta', args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
