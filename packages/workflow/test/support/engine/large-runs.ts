import { describe, expect, it, onTestFinished } from 'vitest';
import type { Step } from '@vizprompt/workflow';
import { openStorage } from '@vizprompt/providers/node';
import { answering, ask, fileOf } from './flow-parts.ts';
import { openInMemory, temporaryFolder, type OpenEngine } from './open-engine.ts';

const functions = { next: ({ n }: Record<string, unknown>) => Number(n) + 1 };
const counting = (id: string): Step => ({
  id,
  type: 'function',
  function: 'next',
  input_variables: { n: 'n' },
  output_variable: 'n',
});
const first: Step = { ...counting('first'), input_variables: { n: 'user_input' } } as Step;

/** The order of commits is the same; only the disk is not waited for. */
const openOnSqlite: OpenEngine = async (options) => {
  const storage = await openStorage(await temporaryFolder(), { durability: 'normal' });
  onTestFinished(() => storage.close());
  return openInMemory({ storage, ...options });
};

/**
 * Declares the tests of large runs, in memory and on SQLite.
 *
 * @param scale - 1: as large as a run may be expected to be.
 */
export function testLargeRuns(scale: number): void {
  const sized = (size: number): number => size * scale;
  describe.each([
    ['in memory', openInMemory],
    ['on SQLite', openOnSqlite],
  ])('large runs %s', (_name, open) => {
    it(`${sized(5000)} steps`, async () => {
      const steps = [
        first,
        ...Array.from({ length: sized(5000) - 1 }, (_, at) => counting(`s${at}`)),
      ];
      const engine = await open({ files: fileOf(steps), functions, models: {} });
      const run = await engine.start('flow', 0);
      expect((await run.result).output).toBe(sized(5000));
      expect((await engine.run(run.id)).steps).toHaveLength(sized(5000));
    });

    it(`${sized(30)} loops of 100 rounds in a loop`, async () => {
      const inner: Step = {
        id: 'inner',
        type: 'loop',
        maxRounds: 100,
        as: 'i',
        steps: [counting('s')],
      };
      const engine = await open({
        files: fileOf([
          first,
          { id: 'outer', type: 'loop', maxRounds: sized(30), as: 'o', steps: [inner] },
        ]),
        functions,
        models: {},
      });
      expect((await (await engine.start('flow', 0)).result).output).toBe(100 * sized(30) + 1);
    });

    it(`${sized(1000)} items at the same time`, async () => {
      const engine = await open({
        files: fileOf([
          {
            id: 'each',
            type: 'foreach',
            in: 'user_input',
            as: 'item',
            maxConcurrency: sized(1000),
            steps: [ask('one', 'item', 'a'), ask('two', 'a', 'b')],
          },
        ]),
        models: { m: answering((question) => question.slice(3)) },
        concurrency: { total: sized(1000) },
      });
      const items = Array.from({ length: sized(1000) }, (_, at) => `項目${at}`);
      const run = await engine.start('flow', items);
      expect((await run.result).output).toEqual(items);
      const { steps } = await engine.run(run.id);
      expect(new Set(steps.map(({ path }) => path)).size).toBe(2 * sized(1000));
    });

    it(`an input of ${sized(10)} MB`, async () => {
      const text = '猫'.repeat((sized(10) * 1_000_000) / 3);
      const engine = await open({
        files: fileOf([ask('one', 'user_input.text'), ask('two', 'one')]),
        models: { m: answering((question) => String(question.length)) },
      });
      const run = await engine.start('flow', { text });
      const answer = String(text.length + 3);
      expect((await run.result).output).toBe(String(`Q: ${answer}`.length));
      expect((await engine.run(run.id)).input).toEqual({ text });
    });

    it(`${sized(1000)} runs at the same time`, async () => {
      const engine = await open({
        files: fileOf([ask('one', 'user_input'), ask('two', 'one'), ask('three', 'two')]),
        models: { m: answering((question) => question) },
      });
      const runs = await Promise.all(
        Array.from({ length: sized(1000) }, (_, at) => engine.start('flow', at)),
      );
      const results = await Promise.all(runs.map(({ result }) => result));
      expect(results.map(({ output }) => output)).toEqual(runs.map((_, at) => `Q: Q: Q: ${at}`));
    });

    it('an endless loop ends by its limit, and can be cancelled while it runs', async () => {
      const endless: Step = {
        id: 'again',
        type: 'branch',
        branches: [{ when: 'true', next_step: 'again' }],
      };
      const files = fileOf([endless], {
        workflows: { huge: { steps: [endless], limits: { steps: 1e9 } } },
      });
      const engine = await open({ files, models: {} });
      await expect((await engine.start('flow', 0)).result).rejects.toMatchObject({ code: 'limit' });
      const run = await engine.start('huge', 0);
      setImmediate(() => run.cancel());
      await expect(run.result).rejects.toMatchObject({ code: 'cancelled' });
    });
  });
}
