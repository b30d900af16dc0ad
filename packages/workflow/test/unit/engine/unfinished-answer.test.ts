import type { FinishReason } from '@vizprompt/providers';
import { type ScriptedAnswer, scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';

type Given = string | { readonly text: string; readonly finishReason: FinishReason };

const call = { agent_id: 'poet', prompt_id: 'write', output_variable: 'poem' };
const RETRY = { maxAttempts: 2, delay: 0 };

function fileOf(step: object): WorkflowFile {
  return {
    agent_roles: { poet: { system_prompt: '', model: 'm' } },
    prompts: { write: 'x' },
    workflows: { flow: { steps: [{ id: 'ask', ...step } as never] } },
  };
}

function scripted(answer: Given): ScriptedAnswer {
  if (typeof answer === 'string') return answer;
  const { text, finishReason } = answer;
  return { parts: text === '' ? [] : [{ type: 'text', text }], finishReason };
}

async function open(step: object, answers: readonly Given[], others: readonly Given[] = []) {
  const m = scriptedModel(answers.map(scripted));
  const n = scriptedModel(others.map(scripted));
  const engine = await WorkflowEngine.open({ files: fileOf(step), models: { m, n } });
  return { engine, m, n };
}

const agent = { type: 'agent_interaction', ...call };

/** Unusable answers, as servers give them: cut off, filtered, empty in all ways. */
const UNUSABLE: readonly [string, Given, string][] = [
  ['cut off', { text: 'half a sen', finishReason: 'length' }, 'cut off'],
  ['cut off before its first word', { text: '', finishReason: 'length' }, 'cut off'],
  ['filtered', { text: '', finishReason: 'content-filter' }, 'filter'],
  ['filtered in the middle', { text: 'half', finishReason: 'content-filter' }, 'filter'],
  ['broken off by the server', { text: 'half', finishReason: 'error' }, 'error'],
  ['empty', { text: '', finishReason: 'stop' }, 'empty'],
  ['blank', { text: ' \n\t\u3000', finishReason: 'stop' }, 'empty'],
  ['invisible', { text: '\u200b\ufeff\u2060', finishReason: 'unknown' }, 'empty'],
];

describe.each(UNUSABLE)('an answer that is %s', (_, answer, why) => {
  it('fails the step', async () => {
    const { engine } = await open(agent, [answer]);
    const run = await engine.start('flow', 'x');
    await expect(run.result).rejects.toMatchObject({
      code: 'step-failed',
      message: expect.stringContaining(why),
      context: { causeCode: 'unusable-answer' },
    });
  });

  it('is asked for again where the step says so', async () => {
    const { engine, m } = await open({ ...agent, retry: RETRY }, [answer, 'whole']);
    const run = await engine.start('flow', 'x');
    const events = [];
    for await (const event of run) events.push(event);
    expect((await run.result).output).toBe('whole');
    expect(m.calls).toHaveLength(2);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'step:retried',
        error: expect.objectContaining({ code: 'unusable-answer' }),
      }),
    );
  });

  it('is asked of the model of fallback', async () => {
    const { engine, n } = await open({ ...agent, fallback: ['n'] }, [answer], ['whole']);
    expect((await (await engine.start('flow', 'x')).result).output).toBe('whole');
    expect(n.calls).toHaveLength(1);
  });

  it('is left to onError', async () => {
    const { engine } = await open({ ...agent, onError: { default: 'none' } }, [answer]);
    const { variables } = await (await engine.start('flow', 'x')).result;
    expect(variables['poem']).toBe('none');
  });

  it('has no vote, and is no first success', async () => {
    const agents = [call, call, call].map(({ output_variable: _name, ...one }) => one);
    for (const aggregate of ['vote', 'firstSuccess']) {
      const step = {
        type: 'multi_agent_interaction',
        agents_to_run: agents,
        maxConcurrency: 1,
        failureMode: 'settled',
        aggregate,
      };
      const { engine } = await open(step, [answer, answer, 'C']);
      expect((await (await engine.start('flow', 'x')).result).output).toBe('C');
    }
  });
});

it('counts as an answer where the step allows a truncated one, and is reported', async () => {
  const cut: Given = { text: 'half a sen', finishReason: 'length' };
  const { engine } = await open({ ...agent, allowTruncated: true }, [cut]);
  const run = await engine.start('flow', 'x');
  const events = [];
  for await (const event of run) events.push(event);
  expect((await run.result).output).toBe('half a sen');
  const told = { type: 'step:ended', finishReason: 'length' };
  expect(events).toContainEqual(expect.objectContaining(told));
  expect((await engine.run(run.id)).steps).toMatchObject([{ finishReason: 'length' }]);
});

it.each(UNUSABLE.slice(2, 4))('never counts where it is %s', async (_, answer) => {
  const { engine } = await open({ ...agent, allowTruncated: true }, [answer]);
  await expect((await engine.start('flow', 'x')).result).rejects.toMatchObject({
    context: { causeCode: 'unusable-answer' },
  });
});

describe('JSON within an answer', () => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  it.each([
    'Sure! {"ok": true} Hope it helps.',
    '<think>Is {"ok": false} right? No.</think>\n{"ok": true}',
    '```json\n{"ok": true}\n```',
    'Here you are:\n\n```\n{"ok": true}\n```\nAnything else?',
    '<thinking>hm</thinking>{"ok":true}',
  ])('is read before a second call is paid for: %j', async (text) => {
    const { engine, m } = await open({ ...agent, output: { schema } }, [text]);
    expect((await (await engine.start('flow', 'x')).result).output).toEqual({ ok: true });
    expect(m.calls).toHaveLength(1);
  });

  it('is not taken from an answer that was cut off', async () => {
    const cut: Given = { text: '[{"ok": true}, {"ok": tr', finishReason: 'length' };
    const { engine } = await open({ ...agent, output: { schema } }, [cut]);
    await expect((await engine.start('flow', 'x')).result).rejects.toThrow('cut off');
  });
});

describe('a judge of bestOf that names none', () => {
  const best = {
    type: 'multi_agent_interaction',
    agents_to_run: [call, call].map(({ output_variable: _name, ...one }) => one),
    aggregate: { strategy: 'bestOf', agent_id: 'poet', prompt_id: 'write', model: 'n' },
  };
  it.each(['Answer 2 is better than answer 1 because it rhymes.', 'Best: 2/3', '2.0', 'both', '3'])(
    'is asked once more: %s',
    async (reply) => {
      const { engine, n } = await open(best, ['A', 'B'], [reply, '2']);
      const { output } = await (await engine.start('flow', 'x')).result;
      expect(output).toBe('B');
      expect(n.calls).toHaveLength(2);
      expect(JSON.stringify(n.calls[1]?.messages)).toContain('from 1 to 2');
    },
  );
});
