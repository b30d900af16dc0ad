import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { startFakeLLM } from '@vizprompt/providers/testing';
import type { Step, WorkflowFile } from '@vizprompt/workflow';
import { testWorkflow } from '@vizprompt/workflow/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const story: WorkflowFile = {
  agent_roles: {
    writer: { system_prompt: '書く', model: 'ollama:tiny' },
    critic: { system_prompt: '批評する', model: 'openai:small' },
  },
  prompts: { draft: '題: {{ topic }}', review: '直せ: {{ text }}', ok: '良いか: {{ text }}' },
  workflows: {
    story: {
      steps: [
        {
          id: 'draft',
          type: 'agent_interaction',
          agent_id: 'writer',
          prompt_id: 'draft',
          input_variables: { topic: 'user_input' },
          output_variable: 'text',
          retry: { delay: 1 },
        },
        {
          id: 'review',
          type: 'agent_interaction',
          agent_id: 'critic',
          prompt_id: 'review',
          input_variables: { text: 'text' },
          output_variable: 'better',
          fallback: ['ollama:tiny'],
          retry: { maxAttempts: 1 },
        },
      ],
    },
  },
};

const asked: WorkflowFile = {
  prompts: { ok: '良いか: {{ text }}' },
  agent_roles: {},
  workflows: {
    ask: {
      steps: [
        {
          id: 'ask',
          type: 'human',
          prompt_id: 'ok',
          input_variables: { text: 'user_input' },
          output_variable: 'ok',
        },
      ],
    },
  },
};

describe('testWorkflow', () => {
  it('answers for models, and returns the prompts, the calls and the events', async () => {
    const run = await testWorkflow(story, {
      input: '猫',
      answers: { writer: '初稿', review: ({ prompt }) => `${prompt}!` },
    });
    expect(run).toMatchObject({
      runId: 'test',
      status: 'done',
      output: '直せ: 初稿!',
      prompts: { draft: ['題: 猫'], review: ['直せ: 初稿'] },
      calls: [
        { path: 'draft#1', agent: 'writer', model: 'ollama:tiny', system: '書く', answer: '初稿' },
        { path: 'review#1', agent: 'critic', model: 'openai:small', attempt: 1 },
      ],
    });
    expect(run.error).toBeUndefined();
    expect(run.events.map(({ type }) => type).filter((type) => type !== 'step:delta')).toEqual([
      'run:started',
      'step:started',
      'step:ended',
      'step:started',
      'step:ended',
      'run:ended',
    ]);
  });

  it('runs the same flow with the roles and prompts of another set', async () => {
    const { prompts, calls } = await testWorkflow(story, {
      input: '春',
      promptSets: {
        haiku: {
          agent_roles: {
            writer: { system_prompt: '俳人', model: 'ollama:tiny' },
            critic: { system_prompt: '選者', model: 'ollama:tiny' },
          },
          prompts: { draft: '「{{ topic }}」で一句。', review: '選評を。{{ text }}' },
        },
      },
      promptSet: 'haiku',
      answers: ({ agent }) => agent,
    });
    expect(prompts).toEqual({ draft: ['「春」で一句。'], review: ['選評を。writer'] });
    expect(calls.map(({ system }) => system)).toEqual(['俳人', '選者']);
  });

  it('gives the error of a run that fails, with what it had done until then', async () => {
    const run = await testWorkflow(story, { input: '猫', answers: { writer: '初稿' } });
    expect(run).toMatchObject({ status: 'failed', output: null, error: { code: 'step-failed' } });
    expect(messageOf(run.error)).toContain("no answer for the step 'review' or the agent 'critic'");
    expect(run.events.at(-1)).toMatchObject({ type: 'run:ended', status: 'failed' });
    const mistyped = await testWorkflow(story, { input: '猫', answers: { writter: '初稿' } });
    expect(messageOf(mistyped.error)).toContain(
      "the agent 'writer' (is it 'writter' of the answers?), which was asked: ",
    );
    const none = await testWorkflow(story, { input: '猫' });
    expect(messageOf(none.error)).toContain('no answers were given');
  });

  it('refuses what no run can come of', async () => {
    await expect(testWorkflow(story, { workflow: 'poem', input: '' })).rejects.toMatchObject({
      code: 'not-found',
    });
    const two = { ...story, workflows: { ...story.workflows, ...asked.workflows } };
    await expect(testWorkflow(two, { input: '' })).rejects.toThrow('there are story, ask');
  });

  it('simulates failures that retries and fallbacks deal with', async () => {
    const { status, calls, events } = await testWorkflow(story, {
      input: '猫',
      answers: { draft: 'a', review: 'b' },
      simulate: {
        latencyMs: [1, 3],
        failures: [
          { at: 'draft', times: 2, retryAfterMs: 1 },
          { at: 'critic', code: 'overloaded' },
        ],
      },
    });
    expect(status).toBe('done');
    expect(calls.map(({ stepId, model, attempt }) => [stepId, model, attempt])).toEqual([
      ['draft', 'ollama:tiny', 1],
      ['draft', 'ollama:tiny', 2],
      ['draft', 'ollama:tiny', 3],
      ['review', 'openai:small', 1],
      ['review', 'ollama:tiny', 2],
    ]);
    expect(events.filter(({ type }) => type === 'step:retried')).toHaveLength(2);
    expect(events.filter(({ type }) => type === 'step:fell-back')).toHaveLength(1);
  });

  it('ends though a person never answers, or too late', async () => {
    const flow = (more: readonly Step[]): WorkflowFile => ({
      prompts: { well: 'Well?' },
      workflows: {
        flow: {
          steps: [
            {
              id: 'ask',
              type: 'human',
              prompt_id: 'well',
              timeout: { total: 20 },
              onError: { default: 'late' },
            },
            ...more,
          ],
        },
      },
    });
    const never = () => new Promise<never>(() => undefined);
    const silent = await testWorkflow(flow([]), { input: 1, people: { ask: never } });
    expect(silent).toMatchObject({ status: 'done', output: 'late' });
    let answer: (value: string) => void = () => undefined;
    const tardy = await testWorkflow(flow([{ id: 'f', type: 'function', function: 'f' }]), {
      input: 1,
      people: { ask: () => new Promise<string>((resolve) => (answer = resolve)) },
      functions: {
        f: async () => {
          answer('too late');
          await new Promise((resolve) => setImmediate(resolve));
          return 'done';
        },
      },
    });
    expect(tardy).toMatchObject({ status: 'done', output: 'done' });
  });

  it('lets people answer, and fails when no answer comes', async () => {
    const yes = await testWorkflow(asked, { input: '猫', people: { ask: [{ ok: true }] } });
    expect(yes.output).toEqual({ ok: true });
    const echo = await testWorkflow(asked, {
      input: '猫',
      people: { ask: (question, path) => `${path} ${question}` },
    });
    expect(echo.output).toBe('ask#1 良いか: 猫');
    const nobody = await testWorkflow(asked, { input: '猫' });
    expect(nobody).toMatchObject({ status: 'cancelled' });
    expect(messageOf(nobody.error)).toBe(
      "a person was asked by 'ask#1' and does not answer: people['ask'] is missing; the question was: 良いか: 猫",
    );
  });
});

describe('cassettes', () => {
  it('are recorded from real servers, without secrets, and replayed without them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vizprompt-cassettes-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ';
    const server = await startFakeLLM({ answer: ({ model }) => `${model}の答え` });
    const models = createModelRegistry({
      ollama: { baseURL: server.url },
      openai: { baseURL: `${server.url}/v1`, apiKey: 'key-of-the-test' },
    });
    const input = `猫 ${secret}`;
    const recorded = await testWorkflow(story, {
      input,
      models,
      cassettes: { store: folder, mode: 'record' },
    });
    expect(recorded).toMatchObject({ status: 'done', output: 'smallの答え' });
    const count = server.requests.length;
    await server.close();

    const files = await readdir(join(folder, 'calls'));
    expect(files).toHaveLength(2);
    for (const file of files) {
      const text = await readFile(join(folder, 'calls', file), 'utf8');
      expect(text).not.toContain(secret);
      expect(text).not.toContain('key-of-the-test');
    }
    for (let again = 0; again < 2; again++) {
      const replayed = await testWorkflow(story, { input, cassettes: { store: folder } });
      expect(replayed).toMatchObject({ status: 'done', output: 'smallの答え' });
      expect(replayed.prompts).toEqual(recorded.prompts);
    }
    expect(server.requests).toHaveLength(count);

    const changed = await testWorkflow(
      { ...story, prompts: { ...story.prompts, draft: '主題: {{ topic }}' } },
      { input, cassettes: { store: folder } },
    );
    expect(changed.status).toBe('failed');
    expect(messageOf(changed.error)).toMatch(/- .*"題: 猫[^]*\+ .*"主題: 猫/);
  });
});
