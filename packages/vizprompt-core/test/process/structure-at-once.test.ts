import { once } from 'node:events';
import { VizPrompt } from '@vizprompt/core';
import { expect, it } from 'vitest';
import { storageAt, temporaryFolder } from '../support/open-project.ts';
import { expectFreshIndex, expectInvariants, flowBytes, seed } from '../support/random-edits.ts';
import { startEditor } from '../support/start-editor.ts';

it('undo and redo hold the edits of processes that edit at the same time', async () => {
  const folder = await temporaryFolder();
  {
    await using storage = await storageAt(folder);
    await using vizprompt = await VizPrompt.open({ storage });
    await seed(vizprompt);
  }
  const start = flowBytes(folder);
  const codes = await Promise.all(
    ['5', '5'].map(async (rounds) => {
      const [code]: unknown[] = await once(startEditor(folder, rounds), 'exit');
      return code;
    }),
  );
  expect(codes).toEqual([0, 0]);
  await using storage = await storageAt(folder);
  await using vizprompt = await VizPrompt.open({ storage });
  await expectInvariants(vizprompt);
  await expectFreshIndex(vizprompt, folder);
  expect((await vizprompt.structure.history()).undo.length).toBeGreaterThan(12);
  while (await vizprompt.structure.undo());
  expect(flowBytes(folder)).toEqual(start);
});
