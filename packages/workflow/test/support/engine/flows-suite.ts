import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { BAGGING, BOOSTING } from './boosting-and-bagging.ts';
import { answering, ask, courseOf, eventsOf, fileOf } from './flow-parts.ts';
import { type OpenEngine } from './open-engine.ts';

/** The order of steps, on any runtime. */
export function testFlows(name: string, open: OpenEngine): void {
  describe(`flows (${name})`, () => {
    it('boosting: each agent works on what the one before gave', async () => {
      const model = answering((question) => `<${question}>`);
      const engine = await open({ files: BOOSTING, models: { m: model } });
      const run = await engine.start('boosting', '猫');
      const events = await eventsOf(run);
      const { output, variables, usage } = await run.result;
      expect(output).toBe('<直して: <「猫」の話を書いて。>>');
      expect(variables).toMatchObject({ user_input: '猫', story: '<「猫」の話を書いて。>' });
      expect(usage.outputTokens).toBeGreaterThan(0);
      expect(courseOf(events)).toEqual([
        'run:started',
        'step:started draft#1',
        'step:ended draft#1',
        'step:started review#1',
        'step:ended review#1',
        'run:ended',
      ]);
      expect(model.calls[0]?.messages[0]).toMatchObject({
        role: 'system',
        parts: [{ text: 'あなたは作家です。' }],
      });
      expect(await engine.run(run.id)).toMatchObject({
        status: 'done',
        output,
        variables: { better: output },
        steps: [{ path: 'draft#1' }, { path: 'review#1', model: 'scripted:script' }],
      });
    });

    it('bagging: agents on the same input really run side by side, and then one brings them together', async () => {
      let asked = 0;
      const both = new EventEmitter();
      const model = answering(async (question) => {
        asked++;
        // The first of both waits until the other one is asked.
        if (asked === 1) await once(both, 'asked');
        else both.emit('asked');
        return `[${question}]`;
      });
      const engine = await open({ files: BAGGING, models: { m: model } });
      const run = await engine.start('bagging', '猫');
      expect((await run.result).output).toBe('[[A: 猫] と [B: 猫]]');
      const { variables, steps } = await engine.run(run.id);
      expect(variables).toMatchObject({ output_A: '[A: 猫]', output_B: '[B: 猫]' });
      expect(steps.map(({ path }) => path).toSorted()).toEqual([
        'aggregation_step#1',
        'multi_agent_example_step#1/agent_A',
        'multi_agent_example_step#1/agent_B',
      ]);
    });

    it('a branch goes to the first condition that holds, or else', async () => {
      const engine = await open({
        files: fileOf([
          {
            id: 'which',
            type: 'branch',
            branches: [
              { when: 'user_input.n > 10', next_step: 'big' },
              { when: 'user_input.n > 5', next_step: 'middle' },
            ],
            else: 'small',
          },
          { ...ask('big', 'user_input.n'), next_step: 'end' },
          { ...ask('middle', 'user_input.n'), next_step: 'end' },
          ask('small', 'user_input.n'),
        ]),
        models: { m: answering((question) => question) },
      });
      for (const [n, taken] of [
        [11, 'big'],
        [7, 'middle'],
        [1, 'small'],
      ] as const) {
        const { variables } = await (await engine.start('flow', { n })).result;
        expect(Object.keys(variables)).toEqual(['user_input', 'errors', taken]);
      }
    });

    it('a loop ends as its condition holds, and every visit has a path of its own', async () => {
      const engine = await open({
        files: fileOf([
          { ...ask('first', 'user_input', 'text') },
          {
            id: 'refine',
            type: 'loop',
            maxRounds: 5,
            until: 'size(text) > 12',
            steps: [ask('draft', 'text', 'text')],
          },
        ]),
        models: { m: answering((question) => question.replaceAll(' ', '')) },
      });
      const run = await engine.start('flow', 'x');
      const { output, variables } = await run.result;
      expect(output).toBe('Q:Q:Q:Q:Q:Q:x');
      expect(variables).toMatchObject({ round: 5, text: output });
      expect((await engine.run(run.id)).steps.map(({ path }) => path)).toEqual([
        'first#1',
        'refine#1/1/draft#1',
        'refine#1/2/draft#1',
        'refine#1/3/draft#1',
        'refine#1/4/draft#1',
        'refine#1/5/draft#1',
      ]);
    });

    it('a step that is come to again by next_step has another path, and limits end what has no end', async () => {
      const engine = await open({
        files: fileOf([{ ...ask('again', 'user_input'), next_step: 'again' }], {
          flow: { limits: { steps: 4 } },
        }),
        models: { m: answering((question) => question) },
      });
      const run = await engine.start('flow', 'x');
      await expect(run.result).rejects.toMatchObject({ code: 'limit' });
      const { status, steps, error } = await engine.run(run.id);
      expect([status, error?.code]).toEqual(['failed', 'limit']);
      expect(steps.map(({ path }) => path)).toEqual(['again#1', 'again#2', 'again#3', 'again#4']);
    });
  });
}
