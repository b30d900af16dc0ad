import { LLMError } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { answering, failureOf, fileOf, part } from './flow-parts.ts';
import { type OpenEngine } from './open-engine.ts';
import type { MultiAgentStep } from '../../../src/definition/step.ts';

const FOUR = ['a', 'b', 'c', 'd'].map((id) => part(id, 'user_input', `v_${id}`));
const bag = (more: Partial<MultiAgentStep> = {}): MultiAgentStep => ({
  id: 'bag',
  type: 'multi_agent_interaction',
  agents_to_run: FOUR,
  output_variable: 'all',
  ...more,
});

/** Returns a model that answers, fails or hangs by the system prompt of who is asked. */
function team(
  by: Record<string, string | Error | undefined | (() => Promise<Error>)>,
): ReturnType<typeof scriptedModel> {
  return scriptedModel(async (request) => {
    const [system] = request.messages[0]?.parts ?? [];
    const who = system?.type === 'text' ? (/A|B|C|D/.exec(system.text.slice(8))?.[0] ?? '') : '';
    const answer = by[who];
    if (typeof answer === 'function') return answer();
    if (answer !== undefined) return answer;
    return new Promise((_, reject) => {
      request.signal?.addEventListener('abort', () => reject(new LLMError('aborted', 'stopped')));
    });
  });
}

const refused = new LLMError('auth', 'no');

/** Several agents at the same time, on any runtime. */
export function testParallel(name: string, open: OpenEngine): void {
  describe(`parallel agents (${name})`, () => {
    it('failFast stops the siblings of who fails', async () => {
      // It fails when the others are in progress.
      const late = async (): Promise<Error> => {
        await expect.poll(() => model.calls.length).toBe(4);
        return refused;
      };
      const model = team({ A: 'a', B: undefined, C: late, D: undefined });
      const engine = await open({ files: fileOf([bag()]), models: { m: model } });
      const run = await engine.start('flow', 'x');
      const failure = await failureOf(run.result);
      expect(failure).toMatchObject({ code: 'step-failed', context: { path: 'bag#1/c' } });
      const stopped = (): number => model.calls.filter(({ signal }) => signal?.aborted).length;
      await expect.poll(stopped).toBeGreaterThanOrEqual(2);
    });

    it('settled continues with what succeeded, and errors says what did not', async () => {
      const engine = await open({
        files: fileOf([bag({ failureMode: 'settled' })]),
        models: { m: team({ A: 'a', B: refused, C: 'c', D: refused }) },
      });
      const run = await engine.start('flow', 'x');
      const { output, variables } = await run.result;
      expect(output).toEqual({ a: 'a', b: null, c: 'c', d: null });
      expect(variables).toMatchObject({ v_a: 'a', v_b: null, all: output });
      expect(variables['errors']).toMatchObject({
        bag: { b: { code: 'step-failed', context: { path: 'bag#1/b' } }, d: {} },
      });
      const state = await engine.run(run.id);
      expect(state.variables).toEqual(variables);
      expect(state.steps.find(({ path }) => path === 'bag#1/b')?.error?.code).toBe('step-failed');
    });

    it('settled fails where no agent succeeds', async () => {
      const engine = await open({
        files: fileOf([bag({ failureMode: 'settled' })]),
        models: { m: team({ A: refused, B: refused, C: refused, D: refused }) },
      });
      const failure = await failureOf((await engine.start('flow', 'x')).result);
      expect(String(failure)).toContain("'bag#1' failed: 4 of its 4 parts failed");
    });

    it('parts have variables too where the step failed, or a fork says what it gives', async () => {
      const aggregate = {
        strategy: 'judge',
        agent_id: 'a',
        prompt_id: 'plain',
        output_variable: 'verdict',
      } as const;
      const steps = [
        bag({ onError: 'continue' }),
        bag({ id: 'judged', onError: 'continue', aggregate }),
      ];
      const engine = await open({
        files: fileOf(steps),
        models: { m: team({ A: 'a', B: refused, C: 'c', D: 'd' }) },
      });
      const run = await engine.start('flow', 'x');
      const { variables } = await run.result;
      expect(variables).toMatchObject({ v_a: null, v_b: null, all: null, verdict: null });
      expect((await engine.run(run.id)).variables).toEqual(variables);
      const judged = await engine.fork(run.id, 'judged#1', { output: 'J' });
      expect((await judged.result).variables).toMatchObject({ v_a: null, all: 'J', verdict: 'J' });
      const alone = await open({ files: fileOf([bag()]), models: { m: team({ A: refused }) } });
      const failed = await alone.start('flow', 'x');
      await failureOf(failed.result);
      const given = await alone.fork(failed.id, 'bag#1', { output: { a: 1, d: 4 } });
      expect((await given.result).variables).toMatchObject({ v_a: 1, v_b: null, v_d: 4 });
    });

    it('a quorum is enough: the others are stopped', async () => {
      const engine = await open({
        files: fileOf([bag({ failureMode: { quorum: 2 } })]),
        models: { m: team({ A: undefined, B: 'b', C: refused, D: 'd' }) },
      });
      const run = await engine.start('flow', 'x');
      const { output, variables } = await run.result;
      expect(output).toEqual({ a: null, b: 'b', c: null, d: 'd' });
      expect((await engine.run(run.id)).variables).toEqual(variables);
    });

    it('a quorum that cannot come about fails at once', async () => {
      const engine = await open({
        files: fileOf([bag({ failureMode: { quorum: 3 } })]),
        models: { m: team({ A: undefined, B: refused, C: refused, D: 'd' }) },
      });
      await expect((await engine.start('flow', 'x')).result).rejects.toMatchObject({
        code: 'step-failed',
        context: { needed: 3, failed: 2 },
      });
    });

    it('firstSuccess takes the first answer that is there', async () => {
      const engine = await open({
        files: fileOf([bag({ aggregate: 'firstSuccess' })]),
        models: { m: team({ A: refused, B: undefined, C: 'c', D: undefined }) },
      });
      const run = await engine.start('flow', 'x');
      expect((await run.result).output).toBe('c');
      expect((await engine.run(run.id)).output).toBe('c');
    });

    it.each([
      ['vote', 'はい'],
      ['concat', 'はい\n\nいいえ\n\nはい\n\n多分'],
    ] as const)('aggregates by %s', async (aggregate, expected) => {
      const engine = await open({
        files: fileOf([bag({ aggregate })]),
        models: { m: team({ A: 'はい', B: 'いいえ', C: 'はい', D: '多分' }) },
      });
      const { output, variables } = await (await engine.start('flow', 'x')).result;
      expect([output, variables['all']]).toEqual([expected, expected]);
    });

    it('a judge reads all answers, and bestOf names one of them', async () => {
      const prompts = {
        judge: 'J: {% for one in answers %}{{ one.number }}={{ one.answer }} {% endfor %}',
      };
      const model = answering((question) =>
        question.startsWith('J:') ? `the best is 2 (${question.trim()})` : 'y',
      );
      const aggregate = { strategy: 'judge', agent_id: 'd', prompt_id: 'judge' } as const;
      const engine = await open({
        files: fileOf([bag({ aggregate })], {
          prompts,
          workflows: {
            best: { steps: [bag({ aggregate: { ...aggregate, strategy: 'bestOf' } })] },
          },
        }),
        models: { m: model },
      });
      const judged = await engine.start('flow', 'x');
      expect((await judged.result).output).toBe('the best is 2 (J: 1=y 2=y 3=y 4=y)');
      expect((await engine.run(judged.id)).steps.at(-1)?.path).toBe('bag#1:judge');
    });
  });
}
