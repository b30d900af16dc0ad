import { expect, it } from 'vitest';
import { isElectronUtility, isPackagedElectron } from '../../src/host-process.ts';

const versions = { node: '24.10.0', electron: '40.0.0' };

it('knows a program without Electron', () => {
  expect(isPackagedElectron()).toBe(false);
});

it.each([
  ['the main process of a packaged app', true, { versions, type: 'browser' }],
  ['its utility process', true, { versions, type: 'utility' }],
  ['its window', true, { versions, type: 'renderer' }],
  ['the main process of `electron .`', false, { versions, type: 'browser', defaultApp: true }],
  ['Electron with ELECTRON_RUN_AS_NODE', false, { versions }],
  [
    'Node whose program calls itself a browser',
    false,
    { versions: { node: '24' }, type: 'browser' },
  ],
])('%s: %j', (_, expected, host) => {
  expect(isPackagedElectron(host)).toBe(expected);
});

it.each([
  ['the main process', false, { versions, type: 'browser' }],
  ['a utility process', true, { versions, type: 'utility' }],
  ['Node that calls itself one', false, { versions: { node: '24' }, type: 'utility' }],
])('%s is a utility process: %j', (_, expected, host) => {
  expect(isElectronUtility(host)).toBe(expected);
});
