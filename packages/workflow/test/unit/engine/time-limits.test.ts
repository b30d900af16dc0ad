import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it, vi } from 'vitest';
import { WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';

function fileOf(step: object): WorkflowFile {
  return {
    agent_roles: { poet: { system_prompt: '', model: 'm' } },
    prompts: { write: 'x' },
    workflows: { flow: { steps: [{ id: 'ask', ...step } as never] } },
  };
}

const agent = { type: 'agent_interaction', agent_id: 'poet', prompt_id: 'write' };
const hangs = (): Promise<string> => new Promise(() => undefined);

it('timeout.total holds for all attempts and models of a step together', async () => {
  const m = scriptedModel(hangs);
  const n = scriptedModel(hangs);
  const timeout = { total: 60, attempt: 20 };
  const step = { ...agent, timeout, retry: { maxAttempts: 1000, delay: 0 }, fallback: ['n'] };
  await using engine = await WorkflowEngine.open({ files: fileOf(step), models: { m, n } });
  await expect((await engine.start('flow', 1)).result).rejects.toMatchObject({
    context: { causeCode: 'timeout' },
    message: expect.stringContaining('all attempts together'),
  });
  expect(m.calls.length).toBeLessThan(100);
  expect(n.calls).toHaveLength(0);
});

it('timeout.total holds for the attempts of a function, and the waits between them', async () => {
  let calls = 0;
  const f = (): never => {
    calls++;
    throw new Error('not now');
  };
  const retry = { maxAttempts: 5, delay: '1h', jitter: false };
  const step = { type: 'function', function: 'f', timeout: { total: 30 }, retry };
  await using engine = await WorkflowEngine.open({ files: fileOf(step), functions: { f } });
  await expect((await engine.start('flow', 1)).result).rejects.toMatchObject({
    context: { causeCode: 'timeout' },
  });
  expect(calls).toBe(1);
});

it('timeout.attempt ends one attempt, and the next one may succeed', async () => {
  const m = scriptedModel((_, at) => (at === 0 ? hangs() : 'second'));
  const step = { ...agent, timeout: { attempt: 20 }, retry: { maxAttempts: 2, delay: 0 } };
  await using engine = await WorkflowEngine.open({ files: fileOf(step), models: { m } });
  expect((await (await engine.start('flow', 1)).result).output).toBe('second');
});

it('a clock that is set back makes no sleep longer', async () => {
  let offset = 0;
  const clock = (): Date => new Date(Date.now() + offset);
  const step = { type: 'sleep', duration: 50 };
  await using engine = await WorkflowEngine.open({ files: fileOf(step), clock });
  const run = await engine.start('flow', 1);
  for await (const { type } of run) if (type === 'step:started') offset = -86_400_000;
  await vi.waitFor(() => expect(offset).toBeLessThan(0));
  await run.result;
});

it.each(['2020-01-31', '2020-01-31T09:00Z', '2020-02-29 09:00:00.5+09:00', '2020-01-31t24:00:00z'])(
  'sleeps until %s, which is over',
  async (until) => {
    const step = { type: 'sleep', until: 'user_input' };
    await using engine = await WorkflowEngine.open({ files: fileOf(step) });
    await expect((await engine.start('flow', until)).result).resolves.toMatchObject({
      output: null,
    });
  },
);

it.each([
  '2020-02-30',
  '2021-02-29T00:00:00Z',
  '2020-01-31T25:00Z',
  '5',
  'tomorrow at 5',
  'May 5',
  5,
  '',
])('refuses to sleep until %j', async (until) => {
  const step = { type: 'sleep', until: 'user_input' };
  await using engine = await WorkflowEngine.open({ files: fileOf(step) });
  await expect((await engine.start('flow', until)).result).rejects.toMatchObject({
    context: { causeCode: 'condition-failed' },
  });
});
