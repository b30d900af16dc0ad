import { describe, expect, it } from 'vitest';
import { expectManyChanges } from '../../support/many-changes.ts';
import { expectKeptWhenStopped } from '../../support/stopped-index.ts';

describe('an index that analyses many documents in a process of its own', () => {
  // Enough characters to be worth starting the process.
  it('answers as a fresh one when many documents change', async () => {
    await expect(expectManyChanges(true, 60)).resolves.toBeUndefined();
  });

  it('keeps what was analysed before a run is stopped', async () => {
    await expect(expectKeptWhenStopped(true)).resolves.toBeUndefined();
  });
});
