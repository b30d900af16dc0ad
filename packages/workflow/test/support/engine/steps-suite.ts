import { LLMError, type Activity, type Retriever } from '@vizprompt/providers';
import { defineTool } from '@vizprompt/providers/generate';
import type { Step } from '@vizprompt/workflow';
import { describe, expect, it } from 'vitest';
import { answering, ask, courseOf, eventsOf, fileOf, questionOf } from './flow-parts.ts';
import { type OpenEngine } from './open-engine.ts';

const refused = new LLMError('auth', 'no');

/** Types of steps and what they do when something fails, on any runtime. */
export function testSteps(name: string, open: OpenEngine): void {
  describe(`steps (${name})`, () => {
    it('onError: continues, with another output, or with another step', async () => {
      const failing = (id: string, onError: Step['onError']): Step => ({
        ...ask(id, 'user_input'),
        ...(onError === undefined ? {} : { onError }),
      });
      const engine = await open({
        files: fileOf([
          failing('one', 'continue'),
          failing('two', { default: { n: [1] } }),
          failing('three', { goto: 'five' }),
          ask('four', 'user_input'),
          {
            id: 'five',
            type: 'function',
            function: 'see',
            input_variables: { e: 'errors' },
            output_variable: 'five',
          },
        ]),
        models: { m: answering(() => refused) },
        functions: { see: ({ e }) => Object.keys(e as object).length },
      });
      const run = await engine.start('flow', 'x');
      const { variables } = await run.result;
      expect(variables).toMatchObject({
        one: null,
        two: { n: [1] },
        three: null,
        five: 3,
        errors: { one: { context: { path: 'one#1', causeCode: 'auth' } } },
      });
      expect(variables).not.toHaveProperty('four');
      expect((await engine.run(run.id)).variables).toEqual(variables);
    });

    it('when: a step that is left out leaves its variable, or makes it null', async () => {
      const engine = await open({
        files: fileOf([
          ask('one', 'user_input'),
          { ...ask('two', 'one'), when: "one == 'no'" },
          { ...ask('three', 'one'), when: "one == 'yes'" },
          { ...ask('four', 'one', 'three'), when: "three == 'no'" },
        ]),
        models: { m: answering(() => 'yes') },
      });
      const run = await engine.start('flow', 'x');
      const events = await eventsOf(run);
      expect((await run.result).variables).toMatchObject({ two: null, three: 'yes' });
      expect(courseOf(events)).toEqual(
        expect.arrayContaining(['step:skipped two#1', 'step:skipped four#1']),
      );
    });

    it('foreach: each item has variables of its own, and the results are in order', async () => {
      const engine = await open({
        files: fileOf([
          {
            id: 'each',
            type: 'foreach',
            in: 'user_input.items',
            as: 'item',
            indexAs: 'at',
            maxConcurrency: 2,
            steps: [
              { ...ask('first', 'item', 'text'), when: 'at != 1' },
              {
                id: 'join',
                type: 'function',
                function: 'join',
                input_variables: { text: 'text', at: 'at' },
                output_variable: 'both',
              },
            ],
            output_variable: 'list',
          },
        ]),
        models: { m: answering((question) => question.slice(3)) },
        functions: { join: ({ text, at }) => `${JSON.stringify(text)}${JSON.stringify(at)}` },
      });
      const run = await engine.start('flow', { items: ['x', 'y', '😀'] });
      const { variables } = await run.result;
      expect(variables).toMatchObject({ list: ['"x"0', 'null1', '"😀"2'] });
      expect(variables).not.toHaveProperty('item');
      expect(variables).not.toHaveProperty('both');
      const { steps } = await engine.run(run.id);
      expect(steps.map(({ path }) => path).toSorted()).toEqual([
        'each#1/0/first#1',
        'each#1/0/join#1',
        'each#1/1/join#1',
        'each#1/2/first#1',
        'each#1/2/join#1',
      ]);
    });

    it('foreach: an item that fails is null where the others may continue', async () => {
      const engine = await open({
        files: fileOf([
          {
            id: 'each',
            type: 'foreach',
            in: 'user_input',
            as: 'item',
            failureMode: 'settled',
            steps: [ask('one', 'item', 'text')],
            output_variable: 'list',
          },
        ]),
        models: { m: answering((question) => (question.endsWith('2') ? refused : question)) },
      });
      const run = await engine.start('flow', [1, 2, 3]);
      const { variables } = await run.result;
      expect(variables['list']).toEqual(['Q: 1', null, 'Q: 3']);
      expect(variables['errors']).toMatchObject({ each: { '1': { code: 'step-failed' } } });
      expect((await engine.run(run.id)).variables).toEqual(variables);
    });

    it('a subflow has variables of its own, and shares the limits', async () => {
      const engine = await open({
        files: fileOf(
          [
            {
              id: 'sub',
              type: 'subflow',
              workflow: 'inner',
              input_variables: { user_input: 'user_input' },
              output_variable: 'text',
            },
            {
              id: 'sub2',
              type: 'subflow',
              workflow: 'inner',
              input_variables: { a: 'text', b: 'user_input' },
            },
          ],
          { workflows: { inner: { steps: [ask('one', 'user_input')], output: 'one' } } },
        ),
        models: { m: answering((question) => question.slice(3)) },
      });
      const run = await engine.start('flow', 'x');
      expect((await run.result).output).toBe('{"a":"x","b":"x"}');
      const { steps } = await engine.run(run.id);
      expect(steps.map(({ path }) => path)).toEqual(['sub#1/one#1', 'sub2#1/one#1']);
    });

    it('a workflow that runs itself ends by the limit of steps', async () => {
      const engine = await open({
        files: fileOf([{ id: 'self', type: 'subflow', workflow: 'flow' }], {
          flow: { limits: { steps: 50 } },
        }),
        models: {},
      });
      const run = await engine.start('flow', 'x');
      await expect(run.result).rejects.toMatchObject({ code: 'limit', context: { steps: 50 } });
    });

    it('function, tool, retriever and activity are given named inputs, a key and a signal', async () => {
      const seen: unknown[] = [];
      const retriever: Retriever = {
        specVersion: 1,
        async retrieve(query, options) {
          seen.push([query, options?.k, options?.filter]);
          return [{ id: '1', text: '本文', score: 1, source: { kind: 'document', uri: 'a.md' } }];
        },
      };
      const activity: Activity<{ n: number }, { doubled: number }> = {
        specVersion: 1,
        name: 'double',
        input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        output: { type: 'object', required: ['doubled'] },
        async run({ n }, { key, emit }) {
          emit('half-way', { n });
          seen.push(key);
          return { doubled: 2 * n };
        },
      };
      const tool = defineTool({
        name: 'add',
        input: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
        execute: (input, { id }) => [input, id],
      });
      const engine = await open({
        files: fileOf([
          {
            id: 'f',
            type: 'function',
            function: 'up',
            input_variables: { n: 'user_input.n' },
            output_variable: 'f',
          },
          {
            id: 't',
            type: 'tool',
            tool: 'add',
            input_variables: { a: 'f.n' },
            output_variable: 't',
          },
          {
            id: 'r',
            type: 'retrieve',
            retriever: 'docs',
            query: 'user_input.q',
            filter: { lang: 'ja' },
            output_variable: 'r',
          },
          {
            id: 'x',
            type: 'activity',
            activity: 'double',
            input_variables: { n: 'f.n' },
            output_variable: 'x',
          },
        ]),
        functions: {
          up: (input, { key }) => {
            const n = Number(input['n']) + 1;
            Object.assign(input, { n: 'changed' });
            return { n, key, at: new Date(0), gone: undefined } as never;
          },
        },
        tools: [tool],
        retrievers: { docs: retriever },
        activities: [activity],
        models: {},
      });
      const run = await engine.start('flow', { n: 1, q: '猫' }, { runId: 'r1' });
      const events = await eventsOf(run);
      const { variables } = await run.result;
      expect(variables).toMatchObject({
        user_input: { n: 1 },
        f: { n: 2, key: 'r1/f#1', at: '1970-01-01T00:00:00.000Z' },
        t: [{ a: 2 }, 'r1/t#1'],
        r: [{ text: '本文' }],
        x: { doubled: 4 },
      });
      expect(seen).toEqual([['猫', 5, { lang: 'ja' }], 'r1/x#1']);
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'step:emitted', name: 'half-way', payload: { n: 2 } }),
      );
      expect((await engine.run('r1')).variables).toEqual(variables);
    });

    it('a function that fails is called again only where its step says so, and has its time', async () => {
      let calls = 0;
      const functions = {
        flaky: () => {
          if (++calls < 3) throw new Error('flaky');
          return calls;
        },
        slow: () => new Promise<never>(() => undefined),
      };
      const step = { id: 'f', type: 'function', function: 'flaky' } as const;
      const once = await open({ files: fileOf([step]), functions, models: {} });
      await expect((await once.start('flow', 1)).result).rejects.toThrow(
        "the step 'f#1' failed: flaky",
      );
      calls = 0;
      const again = await open({
        files: fileOf([{ ...step, retry: { delay: 1, maxAttempts: 3 } }]),
        functions,
        models: {},
      });
      expect((await (await again.start('flow', 1)).result).output).toBe(3);
      const late = await open({
        files: fileOf([{ ...step, function: 'slow', timeout: { total: 20 } }]),
        functions,
        models: {},
      });
      await expect((await late.start('flow', 1)).result).rejects.toMatchObject({
        code: 'step-failed',
        cause: { code: 'timeout' },
      });
    });

    it('sleeps, and the time limit of a run counts that', async () => {
      const steps: Step[] = [
        { id: 'wait', type: 'sleep', duration: '30ms' },
        { id: 'until', type: 'sleep', until: 'user_input.at' },
        { id: 'f', type: 'function', function: 'now', output_variable: 'end' },
      ];
      const functions = { now: () => Date.now() };
      const engine = await open({ files: fileOf(steps), functions, models: {} });
      const at = Date.now() + 60;
      const run = await engine.start('flow', { at: new Date(at).toISOString() });
      expect((await run.result).output).toBeGreaterThanOrEqual(at);
      const limited = await open({
        files: fileOf(steps, { flow: { limits: { timeout: 20 } } }),
        functions,
        models: {},
      });
      await expect(
        (await limited.start('flow', { at: '2000-01-01T00:00:00Z' })).result,
      ).rejects.toMatchObject({ code: 'limit', context: { limit: 'timeout' } });
    });

    it('names that objects have of their own are like any others', async () => {
      const engine = await open({
        files: fileOf([
          { ...ask('one', 'user_input', '__proto__') },
          { ...ask('two', '__proto__', 'constructor') },
        ]),
        models: { m: answering((question) => question) },
      });
      const run = await engine.start('flow', 'x');
      expect((await run.result).output).toBe('Q: Q: x');
      expect(questionOf({ messages: [] })).toBe('');
    });
  });
}
