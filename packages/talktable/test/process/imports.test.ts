import { expect, it } from 'vitest';
import { loadedPackages } from '../../../providers/test/support/loaded-packages.ts';

it('the root loads no package that only some calls need', () => {
  expect(loadedPackages('@vizprompt/talktable', import.meta.dirname)).toEqual(
    new Set(['talktable', 'providers', 'eventemitter3']),
  );
});
