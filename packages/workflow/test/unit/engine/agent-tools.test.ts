import type { JsonValue, Part } from '@vizprompt/providers';
import { defineTool } from '@vizprompt/providers/generate';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it, onTestFinished } from 'vitest';
import { lint, WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/engine/open-engine.ts';

function call(id: string, name: string, input: JsonValue): Part {
  return { type: 'tool-call', id, name, input };
}

function calls(...parts: readonly Part[]): { parts: readonly Part[]; finishReason: 'tool-calls' } {
  return { parts, finishReason: 'tool-calls' };
}

function fileOf(step: object, more: WorkflowFile['workflows'] = {}): WorkflowFile {
  return {
    agent_roles: { poet: { system_prompt: '', model: 'm' } },
    prompts: { write: 'About {{ topic }}' },
    workflows: {
      flow: {
        steps: [
          {
            id: 'ask',
            type: 'agent_interaction',
            agent_id: 'poet',
            prompt_id: 'write',
            input_variables: { topic: 'user_input' },
            ...step,
          } as never,
        ],
      },
      ...more,
    },
  };
}

function adder(seen: JsonValue[]) {
  return defineTool<{ a: number; b: number }>({
    name: 'add',
    input: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
    },
    execute(input) {
      seen.push(input);
      if (input.a < 0) throw new RangeError('no negative numbers');
      return input.a + input.b;
    },
  });
}

it('an agent calls tools, several at a time, and answers with what they gave', async () => {
  const seen: JsonValue[] = [];
  const m = scriptedModel([
    calls(call('1', 'add', { a: 1, b: 2 }), call('2', 'add', { a: -1, b: 0 })),
    calls(call('3', 'nothing', {})),
    'three',
  ]);
  const files = fileOf({ tools: ['add'], output_variable: 'sum' });
  await using engine = await WorkflowEngine.open({ files, models: { m }, tools: [adder(seen)] });
  const run = await engine.start('flow', 'sums');
  const events = [];
  for await (const event of run) events.push(event);
  expect((await run.result).variables['sum']).toBe('three');
  expect(seen).toHaveLength(2);
  expect(m.calls[0]?.tools).toMatchObject([{ name: 'add' }]);
  const results = m.calls[1]?.messages.at(-1)?.parts;
  expect(results).toEqual([
    { type: 'tool-result', id: '1', name: 'add', output: 3 },
    { type: 'tool-result', id: '2', name: 'add', output: 'no negative numbers', isError: true },
  ]);
  expect(m.calls[2]?.messages.at(-1)?.parts[0]).toMatchObject({
    isError: true,
    output: expect.stringContaining('there are: add'),
  });
  const types = events.map(({ type }) => type);
  expect(types.filter((type) => type === 'tool:ended')).toHaveLength(3);
  expect(types.filter((type) => type === 'step:started')).toHaveLength(1);
  const { steps, usage } = await engine.run(run.id);
  expect(steps).toMatchObject([{ path: 'ask#1', output: 'three' }]);
  expect(usage.outputTokens).toBeGreaterThan(0);
});

it('a resume repeats no call of a tool or model that is in the journal', async () => {
  const storage = await openStorage(await temporaryFolder());
  onTestFinished(() => storage.close());
  const seen: JsonValue[] = [];
  const m = scriptedModel((_, at) => {
    if (at === 0) return calls(call('1', 'add', { a: 1, b: 2 }), call('2', 'add', { a: 3, b: 4 }));
    if (at === 1) throw new Error('the process ends here');
    return 'ten';
  });
  const options = {
    files: fileOf({ tools: ['add'], retry: { maxAttempts: 1 } }),
    models: { m },
    tools: [adder(seen)],
    storage,
  };
  await using engine = await WorkflowEngine.open(options);
  const run = await engine.start('flow', 'x', { runId: 'r' });
  await expect(run.result).rejects.toMatchObject({ code: 'step-failed' });
  const again = await engine.resume('r');
  expect((await again.result).output).toBe('ten');
  expect(seen).toHaveLength(2);
  expect(m.calls).toHaveLength(3);
  expect(m.calls[2]?.messages).toEqual(m.calls[1]?.messages);
});

it('a resumed run that is cancelled does not wait for tools that never come', async () => {
  const storage = await openStorage(await temporaryFolder());
  onTestFinished(() => storage.close());
  const tool = adder([]);
  let isResumed = false;
  let isRun: () => void = () => undefined;
  const running = new Promise<void>((resolve) => (isRun = resolve));
  const odd: typeof tool = {
    ...tool,
    describe: () => (isResumed ? new Promise(() => undefined) : tool.describe()),
    run: () => {
      isRun();
      return new Promise(() => undefined);
    },
  };
  const m = scriptedModel([calls(call('1', 'add', { a: 1, b: 2 }))]);
  const files = fileOf({ tools: ['add'] });
  await using engine = await WorkflowEngine.open({ files, models: { m }, tools: [odd], storage });
  const run = await engine.start('flow', 'x', { runId: 'r' });
  await running;
  run.cancel();
  await expect(run.result).rejects.toMatchObject({ code: 'cancelled' });
  isResumed = true;
  const again = await engine.resume('r');
  for await (const { type } of again) if (type === 'tool:started') break;
  again.cancel();
  await expect(again.result).rejects.toMatchObject({ code: 'cancelled' });
});

it('a person approves calls where the file says so', async () => {
  const seen: JsonValue[] = [];
  const m = scriptedModel([
    calls(call('1', 'add', { a: 1, b: 2 }), call('2', 'add', { a: 100, b: 1 })),
    calls(call('3', 'add', { a: 200, b: 1 })),
    'done',
  ]);
  const tools = [{ tool: 'add', approve: { when: 'input.a > 10' } }];
  const files = fileOf({ tools });
  await using engine = await WorkflowEngine.open({ files, models: { m }, tools: [adder(seen)] });
  const run = await engine.start('flow', 'x');
  const asked: string[] = [];
  for await (const event of run) {
    if (event.type !== 'step:waiting') continue;
    asked.push(event.question);
    const { waiting } = await engine.run(run.id);
    expect(waiting).toMatchObject([{ path: event.path }]);
    await expect(engine.answer(run.id, 'perhaps')).rejects.toMatchObject({ code: 'invalid-input' });
    const answer = asked.length === 1 ? { approve: false, reason: 'too much' } : true;
    await engine.answer(run.id, answer, { path: event.path });
  }
  expect((await run.result).output).toBe('done');
  expect(asked).toHaveLength(2);
  expect(seen).toEqual([
    { a: 1, b: 2 },
    { a: 200, b: 1 },
  ]);
  expect(JSON.stringify(m.calls[1]?.messages)).toContain('refused this call: too much');
});

it('limits of calls and rounds hold', async () => {
  const seen: JsonValue[] = [];
  const forever = scriptedModel((_, at) => calls(call(String(at), 'add', { a: at, b: 0 })));
  const files = fileOf({ tools: [{ tool: 'add', maxCalls: 2 }], maxToolRounds: 4 });
  await using engine = await WorkflowEngine.open({
    files,
    models: { m: forever },
    tools: [adder(seen)],
  });
  await expect((await engine.start('flow', 'x')).result).rejects.toMatchObject({
    context: { causeCode: 'exhausted' },
  });
  expect(seen).toHaveLength(2);
  expect(forever.calls).toHaveLength(5);
});

it('workflows and retrievers are tools, too', async () => {
  const m = scriptedModel([
    calls(call('1', 'flow_other', { input: 'x' }), call('2', 'retrieve_notes', { query: '猫' })),
    calls(call('3', 'flow_bad', {})),
    'done',
  ]);
  const files = fileOf(
    { tools: ['flow:other', 'retrieve:notes', 'flow:bad'] },
    {
      other: {
        description: 'Doubles',
        steps: [{ id: 'f', type: 'function', function: 'f', input_variables: { x: 'user_input' } }],
      },
      bad: { steps: [{ id: 'g', type: 'function', function: 'g' }] },
    },
  );
  const conversations: unknown[] = [];
  await using engine = await WorkflowEngine.open({
    files,
    models: { m },
    functions: {
      f: ({ x }) => (typeof x === 'string' ? x + x : null),
      g: () => {
        throw new Error('g is broken');
      },
    },
    retrievers: {
      notes: {
        specVersion: 1,
        async retrieve(query, { conversation } = {}) {
          conversations.push(conversation);
          return [{ id: '1', text: query, score: 1, source: { kind: 'x', uri: 'x' } }];
        },
      },
    },
  });
  const run = await engine.start('flow', 'x');
  expect((await run.result).output).toBe('done');
  expect(conversations).toEqual([run.id]);
  expect(m.calls[1]?.messages.at(-1)?.parts).toMatchObject([
    { output: 'xx' },
    { output: [{ text: '猫' }] },
  ]);
  expect(m.calls[2]?.messages.at(-1)?.parts).toMatchObject([
    { isError: true, output: expect.stringContaining('g is broken') },
  ]);
});

it('an object is asked for after the calls of tools', async () => {
  const m = scriptedModel([calls(call('1', 'add', { a: 1, b: 2 })), '{"sum": 3}']);
  const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
  const files = fileOf({ tools: ['add'], output: { schema } });
  await using engine = await WorkflowEngine.open({ files, models: { m }, tools: [adder([])] });
  expect((await (await engine.start('flow', 'x')).result).output).toEqual({ sum: 3 });
});

it('parallel agents have tools of their own', async () => {
  const seen: JsonValue[] = [];
  const m = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? 'ok' : calls(call('1', 'add', { a: 1, b: 1 })),
  );
  const one = { agent_id: 'poet', prompt_id: 'write', input_variables: { topic: 'user_input' } };
  const files = fileOf({
    type: 'multi_agent_interaction',
    agent_id: undefined,
    prompt_id: undefined,
    input_variables: undefined,
    agents_to_run: [
      { ...one, tools: ['add'] },
      { ...one, tools: ['add'] },
    ],
    aggregate: 'vote',
  });
  const plain: WorkflowFile = JSON.parse(JSON.stringify(files));
  await using engine = await WorkflowEngine.open({
    files: plain,
    models: { m },
    tools: [adder(seen)],
  });
  expect((await (await engine.start('flow', 'x')).result).output).toBe('ok');
  expect(seen).toHaveLength(2);
});

it('what is missing is reported before anything is paid for', async () => {
  const m = scriptedModel([]);
  for (const tool of ['ad', 'retrieve:notes']) {
    await using engine = await WorkflowEngine.open({
      files: fileOf({ tools: [tool] }),
      models: { m },
    });
    await expect(engine.start('flow', 'x')).rejects.toMatchObject({ code: 'not-found' });
  }
  const problems = await lint(
    fileOf({
      tools: ['ad', 'mcp:files/read', 'flow:folw', { tool: 'add', approve: { when: 'input.(' } }],
    }),
    { tools: ['add'] },
  );
  expect(problems.map(({ code }) => code).toSorted()).toEqual([
    'condition-syntax',
    'unknown-server',
    'unknown-tool',
    'unknown-workflow',
  ]);
});
