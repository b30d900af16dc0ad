import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Place } from '../../support/place.ts';

it.each([
  ['vizprompt', ['trust', 'circle']],
  ['vizprompt', ['trust', 'x'.repeat(300)]],
  ['vizprompt', ['trust', 'file/below']],
  ['ptta', ['export', '--output', 'folder']],
  ['ptta', ['hooks:install', '--settings', 'folder']],
  ['talktable', ['run', 'folder']],
  ['talktable', ['run', 'circle']],
] as const)('an error of the system has a code and a place: %s %j', async (tool, words) => {
  const place = await Place.make();
  onTestFinished(() => place[Symbol.asyncDispose]());
  mkdirSync(join(place.cwd, 'folder'));
  writeFileSync(join(place.cwd, 'file'), '');
  symlinkSync('circle', join(place.cwd, 'circle'));
  const { code, stderr } = await place.run(tool, [...words, '--json']);
  expect(code).toBeGreaterThan(0);
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
    error: { code: string; message: string };
  };
  expect(error.code).toMatch(/^[a-z][a-z-]+$/);
  expect(error.message).toContain(words.at(-1));
});
