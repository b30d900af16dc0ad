import { describe, expect, it } from 'vitest';
import { defineWorkflow, dryRun, lint, toMermaid, WorkflowEngine } from '../../../src/index.ts';
import { testWorkflow } from '../../../src/testing/index.ts';

const files = defineWorkflow({
  name: 'story',
  agent_roles: { writer: { system_prompt: 'You write.' } },
  prompts: { draft: 'Write.' },
  steps: [{ id: 'draft', type: 'agent_interaction', agent_id: 'writer', prompt_id: 'draft' }],
});
const prices = { m: { inputPerMillion: 1, outputPerMillion: 1 } };

describe('options that are undefined', () => {
  it('leave the defaults of an engine', async () => {
    await using engine = await WorkflowEngine.open({
      files,
      prices,
      defaultModel: 'p:m',
      models: undefined,
      storage: undefined,
      middleware: undefined,
      concurrency: undefined,
      retention: undefined,
      clock: undefined,
      createId: undefined,
    });
    const given = await engine.dryRun('story', '', { prices: undefined, defaultModel: undefined });
    expect(given).toEqual(await engine.dryRun('story', ''));
    expect(given.unpriced).toEqual([]);
    expect(given.withoutModel).toEqual([]);
    expect(await engine.runs({ status: undefined, limit: undefined, after: undefined })).toEqual(
      [],
    );
  });

  it('leave the defaults of functions', async () => {
    const tested = await testWorkflow(files, {
      input: '',
      answers: { writer: 'once' },
      defaultModel: undefined,
      runId: undefined,
      signal: undefined,
      people: undefined,
    });
    expect(tested).toMatchObject({ runId: 'test', status: 'done', output: 'once' });
    expect(await lint(files, { language: undefined, models: undefined, tools: undefined })).toEqual(
      await lint(files),
    );
    const dry = await dryRun({ files, promptSets: undefined }, 'story', '', { items: undefined });
    expect(dry).toEqual(await dryRun({ files }, 'story', ''));
    const { story } = files.workflows ?? {};
    if (!story) throw new Error('there is no story');
    expect(toMermaid(story, { run: undefined, direction: undefined })).toBe(toMermaid(story));
  });
});
