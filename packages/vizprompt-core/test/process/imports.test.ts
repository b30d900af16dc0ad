import { expect, it } from 'vitest';
import { loadedPackages } from '../../../providers/test/support/loaded-packages.ts';

it('the root loads no package that only some calls need', () => {
  const loaded = loadedPackages('@vizprompt/core', import.meta.dirname);
  const lazy = ['zod', 'ajv', 'yauzl', 'better-sqlite3', '@viz-js', 'ws'];
  expect(lazy.filter((name) => loaded.has(name))).toEqual([]);
  expect([...loaded]).toEqual(expect.arrayContaining(['vizprompt-core', 'providers', 'yaml']));
});
