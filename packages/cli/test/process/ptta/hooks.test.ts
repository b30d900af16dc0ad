import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Place } from '../../support/place.ts';
import { timelineOf } from '../../support/open-place.ts';

function hookInput(place: Place, event: string, more: object = {}): string {
  const common = { hook_event_name: event, session_id: 'hooked', cwd: place.cwd };
  return JSON.stringify({ ...common, ...more });
}

describe('the hooks of ptta', () => {
  it('record what is said, and give a new session what is known', async () => {
    await using place = await Place.make();
    const prompt = hookInput(place, 'UserPromptSubmit', { prompt: '認証機能を追加して' });
    expect(await place.spawn('ptta', ['hook'], { input: prompt })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await timelineOf(place)).toMatchObject([{ data: { content: '認証機能を追加して' } }]);
    const start = hookInput(place, 'SessionStart', { source: 'startup', session_id: 'next' });
    const { code, stdout } = await place.spawn('ptta', ['hook'], { input: start });
    expect(code).toBe(0);
    expect(stdout).toContain('認証機能を追加して');
  });

  it('note it in the memory of the project, where there is one', async () => {
    await using place = await Place.make();
    await place.json('ptta', ['session:start', '--data', '.ptta']);
    const prompt = hookInput(place, 'UserPromptSubmit', { prompt: 'ここだけ' });
    await place.spawn('ptta', ['hook'], { input: prompt });
    const { stdout } = await place.run('ptta', ['search', 'ここだけ', '--data', '.ptta']);
    expect(stdout).toContain('ここだけ');
  });

  it('never stop the agent, whatever they are given', async () => {
    await using place = await Place.make();
    await writeFile(join(place.cwd, 'a.txt'), 'a');
    for (const input of ['', 'nonsense', '{}', Buffer.from([0xff])]) {
      for (const words of [[], ['--data', 'a.txt'], ['--data', 'a.txt/below']]) {
        const { code, stdout } = await place.spawn('ptta', ['hook', ...words], { input });
        expect([code, stdout]).toEqual([0, '']);
      }
    }
    expect(await readFile(join(place.home, '.ptta', 'hooks.log'), 'utf8')).not.toBe('');
  });

  it('are installed next to existing ones, and removed again to the byte', async () => {
    await using place = await Place.make();
    const folder = join(place.cwd, '.claude');
    const file = join(folder, 'settings.json');
    const before = '{\n  // mine\n  "model": "opus"\n}\n';
    await mkdir(folder);
    await writeFile(file, before);
    const installed = await place.run('ptta', ['hooks:install', '--project']);
    expect(installed.stdout).toContain(`added to ${file}: SessionStart`);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('// mine');
    expect(text).toContain('"ptta hook"');
    const again = await place.run('ptta', ['hooks:install', '--project']);
    expect(again.stdout).toContain('all hooks are in');
    const removed = await place.run('ptta', ['hooks:install', '--project', '--remove']);
    expect(removed.code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('go to the settings of the user, and name the memory that is meant', async () => {
    await using place = await Place.make();
    await place.json('ptta', ['hooks:install', '--data', "it's mine"]);
    const text = await readFile(join(place.home, '.claude', 'settings.json'), 'utf8');
    const { hooks } = JSON.parse(text) as { hooks: { Stop: [{ hooks: [{ command: string }] }] } };
    expect(hooks.Stop[0].hooks[0].command).toBe(
      `ptta hook --data '${join(place.cwd, "it'\\''s mine")}'`,
    );
  });

  it('are not installed into what is no JSON', async () => {
    await using place = await Place.make();
    await writeFile(join(place.cwd, 's.json'), '{');
    const { code, stderr } = await place.run('ptta', ['hooks:install', '--settings', 's.json']);
    expect(code).toBe(2);
    expect(stderr).toContain('s.json');
    expect(await readFile(join(place.cwd, 's.json'), 'utf8')).toBe('{');
  });
});
