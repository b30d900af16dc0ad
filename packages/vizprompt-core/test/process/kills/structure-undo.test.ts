import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { VizPrompt } from '@vizprompt/core';
import { expect, it } from 'vitest';
import { storageAt, temporaryFolder } from '../../support/open-project.ts';
import { flowBytes, seed } from '../../support/random-edits.ts';
import { startEditor } from '../../support/start-editor.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 3);

it(
  'undo never parts the edits from their history when killed at any moment',
  { timeout: 180_000 + ROUNDS * 20_000 },
  async () => {
    const folder = await temporaryFolder();
    {
      await using storage = await storageAt(folder);
      await using vizprompt = await VizPrompt.open({ storage });
      await seed(vizprompt);
    }
    const start = flowBytes(folder);
    let steps = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const child = startEditor(folder);
      // The first message says that it is open, each other one that a round of edits is done.
      for (let left = 2 + Math.floor(Math.random() * 4); left > 0; left--) {
        await once(child, 'message');
      }
      await sleep(Math.random() * 50);
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;

      await using storage = await storageAt(folder);
      await using vizprompt = await VizPrompt.open({ storage, undoSteps: 100_000 });
      expect(await vizprompt.problems()).toEqual([]);
      while (await vizprompt.structure.undo()) steps++;
      expect(flowBytes(folder)).toEqual(start);
    }
    expect(steps).toBeGreaterThan(0);
  },
);
