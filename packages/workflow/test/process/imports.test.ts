import { expect, it } from 'vitest';
import { loadedPackages } from '../../../providers/test/support/loaded-packages.ts';

it('the root loads no package that only some calls need', () => {
  expect(loadedPackages('@vizprompt/workflow', import.meta.dirname)).toEqual(
    new Set(['workflow', 'providers', 'eventemitter3', 'croner']),
  );
});
