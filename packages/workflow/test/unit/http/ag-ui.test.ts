import { HttpAgent } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import type { Part } from '@vizprompt/providers';
import { defineTool } from '@vizprompt/providers/generate';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorkflowHandler } from '../../../src/http/index.ts';
import { WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';

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

describe('AG-UI', () => {
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

  it('a call that nobody approves is refused', async () => {
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
