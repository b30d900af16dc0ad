import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionInfo } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { Place } from '../../support/place.ts';

describe('sessions of ptta', () => {
  it('are started, shown, listed and ended', async () => {
    await using place = await Place.make();
    const started = await place.json<SessionInfo>('ptta', [
      'session:start',
      '--workspace',
      'アプリ',
      '--branch',
      'main',
    ]);
    expect(started).toMatchObject({
      workspace_path: join(place.cwd, 'アプリ'),
      ended_at: null,
      metadata: { branch: 'main' },
    });
    await place.json('ptta', ['log:user', 'こんにちは', '--session', started.id]);

    const { stdout } = await place.run('ptta', ['session:show', started.id]);
    expect(stdout).toContain('branch: main');
    expect(stdout).toContain('user_message こんにちは');
    const shown = await place.json<SessionInfo & { events: unknown[] }>('ptta', [
      'session:show',
      started.id,
    ]);
    expect(shown.events).toMatchObject([{ sequence: 1, data: { content: 'こんにちは' } }]);

    const listed = await place.json<SessionInfo[]>('ptta', ['session:list']);
    expect(listed.map(({ id }) => id)).toEqual([started.id]);
    expect(await place.json('ptta', ['session:list', '--workspace', 'other'])).toEqual([]);
    expect(await place.json('ptta', ['session:list', '--state', 'ended'])).toEqual([]);

    const ended = await place.run('ptta', ['session:end', '--session', started.id]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(`ended ${started.id} with 1 event`);
    const late = await place.run('ptta', ['log:user', 'spät', '--session', started.id]);
    expect(late.code).toBe(4);
    expect(late.stderr).toContain(started.id);
  });

  it('are found from folders below, and belong to the git repository', async () => {
    await using place = await Place.make();
    const deep = join(place.cwd, 'src', 'deep');
    await mkdir(join(place.cwd, '.git'));
    await mkdir(deep, { recursive: true });
    const started = await place.json<SessionInfo>('ptta', ['session:start'], { cwd: deep });
    expect(started.workspace_path).toBe(place.cwd);
    const current = await place.json<SessionInfo>('ptta', ['session:current'], { cwd: deep });
    expect(current.id).toBe(started.id);
    const named = await place.json<SessionInfo>('ptta', ['session:current', '--workspace', deep]);
    expect(named.id).toBe(started.id);
  });

  it('are in ~/.ptta, in the nearest .ptta, or where --data says', async () => {
    await using place = await Place.make();
    await place.json('ptta', ['session:start']);
    await place.json('ptta', ['session:start', '--data', '.ptta']);
    // Now the folder has a memory of its own, which is nearer than that of the home.
    await place.json('ptta', ['session:start']);
    const count = async (...args: string[]): Promise<number> => {
      return (await place.json<SessionInfo[]>('ptta', ['session:list', ...args])).length;
    };
    expect(await count()).toBe(2);
    expect(await count('--data', join(place.home, '.ptta'))).toBe(1);
    const none = await place.run('ptta', ['session:list', '--data', 'nowhere']);
    expect(none.code).toBe(3);
    expect(none.stderr).toContain(join(place.cwd, 'nowhere'));
  });

  it('take nothing when they have ended, and say what to do in words of the command line', async () => {
    await using place = await Place.make();
    const { id } = await place.json<SessionInfo>('ptta', ['session:start']);
    await place.json('ptta', ['session:end']);
    const late = await place.run('ptta', ['log:user', 'x', '--session', id]);
    expect([late.code, late.stdout]).toEqual([4, '']);
    expect(late.stderr).toContain('start another one');
    expect(late.stderr).not.toContain('updateSession');
  });

  it('are an empty list where none fits, with a note for people', async () => {
    await using place = await Place.make();
    await place.json('ptta', ['session:start']);
    for (const args of [
      ['session:list', '--state', 'ended'],
      ['history'],
      ['search', '認証'],
      ['file:history', 'a.ts'],
    ]) {
      const told = await place.run('ptta', args);
      expect(told).toMatchObject({ code: 0, stdout: '', stderr: 'nothing was found\n' });
      expect(await place.json('ptta', args)).toEqual([]);
      const silent = await place.run('ptta', [...args, '--json']);
      expect(silent.stderr).toBe('');
    }
  });

  it.each([
    [['session:current'], 3, 'no session is running in'],
    [['session:end'], 3, 'ptta session:start'],
    [['session:end', '--session', 'nope'], 3, "no session 'nope'"],
    [['session:show', 'nope'], 3, "no session 'nope'"],
    [['session:show'], 2, "missing required argument 'id'"],
    [['session:list', '--limit', '0'], 2, 'whole number from 1'],
    [
      ['session:list', '--limit', 'many'],
      2,
      "--limit <n>: expected a whole number from 1, got 'many'",
    ],
    [['session:list', '--state', 'asleep'], 2, 'expected one of active, ended'],
    [['session:list', '--before', 'nope'], 3, "no session 'nope'"],
    [['session:start', 'now'], 2, 'too many arguments'],
    [['session:start', '--workspace', ''], 2, 'workspace'],
    [['session:list', '--lang', 'xx'], 2, 'expected one of en, ja'],
  ])('refuse %j with %i', async (args, code, message) => {
    await using place = await Place.make();
    const result = await place.run('ptta', args);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain(message);
    expect(result.code).toBe(code);
  });
});
