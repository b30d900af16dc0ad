import { setImmediate } from 'node:timers/promises';
import { silentLogger } from '@vizprompt/providers/internal';
import { expect, it } from 'vitest';
import { IndexSettler } from '../../src/store/index-settler.ts';

/** An index that is arranged when the test says so. */
class SlowIndex {
  running = 0;
  most = 0;
  done = 0;
  readonly #waiting: (() => void)[] = [];

  async settle(): Promise<void> {
    this.running++;
    this.most = Math.max(this.most, this.running);
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
    });
    this.running--;
    this.done++;
  }

  /** Lets go all that runs, until nothing does. */
  async finish(): Promise<void> {
    do {
      this.#waiting.splice(0).forEach((resolve) => resolve());
      await setImmediate();
    } while (this.#waiting.length > 0);
  }
}

it('arranges one after another what begins at the same time, and ends after all of it', async () => {
  const index = new SlowIndex();
  const settler = new IndexSettler(index, silentLogger);
  const begun = Promise.all([settler.begin(), settler.begin(), settler.settle(), settler.begin()]);
  const seen = settler.end().then(() => [index.done, index.running]);
  await index.finish();
  await begun;
  expect(await seen).toEqual([4, 0]);
  expect(index.most).toBe(1);
});

it('lets a writer be one write ahead', async () => {
  const index = new SlowIndex();
  const settler = new IndexSettler(index, silentLogger);
  await settler.begin();
  const next = settler.begin().then(() => index.done);
  await index.finish();
  expect(await next).toBe(1);
  await settler.end();
  expect(index.done).toBe(2);
});
