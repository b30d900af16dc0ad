import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FlowGraph, VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel, startFakeLLM } from '@vizprompt/providers/testing';
import { conversationActivity } from '@vizprompt/talktable';
import { WorkflowEngine, type WorkflowFile } from '@vizprompt/workflow';
import { testWorkflow } from '@vizprompt/workflow/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const execute = promisify(execFile);
const examples = fileURLToPath(new URL('..', import.meta.url));
const tsx = createRequire(import.meta.url).resolve('tsx/cli');

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-workflow-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function runProgram(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execute(
    process.execPath,
    [tsx, join(examples, 'workflow/main.ts'), ...args],
    {
      cwd,
    },
  );
  return stdout;
}

const fileIn = (path: string): string => join(examples, 'workflow', path);

describe('the two flows of the design', () => {
  it('boosting: each answer goes into the next prompt', async () => {
    const { output, prompts, calls } = await testWorkflow(fileIn('config/workflow_config.json'), {
      promptSets: { default: fileIn('prompts/default_prompts.json') },
      workflow: 'boosting',
      input: '猫',
      answers: { draft: '初稿', critique: '弱い', revise: '改稿' },
    });
    expect(output).toBe('改稿');
    expect(prompts['critique']).toEqual(['次の物語の弱い所を三つ挙げてください。\n\n初稿']);
    expect(prompts['revise']?.[0]).toContain('物語:\n初稿\n\n批評:\n弱い');
    expect(calls.map(({ agent, model }) => [agent, model])).toEqual([
      ['writer', 'ollama:llama3'],
      ['critic', 'ollama:llama3'],
      ['writer', 'ollama:llama3'],
    ]);
  });

  it('bagging: agents answer at the same time, and one makes a whole of it', async () => {
    const { output, prompts, events } = await testWorkflow(fileIn('config/workflow_config.json'), {
      promptSets: { default: fileIn('prompts/default_prompts.json') },
      workflow: 'bagging',
      input: '猫を飼う',
      answers: { optimist: '良い', skeptic: '悪い', aggregator: '半々' },
      simulate: { latencyMs: 20 },
    });
    expect(output).toBe('半々');
    expect(prompts['aggregation_step']?.[0]).toContain('賛成:\n良い\n\n反対:\n悪い');
    const names = events
      .map(({ type }) => type)
      .filter((type) => /^step:(started|ended)$/.test(type));
    expect(names.slice(0, 2)).toEqual(['step:started', 'step:started']);
  });

  it('the same flow runs with other roles', async () => {
    const { prompts, calls } = await testWorkflow(fileIn('config/workflow_config.json'), {
      promptSets: {
        default: fileIn('prompts/default_prompts.json'),
        haiku: fileIn('prompts/haiku_prompts.json'),
      },
      promptSet: 'haiku',
      workflow: 'bagging',
      input: '春',
      answers: ({ agent }) => agent,
    });
    expect(prompts['opinions']).toEqual(['「春」で一句。', '「春」で一句。']);
    expect(calls[2]?.system).toBe('あなたは連句の捌き手です。');
  });

  it.each(['boosting', 'bagging'])('%s runs without any key, and becomes a flow', async (name) => {
    const folder = await temporaryFolder();
    const output = await runProgram(
      folder,
      name,
      '--stand-in',
      '--project',
      'project',
      '--data',
      'data',
    );
    expect(output).toContain('stands in for one');
    expect(output.trim().split('\n').at(-1)).toMatch(/の答え。「.*」$/);
    await using vizprompt = await VizPrompt.open(join(folder, 'project'));
    const [flow] = await vizprompt.listFlows();
    expect(flow).toMatchObject({ nodes: 3, connections: 2 });
    const set = await runProgram(
      folder,
      name,
      '--stand-in',
      '--prompt-set',
      'haiku',
      '--input',
      '春',
    );
    expect(set).toMatch(/の答え/);
  });

  it.each(['openai', 'ollama'])('runs on a server that speaks the protocol of %s', async (wire) => {
    const folder = await temporaryFolder();
    await using llm = await startFakeLLM({ answer: ({ model }) => `${model}の答え` });
    const baseURL = wire === 'openai' ? `${llm.url}/v1` : llm.url;
    const output = await execute(
      process.execPath,
      [tsx, fileIn('main.ts'), 'bagging', '--model', `${wire}:tiny`, '--base-url', baseURL],
      { cwd: folder, env: { ...process.env, OPENAI_API_KEY: 'none' } },
    );
    expect(output.stdout.trim().split('\n').at(-1)).toBe('tinyの答え');
    expect(
      llm.requests.filter(({ kind }) => kind === 'chat').map(({ wire: spoken }) => spoken),
    ).toEqual([wire, wire, wire]);
  });

  it('says in one sentence what is wrong', async () => {
    const folder = await temporaryFolder();
    await expect(runProgram(folder, 'stacking', '--stand-in')).rejects.toThrow(/stacking/);
  });
});

const panel: WorkflowFile = {
  agent_roles: Object.fromEntries(
    ['writer', 'a', 'b', 'c', 'd'].map((id) => [id, { system_prompt: id, model: 'm' }]),
  ),
  prompts: { draft: '題: {{ topic }}', judge: '評: {{ text }}' },
  workflows: {
    panel: {
      steps: [
        {
          id: 'draft',
          type: 'agent_interaction',
          agent_id: 'writer',
          prompt_id: 'draft',
          input_variables: { topic: 'user_input' },
          output_variable: 'text',
        },
        {
          id: 'votes',
          type: 'multi_agent_interaction',
          agents_to_run: ['a', 'b', 'c', 'd'].map((agent_id) => ({
            agent_id,
            prompt_id: 'judge',
            input_variables: { text: 'text' },
          })),
          failureMode: 'settled',
          aggregate: 'vote',
          output_variable: 'verdict',
        },
        {
          id: 'last',
          type: 'agent_interaction',
          agent_id: 'writer',
          prompt_id: 'judge',
          input_variables: { text: 'verdict' },
        },
      ],
    },
  },
};

describe('a recorded run', () => {
  it('is a graph in a project, and a session in a memory: branches, and what they make together', async () => {
    const folder = await temporaryFolder();
    await using vizprompt = await VizPrompt.open(join(folder, 'project'));
    await using memory = await MemoryStore.open({ path: join(folder, 'memory.db') });
    const { output, events } = await testWorkflow(panel, {
      input: '猫',
      answers: { writer: '文', a: '良', b: '良', c: '可', d: { parts: [], finishReason: 'stop' } },
      recorders: [vizprompt.recorder(), memory.recorder()],
    });
    expect(output).toBe('文');
    expect(events.filter(({ type }) => type === 'recorder:failed')).toEqual([]);

    const [found] = await vizprompt.listFlows();
    const flow = await vizprompt.getFlow(found?.id ?? '');
    expect(flow.name).toBe('test');
    const graph = new FlowGraph(flow);
    const [root = ''] = graph.roots();
    expect(graph.roots()).toHaveLength(1);
    expect(graph.children(root)).toHaveLength(4);
    const [merged = ''] = graph.children(graph.children(root)[0] ?? '');
    expect(graph.parents(merged)).toHaveLength(4);
    expect(await vizprompt.getNode(merged)).toMatchObject({ response: '良', tags: ['aggregate'] });
    const [leaf = ''] = graph.leaves();
    expect(await vizprompt.getNode(leaf)).toMatchObject({ prompt: '評: 良', speaker: 'writer' });
    expect(flow.nodes).toHaveLength(7);

    const sessions = await memory.listSessions();
    expect(sessions).toHaveLength(1);
  });

  it('is recorded under the same ids after a resume', async () => {
    const folder = await temporaryFolder();
    await using vizprompt = await VizPrompt.open(join(folder, 'project'));
    await using storage = await openStorage(join(folder, 'data'));
    const open = async (answer: string): Promise<WorkflowEngine> =>
      WorkflowEngine.open({
        files: panel,
        storage,
        models: { m: scriptedModel(() => answer, { modelId: 'm', chunkDelayMs: 5 }) },
        recorders: [vizprompt.recorder()],
      });
    const first = await open('一');
    const run = await first.start('panel', '猫', { runId: '審査' });
    for await (const event of run) {
      if (event.type === 'step:ended' && event.path.startsWith('votes')) break;
    }
    await first.close();
    await using second = await open('二');
    const { output } = await (await second.resume('審査')).result;
    expect(output).toBe('二');
    const [found, ...others] = await vizprompt.listFlows();
    expect(others).toEqual([]);
    const flow = await vizprompt.getFlow(found?.id ?? '');
    expect(flow.nodes).toHaveLength(7);
    const nodes = await Promise.all(flow.nodes.map(({ id }) => vizprompt.getNode(id)));
    expect(nodes.map(({ status }) => status ?? 'done')).toEqual(nodes.map(() => 'done'));
    expect(nodes[0]?.response).toBe('一');
  });

  it('holds what failed, and what it failed with', async () => {
    const folder = await temporaryFolder();
    await using vizprompt = await VizPrompt.open(join(folder, 'project'));
    const { status } = await testWorkflow(panel, {
      input: '猫',
      answers: { writer: '文' },
      recorders: [vizprompt.recorder()],
    });
    expect(status).toBe('failed');
    const [found] = await vizprompt.listFlows();
    const flow = await vizprompt.getFlow(found?.id ?? '');
    const nodes = await Promise.all(flow.nodes.map(({ id }) => vizprompt.getNode(id)));
    const failed = nodes.filter((node) => node.status === 'failed');
    expect(failed).toHaveLength(4);
    expect(JSON.stringify(failed[0]?.responseParts)).toContain('no answer for the step');
  });
});

describe('a talk as a step', () => {
  it('is led, told of, recorded and gives its conclusion to the next step', async () => {
    const folder = await temporaryFolder();
    await using vizprompt = await VizPrompt.open(join(folder, 'project'));
    const speaker = (name: string): ReturnType<typeof scriptedModel> =>
      scriptedModel((_, call) => `${name}${call}`, { modelId: name });
    const talk = conversationActivity({
      name: 'debate',
      config: {
        topic: '?',
        participants: ['猫派', '犬派'].map((name) => ({ name, model: speaker(name) })),
        moderator: { model: speaker('司会') },
        rounds: 1,
        logPath: join(folder, 'talk.db'),
      },
    });
    const { output, prompts, events } = await testWorkflow(
      {
        agent_roles: { writer: { system_prompt: '書く' } },
        prompts: { report: '討論「{{ topic }}」の結論: {{ conclusion }}' },
        workflows: {
          debate: {
            steps: [
              {
                id: 'talk',
                type: 'activity',
                activity: 'debate',
                input_variables: { topic: 'user_input' },
                output_variable: 'talk',
              },
              {
                id: 'report',
                type: 'agent_interaction',
                agent_id: 'writer',
                prompt_id: 'report',
                input_variables: { topic: 'user_input', conclusion: 'talk.conclusion' },
              },
            ],
          },
        },
      },
      {
        input: '猫と犬',
        answers: { writer: '報告' },
        activities: [talk],
        recorders: [vizprompt.recorder()],
      },
    );
    expect(output).toBe('報告');
    expect(prompts['report']?.[0]).toMatch(/^討論「猫と犬」の結論: 司会\d$/);
    const told = events.filter((event) => event.type === 'step:emitted');
    expect(told.length).toBeGreaterThan(2);
    expect(told[0]).toMatchObject({ stepId: 'talk', name: 'turn:ended' });
    const flows = await vizprompt.listFlows();
    expect(flows).toHaveLength(2);
  });
});

it('the files of the example are JSON of the first version', async () => {
  const text = await readFile(fileIn('config/workflow_config.json'), 'utf8');
  const keys = new Set(text.match(/"(\w+)":/g));
  expect(keys).not.toContain('"version":');
});
