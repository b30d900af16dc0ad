import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HOOK_AGENTS, HOOK_FORMS } from '@vizprompt/memory/hooks';
import { expect, it, onTestFinished } from 'vitest';
import { Place } from '../../support/place.ts';

async function newPlace(): Promise<Place> {
  const place = await Place.make();
  onTestFinished(() => place[Symbol.asyncDispose]());
  mkdirSync(join(place.cwd, '.git'));
  return place;
}

it.each(HOOK_AGENTS)('setup %s follows no link of the project', async (agent) => {
  const [first = '', ...rest] = HOOK_FORMS[agent].project;
  for (const linked of rest.map((_, at) => [first, ...rest.slice(0, at)])) {
    const place = await newPlace();
    const link = join(place.cwd, ...linked);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(place.cwd, '.git'), link);
    for (const more of [[], ['--undo'], ['--dry-run']]) {
      const { code, stderr } = await place.run('ptta', ['setup', agent, '--project', ...more]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${link} is a link`)]);
    }
    expect(readdirSync(join(place.cwd, '.git'))).toEqual([]);
  }
});

it('hooks:install follows no link of the project, but one of the user', async () => {
  const place = await newPlace();
  symlinkSync('.git', join(place.cwd, '.claude'));
  for (const more of [['--project'], ['--settings', '.claude/settings.json']]) {
    for (const undo of [[], ['--remove']]) {
      const words = ['hooks:install', '--json', ...more, ...undo];
      const { code, stderr } = await place.run('ptta', words);
      expect([code, JSON.parse(stderr)]).toMatchObject([2, { error: { code: 'path-outside' } }]);
    }
  }
  expect(readdirSync(join(place.cwd, '.git'))).toEqual([]);

  const own = join(place.home, 'dotfiles');
  mkdirSync(own);
  symlinkSync(own, join(place.home, '.claude'));
  expect(await place.run('ptta', ['hooks:install'])).toMatchObject({ code: 0 });
  expect(readdirSync(own).toSorted()).toEqual([
    'settings.json',
    'settings.json.before-memory-hooks',
  ]);
  expect(await place.run('ptta', ['hooks:install', '--remove'])).toMatchObject({ code: 0 });
  expect(readdirSync(own)).toEqual([]);
});
