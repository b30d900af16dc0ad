import { join } from 'node:path';
import { FlowGraph, VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { conversationActivity } from '@vizprompt/talktable';
import { WorkflowEngine, type WorkflowFile } from '@vizprompt/workflow';
import { testWorkflow } from '@vizprompt/workflow/testing';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
    expect(graph.parents(merged)).toHaveLength(3);
    expect(await vizprompt.getNode(merged)).toMatchObject({ response: '良', tags: ['aggregate'] });
    // A node without an answer is a leaf and does not vote.
    const [leaf = ''] = graph.children(merged);
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
  it('is led, reported, recorded and gives its conclusion to the next step', async () => {
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
