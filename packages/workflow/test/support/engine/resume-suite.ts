import { scriptedModel } from '@vizprompt/providers/testing';
import type { Step, WorkflowFile } from '@vizprompt/workflow';
import { describe, expect, it } from 'vitest';
import { answering, ask, eventsOf, failureOf, fileOf, questionOf } from './flow-parts.ts';
import { type OpenJournal } from './open-engine.ts';
import type { HumanStep } from '../../../src/definition/step.ts';

const THREE = fileOf([ask('one', 'user_input'), ask('two', 'one'), ask('three', 'two')]);
const HUMAN: HumanStep = {
  id: 'person',
  type: 'human',
  prompt_id: 'ask',
  input_variables: { data: 'user_input' },
  output_variable: 'said',
  output: { schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } },
};

/** Returns a model that never answers questions with a word in them. */
function hangingAt(word: string): ReturnType<typeof scriptedModel> {
  return answering((question) =>
    question.includes(word) ? new Promise(() => undefined) : `${question}!`,
  );
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Tests of the state that outlives an engine, on any runtime. */
export function testResume(name: string, openJournal: OpenJournal): void {
  describe(`resume (${name})`, () => {
    it('a run whose engine was closed continues in another one, and no step is done again', async () => {
      const open = await openJournal();
      const first = hangingAt('Q: Q: x!');
      const engine = await open({ files: THREE, models: { m: first } });
      const run = await engine.start('flow', 'x');
      await until(() => first.calls.length === 2);
      await engine.close();
      await expect(run.result).rejects.toMatchObject({ code: 'closed' });
      const second = answering((question) => `${question}?`);
      const other = await open({
        files: fileOf([ask('other', 'user_input')]),
        models: { m: second },
      });
      expect(await other.run(run.id)).toMatchObject({
        status: 'running',
        steps: [{ path: 'one#1' }],
        variables: { one: 'Q: x!' },
      });
      const resumed = await other.resume(run.id);
      const events = await eventsOf(resumed);
      // The definition is the one that it was started with, not that of the engine that continues.
      expect((await resumed.result).output).toBe('Q: Q: Q: x!??');
      expect(second.calls.map(questionOf)).toEqual(['Q: Q: x!', 'Q: Q: Q: x!?']);
      expect(events[0]).toMatchObject({ type: 'run:started', isResumed: true });
      expect(events[1]).toMatchObject({ type: 'step:ended', path: 'one#1', isReplayed: true });
      await expect(other.resume(run.id)).rejects.toMatchObject({ code: 'finished' });
    });

    it('a run has one leader', async () => {
      const open = await openJournal();
      const engine = await open({ files: THREE, models: { m: hangingAt('x') } });
      const run = await engine.start('flow', 'x', { runId: 'mine' });
      const other = await open({ files: THREE, models: { m: answering(() => 'y') } });
      await expect(other.resume(run.id)).rejects.toMatchObject({ code: 'conflict' });
      await expect(engine.resume(run.id)).rejects.toMatchObject({ code: 'conflict' });
      await expect(other.start('flow', 'x', { runId: 'mine' })).rejects.toMatchObject({
        code: 'conflict',
      });
      await expect(other.resume('nobody')).rejects.toMatchObject({ code: 'not-found' });
      await engine.close();
      const both = await Promise.allSettled([other.resume(run.id), other.resume(run.id)]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    it('a person is asked durably, and answers from anywhere', async () => {
      const open = await openJournal();
      const steps: Step[] = [
        {
          id: 'bag',
          type: 'foreach',
          in: '[1, 2]',
          as: 'n',
          steps: [ask('work', 'n'), ask('more', 'work')],
          output_variable: 'list',
        },
      ];
      const flow: WorkflowFile = fileOf([HUMAN, ...steps], { flow: { output: 'said' } });
      const models = { m: answering((question) => question) };
      const engine = await open({ files: flow, models });
      const other = await open({ files: flow, models });
      const run = await engine.start('flow', '良い？');
      await new Promise((resolve) => engine.once('step:waiting', resolve));
      expect(await other.run(run.id)).toMatchObject({
        status: 'waiting',
        waiting: [{ path: 'person#1', question: 'Q: 良い？' }],
      });
      expect(await other.runs({ status: 'waiting' })).toMatchObject([{ id: run.id }]);
      await expect(other.answer(run.id, 'yes')).rejects.toMatchObject({ code: 'invalid-input' });
      await expect(other.answer(run.id, { ok: true }, { path: 'nowhere#1' })).rejects.toMatchObject(
        {
          code: 'not-waiting',
        },
      );
      await other.answer(run.id, { ok: true });
      expect((await run.result).output).toEqual({ ok: true });
      await expect(other.answer(run.id, { ok: true })).rejects.toMatchObject({ code: 'finished' });
      const events = await eventsOf(run);
      expect(events.map(({ type }) => type)).toContain('step:answered');
    });

    it('an answer to a run without a leader waits for the process that resumes it', async () => {
      const open = await openJournal();
      const flow = fileOf([HUMAN, ask('two', 'said.ok')]);
      const engine = await open({ files: flow, models: {} });
      const run = await engine.start('flow', 'x');
      await new Promise((resolve) => engine.once('step:waiting', resolve));
      await engine.close();
      const other = await open({ files: flow, models: { m: answering((question) => question) } });
      await other.answer(run.id, { ok: false });
      await expect(other.answer(run.id, { ok: true })).rejects.toMatchObject({
        code: 'not-waiting',
      });
      expect((await (await other.resume(run.id)).result).output).toBe('Q: false');
    });

    it('an answer from elsewhere that came in time counts, however late its leader sees it', async () => {
      const open = await openJournal();
      // A busy machine may answer after the timeout, so the timeout doubles until the answer is in time.
      for (let total = 400; ; total *= 2) {
        const steps: Step[] = [{ ...HUMAN, timeout: { total }, onError: { default: 'late' } }];
        const flow = fileOf(steps, { flow: { output: 'said' } });
        const engine = await open({ files: flow, models: {} });
        const other = await open({ files: flow, models: {} });
        const asked = new Promise((resolve) => engine.once('step:waiting', resolve));
        const run = await engine.start('flow', 'x');
        await asked;
        const refusal = await other.answer(run.id, { ok: true }).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (refusal !== undefined && total < 60_000) continue;
        expect(refusal).toBeUndefined();
        expect((await run.result).output).toEqual({ ok: true });
        return;
      }
    });

    it('what was spent before counts after a resume', async () => {
      const open = await openJournal();
      const usage = { inputTokens: 100, outputTokens: 50 };
      const files = fileOf(
        [ask('one', 'user_input'), ask('two', 'one'), ask('three', 'two')].map((step) => ({
          ...step,
          maxOutputTokens: 150,
        })),
        { flow: { limits: { tokens: 400 } } },
      );
      const hanging = scriptedModel((_, call) =>
        call === 0 ? { parts: [{ type: 'text', text: 'y' }], usage } : new Promise(() => undefined),
      );
      const engine = await open({ files, models: { m: hanging } });
      const run = await engine.start('flow', 'x');
      await until(() => hanging.calls.length === 2);
      await engine.close();
      const model = answering(() => ({ parts: [{ type: 'text', text: 'y' }], usage }));
      const other = await open({ files, models: { m: model } });
      // 150 were spent, and the reservation of the call whose end was not seen counts as spent.
      await expect((await other.resume(run.id)).result).rejects.toMatchObject({ code: 'limit' });
      expect(model.calls).toHaveLength(0);
    });

    it('a call that was broken off and said nothing costs nothing', async () => {
      const open = await openJournal();
      const files = fileOf([{ ...ask('one', 'user_input'), maxOutputTokens: 100 }], {
        flow: { limits: { tokens: 150 } },
      });
      const hearing = scriptedModel(['a'], { chunkDelayMs: 60_000 });
      const engine = await open({ files, models: { m: hearing } });
      const run = await engine.start('flow', 'x');
      await until(() => hearing.calls.length === 1);
      await engine.close();
      const other = await open({ files, models: { m: answering(() => 'y') } });
      expect((await (await other.resume(run.id)).result).output).toBe('y');
    });

    it('cancels a run that another engine leads, or none', async () => {
      const open = await openJournal();
      const engine = await open({ files: THREE, models: { m: hangingAt('x') } });
      const run = await engine.start('flow', 'x');
      const other = await open({ files: THREE, models: {} });
      await other.cancel(run.id, 'enough');
      expect(await other.run(run.id)).toMatchObject({ status: 'cancelled' });
      await expect(run.result).rejects.toMatchObject({
        code: 'cancelled',
        message: 'the run was cancelled: enough',
      });
      const events = await eventsOf(run);
      expect(events.at(-1)).toMatchObject({ type: 'run:ended', status: 'cancelled' });
      await expect(other.cancel(run.id)).rejects.toMatchObject({ code: 'finished' });
    });

    it('keeps the newest runs, and never removes one on its way', async () => {
      const open = await openJournal();
      const model = hangingAt('wait');
      const engine = await open({ files: THREE, models: { m: model }, retention: { keepLast: 2 } });
      const waiting = await engine.start('flow', 'wait');
      const ids: string[] = [];
      for (let at = 0; at < 5; at++) {
        const run = await engine.start('flow', String(at));
        await run.result;
        ids.push(run.id);
      }
      await expect
        .poll(async () => (await engine.runs()).map(({ id }) => id))
        .toEqual([ids[4], ids[3], waiting.id]);
      await expect(engine.run(ids[0] ?? '')).rejects.toMatchObject({ code: 'not-found' });
      waiting.cancel();
      await failureOf(waiting.result);
      await engine.close();
      const aged = await open({ files: THREE, models: {}, retention: { maxAge: 0 } });
      await new Promise((resolve) => setTimeout(resolve, 5));
      await aged.close();
      const last = await open({ files: THREE, models: {}, retention: { maxAge: 1 } });
      expect(await last.runs()).toEqual([]);
    });
  });
}
