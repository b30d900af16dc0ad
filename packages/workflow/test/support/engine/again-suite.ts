import { setTimeout as sleep } from 'node:timers/promises';
import { LLMError, textOf } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import type { Step } from '@vizprompt/workflow';
import { describe, expect, it } from 'vitest';
import { answering, ask, eventsOf, failureOf, fileOf, part, questionOf } from './flow-parts.ts';
import { type OpenEngine } from './open-engine.ts';
import type { HumanStep, TeamMember } from '../../../src/definition/step.ts';

const THREE = fileOf([ask('one', 'user_input'), ask('two', 'one'), ask('three', 'two')]);
const HUMAN: HumanStep = {
  id: 'person',
  type: 'human',
  prompt_id: 'ask',
  input_variables: { data: 'user_input' },
  output_variable: 'said',
  output: { schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } },
};

/** Resuming and forking in one engine, on any runtime. */
export function testAgain(name: string, open: OpenEngine): void {
  describe(`again (${name})`, () => {
    it('a run that failed is resumed at the step that failed', async () => {
      const model = scriptedModel(['1', new LLMError('auth', 'no'), '2', '3']);
      const engine = await open({ files: THREE, models: { m: model } });
      const run = await engine.start('flow', 'x');
      await failureOf(run.result);
      expect(await engine.run(run.id)).toMatchObject({
        status: 'failed',
        error: { code: 'step-failed', context: { path: 'two#1' } },
      });
      expect((await (await engine.resume(run.id)).result).output).toBe('3');
      expect(model.calls).toHaveLength(4);
    });

    it('steps side by side and turns of a team that are done are not done again', async () => {
      const member = (id: string): TeamMember => ({
        agent_id: id,
        prompt_id: 'turn',
        retry: { maxAttempts: 1 },
      });
      const steps: Step[] = [
        ask('one', 'user_input'),
        ask('two', 'user_input', 'two', 'b'),
        {
          id: 'team',
          type: 'team',
          members: { a: member('a'), b: member('b') },
          when: 'one != two',
          output_variable: 'report',
        },
      ];
      let isBroken = true;
      const model = scriptedModel((request) => {
        const question = questionOf(request);
        const [system] = request.messages;
        if (question.startsWith('Q: ')) return system ? textOf(system) : '';
        if (question.startsWith('1')) {
          const input = { to: 'b', message: 'go on' };
          const call = { type: 'tool-call', id: 'h', name: 'hand_over', input } as const;
          return { parts: [call], finishReason: 'tool-calls' };
        }
        return isBroken ? new LLMError('auth', 'no') : question;
      });
      const files = fileOf(steps, {
        prompts: { turn: '{{ team.turn }}{% for one in team.turns %} {{ one.says }}{% endfor %}' },
        flow: { order: 'by-data' },
      });
      const engine = await open({ files, models: { m: model } });
      const run = await engine.start('flow', 'x');
      await failureOf(run.result);
      expect(model.calls).toHaveLength(4);
      isBroken = false;
      const { output, variables } = await (await engine.resume(run.id)).result;
      expect(model.calls).toHaveLength(5);
      expect(output).toBe('2 go on');
      expect(variables).toEqual({
        user_input: 'x',
        errors: {},
        one: 'You are A.',
        two: 'You are B.',
        report: '2 go on',
      });
      const state = await engine.run(run.id);
      expect(state.variables).toEqual(variables);
      expect(state.steps.map(({ path }) => path).toSorted()).toEqual([
        'one#1',
        'team#1/1/a',
        'team#1/2/b',
        'two#1',
      ]);
    });

    it('a failure that was dealt with is not tried again', async () => {
      const steps: Step[] = [
        { ...ask('one', 'user_input'), onError: 'continue' },
        {
          id: 'bag',
          type: 'multi_agent_interaction',
          agents_to_run: [part('a', 'user_input')],
          onError: { default: 'd' },
        },
        ask('two', 'user_input'),
      ];
      const model = scriptedModel((_, call) =>
        call < 3 ? new LLMError('auth', `no ${call}`) : `answer ${call}`,
      );
      const engine = await open({ files: fileOf(steps), models: { m: model } });
      const run = await engine.start('flow', 'x');
      await failureOf(run.result);
      const before = await engine.run(run.id);
      const { variables } = await (await engine.resume(run.id)).result;
      expect(variables).toEqual({ ...before.variables, two: 'answer 3' });
      expect(variables).toMatchObject({ one: null, errors: { one: { cause: 'no 0' }, bag: {} } });
      expect(model.calls).toHaveLength(4);
    });

    it.each([
      ['settled', 'settled'],
      ['quorum', { quorum: 3 }],
      ['failFast', 'failFast'],
    ] as const)(
      'parts whose failures ended the run are tried again (%s)',
      async (_, failureMode) => {
        const each: Step = {
          id: 'each',
          type: 'foreach',
          in: '[1, 2, 3]',
          as: 'n',
          steps: [{ ...ask('inner', 'n'), onError: 'continue', when: 'n == 2' }, ask('work', 'n')],
          failureMode,
          output_variable: 'list',
        };
        let isDown = true;
        const model = answering((question) => (isDown ? new LLMError('auth', 'no') : question));
        const engine = await open({ files: fileOf([each]), models: { m: model } });
        const run = await engine.start('flow', 'x');
        await failureOf(run.result);
        isDown = false;
        const { output, variables } = await (await engine.resume(run.id)).result;
        expect(output).toEqual(['Q: 1', 'Q: 2', 'Q: 3']);
        expect((await engine.run(run.id)).variables).toEqual(variables);
      },
    );

    it('parts that failed while others were enough stay as they were', async () => {
      const bag: Step = {
        id: 'bag',
        type: 'multi_agent_interaction',
        agents_to_run: ['a', 'b'].map((id) => part(id, 'user_input')),
        failureMode: 'settled',
      };
      let calls = 0;
      const model = answering((question) => {
        calls++;
        return calls === 1 || calls === 3 ? new LLMError('auth', `no ${calls}`) : question;
      });
      const files = fileOf([bag, ask('two', 'user_input')]);
      const engine = await open({ files, models: { m: model } });
      const run = await engine.start('flow', 'x');
      await failureOf(run.result);
      const { variables } = await (await engine.resume(run.id)).result;
      expect(variables).toMatchObject({ a: null, b: 'Q: x', errors: { bag: { a: {} } } });
      expect(calls).toBe(4);
    });

    it('a quorum that had decided stays decided', async () => {
      const bag: Step = {
        id: 'bag',
        type: 'multi_agent_interaction',
        agents_to_run: ['a', 'b', 'c'].map((id) => part(id, 'user_input')),
        failureMode: { quorum: 1 },
      };
      let late = false;
      const model = scriptedModel(async (request) => {
        const [system] = request.messages[0]?.parts ?? [];
        if (system?.type === 'text' && system.text.includes('B')) return 'b';
        if (questionOf(request) === 'Q: b') {
          if (late) return 'end';
          throw new LLMError('auth', 'no');
        }
        return new Promise(() => undefined);
      });
      const engine = await open({ files: fileOf([bag, ask('two', 'b')]), models: { m: model } });
      const run = await engine.start('flow', 'x');
      await failureOf(run.result);
      const calls = model.calls.length;
      late = true;
      const { variables } = await (await engine.resume(run.id)).result;
      expect(variables).toMatchObject({ a: null, b: 'b', c: null, two: 'end' });
      expect(model.calls).toHaveLength(calls + 1);
    });

    it('other branches continue while a person is asked, and a late answer is refused', async () => {
      const item: Step[] = [
        { ...HUMAN, when: 'n == 1', timeout: { total: 500 } },
        { ...ask('work', 'n'), when: 'n == 2' },
      ];
      const each: Step = {
        id: 'each',
        type: 'foreach',
        in: '[1, 2]',
        as: 'n',
        steps: item,
        failureMode: 'settled',
      };
      const engine = await open({
        files: fileOf([each]),
        models: { m: answering((question) => question) },
      });
      const run = await engine.start('flow', 'x');
      const events = await eventsOf(run);
      const order = events.flatMap((event) =>
        'path' in event ? [`${event.type} ${event.path}`] : [],
      );
      expect(order.indexOf('step:ended each#1/1/work#1')).toBeLessThan(
        order.indexOf('step:failed each#1/0/person#1'),
      );
      const { variables } = await run.result;
      expect(variables['errors']).toMatchObject({
        each: { '0': { message: expect.stringContaining('was not answered in time') } },
      });
      await expect(engine.answer(run.id, { ok: true })).rejects.toMatchObject({ code: 'finished' });
    });

    it('a fork of a fork keeps what the first one gave', async () => {
      const each: Step = {
        id: 'each',
        type: 'foreach',
        in: '[1, 2, 3]',
        as: 'n',
        steps: [ask('work', 'n')],
        output_variable: 'list',
      };
      let isDown = true;
      const model = answering((question) =>
        isDown && question.startsWith('Q: [') ? new LLMError('auth', 'no') : question,
      );
      const files = fileOf([ask('one', 'user_input'), each, ask('two', 'list')]);
      const engine = await open({ files, models: { m: model } });
      const run = await engine.start('flow', 'x');
      await failureOf(run.result);
      const first = await engine.fork(run.id, 'one#1', { output: 'mine' });
      await failureOf(first.result);
      isDown = false;
      const third = await engine.fork(first.id, 'each#1/0/work#1', { output: 'first' });
      const { variables } = await third.result;
      expect(variables).toMatchObject({ one: 'mine', list: ['first', 'Q: 2', 'Q: 3'] });
      const state = await engine.run(third.id);
      expect(state.variables).toEqual(variables);
      expect(state.steps.map(({ path }) => path)).toContain('one#1');
      const whole = await engine.fork(run.id, 'each#1', { output: ['all'] });
      expect((await whole.result).output).toBe('Q: ["all"]');
    });

    it('forks from a step: what came before is taken over, and the change is made', async () => {
      const model = answering((question) => `${question}.`);
      const engine = await open({
        files: THREE,
        models: { m: model, other: scriptedModel(() => 'OTHER') },
      });
      const run = await engine.start('flow', 'x');
      await run.result;
      const fork = await engine.fork(run.id, 'two#1', { prompts: { ask: 'R: {{ data }}' } });
      expect((await fork.result).output).toBe('R: R: Q: x...');
      expect(model.calls).toHaveLength(5);
      expect(await engine.run(fork.id)).toMatchObject({ forkedFrom: run.id, status: 'done' });
      const given = await engine.fork(run.id, 'two#1', { output: '*' });
      expect((await given.result).output).toBe('Q: *.');
      const set = await engine.fork(run.id, 'three#1', { variables: { two: 'T' } });
      expect((await set.result).output).toBe('Q: T.');
      const again = await engine.fork(set.id, 'three#1', { models: { m: 'other' } });
      expect(await again.result).toMatchObject({ output: 'OTHER', variables: { two: 'T' } });
      expect(model.calls).toHaveLength(7);
      expect((await engine.run(run.id)).output).toBe('Q: Q: Q: x...');
      await expect(engine.fork(run.id, 'nowhere#1')).rejects.toThrow(
        "has not come to 'nowhere#1'; it has come to: one#1, two#1, three#1",
      );
    });

    it('forks from one of several agents: its siblings are not asked again', async () => {
      const bag: Step = {
        id: 'bag',
        type: 'multi_agent_interaction',
        agents_to_run: ['a', 'b', 'c'].map((id) => part(id, 'user_input')),
        aggregate: 'concat',
        output_variable: 'all',
      };
      // On some engines branches begin some milliseconds apart, and what began after the other ended is redone.
      const model = answering(async (_, call) => {
        await sleep(100);
        return String(call);
      });
      const engine = await open({ files: fileOf([bag, ask('two', 'all')]), models: { m: model } });
      const run = await engine.start('flow', 'x');
      await run.result;
      const fork = await engine.fork(run.id, 'bag#1/b');
      const { variables } = await fork.result;
      expect(variables).toMatchObject({ a: '0', b: '4', c: '2', two: '5' });
      expect(model.calls).toHaveLength(6);
    });

    it('lists runs page by page, the newest first', async () => {
      const engine = await open({ files: THREE, models: { m: answering(() => 'y') } });
      const ids: string[] = [];
      for (let at = 0; at < 5; at++) ids.push((await engine.start('flow', at)).id);
      const pages: string[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await engine.runs({ limit: 2, ...(after === undefined ? {} : { after }) });
        if (page.length === 0) break;
        pages.push(...page.map(({ id }) => id));
        after = page.at(-1)?.id;
      }
      expect(pages).toEqual(ids.toReversed());
    });
  });
}
