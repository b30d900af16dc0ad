import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { WorkflowEngine } from '@vizprompt/workflow';
import type { Storage } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { ask, failureOf, fileOf } from '../support/engine/flow-parts.ts';
import { temporaryFolder } from '../support/engine/open-engine.ts';

const THREE = fileOf([ask('one', 'user_input'), ask('two', 'one'), ask('three', 'two')]);
/** Values that a disk, a bit or another program leaves in a column, as SQL. */
const VALUES = [
  "X'ff00fe'",
  '\'{"name":\'',
  "'[1, 2]'",
  '\'"a"\'',
  '\'{"name": 1}\'',
  '9e99',
  "'runnimg'",
] as const;

/** Three runs, of which the second one fails at its third step, and where they are stored. */
async function threeRuns(storage: Storage): Promise<{ engine: WorkflowEngine; ids: string[] }> {
  const model = scriptedModel((_, call) => {
    if (call === 5) throw new Error('no');
    return `answer ${call}`;
  });
  const engine = await WorkflowEngine.open({ files: THREE, models: { m: model }, storage });
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) {
    // oxlint-disable-next-line no-await-in-loop -- the model counts its calls
    const run = await engine.start('flow', 'x');
    // oxlint-disable-next-line no-await-in-loop -- as above
    await failureOf(run.result);
    ids.push(run.id);
  }
  return { engine, ids };
}

describe('a damaged row of the journal', () => {
  it.each([
    'workflow',
    'prompt_set',
    'task',
    'status',
    'output',
    'error',
    'created_at',
    'ended_at',
  ])('of a run, %s: it is marked in the list, and is an error of its own', async (column) => {
    await using storage = await openStorage(await temporaryFolder());
    const { engine, ids } = await threeRuns(storage);
    const [, id = ''] = ids;
    let damages = 0;
    for (const value of VALUES) {
      const sql = `UPDATE workflow_run SET ${column} = ${value} WHERE id = ?`;
      // oxlint-disable-next-line no-await-in-loop -- one row, damaged in one way after the other
      await storage.database.execute(sql, [id]);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const runs = await engine.runs();
      expect(runs.map((run) => run.id).toSorted()).toEqual(ids.toSorted());
      const marked = runs.filter(({ damaged }) => damaged !== undefined);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const error = await failureOf(engine.run(id));
      expect(error === undefined).toBe(marked.length === 0);
      if (marked.length === 0) continue;
      damages++;
      expect(marked.map((run) => run.id)).toEqual([id]);
      expect(error).toMatchObject({ code: 'corrupt', context: { table: 'workflow_run', id } });
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await failureOf(engine.resume(id))).toMatchObject({ code: 'corrupt' });
    }
    expect(damages).toBeGreaterThan(0);
    await engine.close();
  });

  it.each(['seq', 'begun', 'output', 'meta', 'started_at', 'ended_at', 'elapsed_ms'])(
    'of a step, %s: the run is shown without it, and not continued',
    async (column) => {
      await using storage = await openStorage(await temporaryFolder());
      const { engine, ids } = await threeRuns(storage);
      const [, id = ''] = ids;
      await storage.database.execute(
        `UPDATE workflow_step SET ${column} = X'ff00' WHERE run_id = ? AND path LIKE 'one%'`,
        [id],
      );
      const { steps, damagedRows, status, error } = await engine.run(id);
      expect([status, error?.code]).toEqual(['failed', 'step-failed']);
      expect(steps.map(({ path }) => path)).toContain('two#1');
      expect(damagedRows).toMatchObject([{ table: 'workflow_step', field: column }]);
      for (const call of [() => engine.resume(id), () => engine.fork(id, 'two#1')]) {
        // oxlint-disable-next-line no-await-in-loop -- two
        expect(await failureOf(call())).toMatchObject({
          code: 'corrupt',
          context: { table: 'workflow_step', field: column },
        });
      }
      expect(await engine.run(id)).toMatchObject({ status, error });
      expect(await engine.run(ids[0] ?? '')).not.toHaveProperty('damagedRows');
      await engine.close();
    },
  );

  it('of a definition is found by its hash', async () => {
    const folder = await temporaryFolder();
    await using storage = await openStorage(folder);
    const { engine, ids } = await threeRuns(storage);
    await engine.close();
    await storage.database.execute(
      "UPDATE workflow_definition SET definition = REPLACE(definition, 'user_input', 'user_imput')",
    );
    const again = await WorkflowEngine.open({ files: THREE, storage });
    expect(await again.runs()).toHaveLength(3);
    expect(await failureOf(again.run(ids[0] ?? ''))).toMatchObject({
      code: 'corrupt',
      context: { table: 'workflow_definition', field: 'definition' },
    });
    await again.close();
  });
});
