import { expect, it } from 'vitest';
import { startPeerless } from '../support/start-children.ts';

it('calls that were made before the project is closed are done, and later ones are refused', async () => {
  expect(await startPeerless('close-after-call')).toEqual(
    ['undo', 'redo', 'forget'].flatMap(() => ['done', 'closed']),
  );
});
