import { HttpAgent } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import type { Part } from '@vizprompt/providers';
import { defineTool } from '@vizprompt/providers/generate';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorkflowHandler } from '../../../src/http/index.ts';
import { type Step, WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';

const FILES: WorkflowFile = {
  agent_roles: { poet: { system_prompt: '', model: 'm' } },
  prompts: { write: 'About {{ topic }}' },
  workflows: {
    poem: {
      steps: [
        {
          id: 'write',
          type: 'agent_interaction',
          agent_id: 'poet',
          prompt_id: 'write',
          input_variables: { topic: 'user_input' },
          tools: [{ tool: 'rhyme', approve: 'always' }],
          retry: { maxAttempts: 1 },
        },
      ],
    },
  },
};

const CALL: Part = { type: 'tool-call', id: '1', name: 'rhyme', input: { word: 'cat' } };

async function opened(answers: Parameters<typeof scriptedModel>[0]): Promise<{
  readonly engine: WorkflowEngine;
  readonly agent: HttpAgent;
  readonly sent: { readonly type: string }[];
}> {
  const rhyme = defineTool<{ word: string }>({
    name: 'rhyme',
    input: { type: 'object', properties: { word: { type: 'string' } } },
    execute: ({ word }) => `${word} hat`,
  });
  const engine = await WorkflowEngine.open({
    files: FILES,
    models: { m: scriptedModel(answers) },
    tools: [rhyme],
  });
  onTestFinished(() => engine.close());
  const handler = createWorkflowHandler(engine);
  const sent: { readonly type: string }[] = [];
  const agent = new HttpAgent({
    url: 'http://localhost/agents/poem',
    threadId: 't',
    fetch: async (url, init) => {
      const response = await handler(new Request(url, init));
      // The stream is recorded here before the client receives it.
      const seen = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          for (const line of new TextDecoder().decode(chunk).split('\n')) {
            if (line.startsWith('data: ')) sent.push(JSON.parse(line.slice(6)) as never);
          }
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body?.pipeThrough(seen) ?? null, response);
    },
  });
  agent.setMessages([{ id: 'u', role: 'user', content: 'cats' }]);
  return { engine, agent, sent };
}

function human(id: string): Step {
  return { id, type: 'human', prompt_id: 'well', output_variable: id };
}

/** An engine whose workflow `both` asks two persons at the same time, and what its handler answers. */
async function asking(): Promise<{
  readonly engine: WorkflowEngine;
  readonly ask: (workflow: string, resume?: readonly object[]) => Promise<Response>;
}> {
  const branches = { left: { steps: [human('x')] }, right: { steps: [human('y')] } };
  const files: WorkflowFile = {
    prompts: { well: 'Well?' },
    workflows: {
      both: { steps: [{ id: 'p', type: 'parallel', branches }] },
      other: { steps: [human('x')] },
    },
  };
  const engine = await WorkflowEngine.open({ files });
  onTestFinished(() => engine.close());
  const handler = createWorkflowHandler(engine);
  let count = 0;
  const ask = (workflow: string, resume: readonly object[] = []): Promise<Response> =>
    handler(
      new Request(`http://localhost/agents/${workflow}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ threadId: 't', runId: `r${++count}`, messages: [], resume }),
      }),
    );
  return { engine, ask };
}

function reply(run: string, path: string, payload?: string): object {
  const interruptId = JSON.stringify([run, path]);
  return { interruptId, status: payload === undefined ? 'cancelled' : 'resolved', payload };
}

describe('AG-UI', () => {
  it('is interrupted again by a question that a client left open', async () => {
    const { engine, ask } = await asking();
    await (await ask('both')).text();
    const second = await (await ask('both', [reply('r1', 'p#1/left/x#1', 'a')])).text();
    expect(second).toContain(String.raw`"id":"[\"r1\",\"p#1/right/y#1\"]"`);
    expect(second).not.toContain('left/x#1\\"]"');
    const third = await (await ask('both', [reply('r1', 'p#1/right/y#1', 'b')])).text();
    expect(third).toContain('"outcome":{"type":"success"}');
    expect(await engine.run('r1')).toMatchObject({ status: 'done' });
  });

  it('cancels a run of which one question is given up', async () => {
    const { engine, ask } = await asking();
    await (await ask('both')).text();
    const resume = [reply('r1', 'p#1/left/x#1', 'a'), reply('r1', 'p#1/right/y#1')];
    expect(await (await ask('both', resume)).text()).toContain('"outcome":{"type":"cancelled"}');
    expect(await engine.run('r1')).toMatchObject({ status: 'cancelled' });
  });

  it('continues no run of another workflow, and no two runs', async () => {
    const { engine, ask } = await asking();
    await (await ask('other')).text();
    expect((await ask('both', [reply('r1', 'x#1', 'stolen')])).status).toBe(404);
    expect((await ask('both', [reply('r1', 'x#1')])).status).toBe(404);
    await (await ask('other')).text();
    const two = [reply('r1', 'x#1', 'a'), reply('r4', 'x#1', 'b')];
    expect((await ask('other', two)).status).toBe(400);
    const runs = await engine.runs();
    expect(runs.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
  });

  it('listens to no run that it could not answer', async () => {
    const { engine, ask } = await asking();
    await (await ask('other')).text();
    const signals: AbortSignal[] = [];
    const { attach } = engine;
    engine.attach = (runId, options) => {
      if (options?.signal) signals.push(options.signal);
      return attach.call(engine, runId, options);
    };
    expect((await ask('other', [reply('r1', 'y#1', 'a')])).status).toBe(409);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('its client leads a run: thoughts, messages, a call that is approved, and the result', async () => {
    const { agent, sent, engine } = await opened([
      {
        parts: [
          { type: 'reasoning', text: 'A rhyme?' },
          { type: 'text', text: 'Let me see.' },
          CALL,
        ],
        finishReason: 'tool-calls',
      },
      'A cat with a hat.',
    ]);
    const first = await agent.runAgent({ runId: 'r1' });
    // The messages of the client, which checks the order of events.
    expect(agent.messages.map(({ role }) => role)).toEqual(
      expect.arrayContaining(['user', 'assistant']),
    );
    const finished = sent.findLast(({ type }) => type === 'RUN_FINISHED');
    expect(finished).toMatchObject({
      outcome: { type: 'interrupt', interrupts: [{ reason: 'tool_approval' }] },
    });
    expect(first.result).toBeUndefined();
    const { interrupts } = Object(finished).outcome as { interrupts: { id: string }[] };
    const resume = interrupts.map(({ id: interruptId }) => ({
      interruptId,
      status: 'resolved' as const,
      payload: true,
    }));
    const second = await agent.runAgent({ runId: 'r2', resume });
    expect(second.result).toBe('A cat with a hat.');
    expect(await engine.runs()).toMatchObject([{ id: 'r1', status: 'done' }]);
    for (const event of sent) expect(EventSchema.safeParse(event)).toMatchObject({ success: true });
    const types = new Set(sent.map(({ type }) => type));
    for (const type of [
      'RUN_STARTED',
      'STEP_STARTED',
      'REASONING_MESSAGE_CONTENT',
      'TEXT_MESSAGE_CONTENT',
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_RESULT',
      'STEP_FINISHED',
      'STATE_SNAPSHOT',
    ]) {
      expect(types).toContain(type);
    }
  });

  it('a call that is not approved is refused', async () => {
    const { agent, sent } = await opened([
      { parts: [CALL], finishReason: 'tool-calls' },
      'No rhyme.',
    ]);
    await agent.runAgent({ runId: 'r1' });
    const finished = sent.findLast(({ type }) => type === 'RUN_FINISHED');
    const { interrupts } = Object(finished).outcome as { interrupts: { id: string }[] };
    const resume = interrupts.map(({ id: interruptId }) => ({
      interruptId,
      status: 'cancelled' as const,
    }));
    expect((await agent.runAgent({ runId: 'r2', resume })).result).toBe('No rhyme.');
  });

  it('a run that fails is an error', async () => {
    const { agent, sent } = await opened(() => {
      throw new Error('no model');
    });
    await agent.runAgent({ runId: 'r1' }).catch(() => undefined);
    expect(sent.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'step-failed' });
    expect(sent.filter(({ type }) => type === 'STEP_STARTED')).toHaveLength(1);
    expect(sent.filter(({ type }) => type === 'STEP_FINISHED')).toHaveLength(1);
  });

  it.each([
    [{}, 400],
    [{ threadId: 't', runId: 'r', messages: 1 }, 400],
    [{ threadId: 't', runId: 'r', messages: [], resume: [{ interruptId: 'x' }] }, 400],
    [{ threadId: 't', runId: 'r', messages: [], resume: [{ interruptId: '["none","p"]' }] }, 404],
  ])('what is no input of a run is refused: %j', async (body, status) => {
    const { engine } = await opened(['x']);
    const handler = createWorkflowHandler(engine);
    const request = new Request('http://localhost/agents/poem', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect((await handler(request)).status).toBe(status);
    expect(await engine.runs()).toHaveLength(0);
  });
});
