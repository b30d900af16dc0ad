import { expect, it } from 'vitest';
import { startPeerless } from '../support/start-children.ts';

it.each([
  ['without-viz', '@viz-js/viz'],
  ['without-ws', 'ws'],
] as const)('%s: names the command to install the missing package', async (program, name) => {
  expect(await startPeerless(program)).toEqual({
    isPeerError: true,
    message: `the package '${name}' is missing: npm install ${name}`,
  });
});
