import type { ChatRequest, JsonValue, Part } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel, type ScriptedAnswer } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lint, WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';
import { eventsOf, questionOf } from '../../support/engine/flow-parts.ts';
import { temporaryFolder } from '../../support/engine/open-engine.ts';

const PROMPT = `{{ team.member }}|{% for turn in team.turns %}{{ turn.member }}:{{ turn.says }};{% endfor %}|{{ team.notes | json }}`;

function member(name: string, more: object = {}): object {
  return { agent_id: name, prompt_id: 'turn', ...more };
}

function fileOf(team: object): WorkflowFile {
  const roles = ['lead', 'finder', 'writer'].map((name) => [
    name,
    { system_prompt: `You are ${name}.`, description: `${name} works`, model: 'm' },
  ]);
  return {
    agent_roles: Object.fromEntries(roles),
    prompts: { turn: PROMPT, plain: 'plain' },
    workflows: {
      flow: { steps: [{ id: 'team', type: 'team', output_variable: 'out', ...team } as never] },
    },
  };
}

const FREE = { members: { finder: member('finder'), writer: member('writer') } };

function tool(name: string, input: JsonValue, id = name): Part {
  return { type: 'tool-call', id, name, input };
}

function calls(...parts: readonly Part[]): ScriptedAnswer {
  return { parts, finishReason: 'tool-calls' };
}

function handOver(to: string, message: string): Part {
  return tool('hand_over', { to, message });
}

/** Returns the questions, without those after calls of tools. */
function questions(all: readonly ChatRequest[]): readonly string[] {
  return all.filter(({ messages }) => messages.at(-1)?.role === 'user').map(questionOf);
}

describe('a team', () => {
  it('hands over freely until a member answers, with notes that all read', async () => {
    const m = scriptedModel([
      calls(tool('note', { key: 'source', text: 'a book' })),
      calls({ type: 'text', text: 'Found it.' }, handOver('writer', 'write it')),
      'The end.',
    ]);
    const files = fileOf({ ...FREE, notes_variable: 'notes' });
    await using engine = await WorkflowEngine.open({ files, models: { m } });
    const run = await engine.start('flow', 'x');
    const events = await eventsOf(run);
    const { output, variables } = await run.result;
    expect(output).toBe('The end.');
    expect(variables).toMatchObject({ out: 'The end.', notes: { source: 'a book' } });
    expect(questions(m.calls)).toEqual([
      'finder||{}',
      'writer|finder:Found it.\n\nwrite it;|{"source":"a book"}',
    ]);
    expect(m.calls[0]?.tools?.map(({ name }) => name)).toEqual(['hand_over', 'note']);
    expect(m.calls[0]?.tools?.[0]?.description).toContain('- writer: writer works');
    const handed = events.filter(({ type }) => type === 'step:handed-over');
    expect(handed).toMatchObject([{ from: 'finder', to: 'writer', path: 'team#1/1/finder' }]);
    const { steps } = await engine.run(run.id);
    expect(steps.map(({ path, output: said }) => [path, said])).toEqual([
      [
        'team#1/1/finder',
        { says: 'Found it.\n\nwrite it', to: 'writer', notes: { source: 'a book' } },
      ],
      ['team#1/2/writer', { says: 'The end.' }],
    ]);
    expect(await engine.toMermaid('flow', { run: run.id })).toContain('finder: finder');
  });

  it('comes back to its supervisor after each turn', async () => {
    const m = scriptedModel([
      calls(handOver('finder', 'find')),
      'found',
      calls(handOver('writer', 'write')),
      'written',
      'done',
    ]);
    const files = fileOf({
      supervisor: 'lead',
      members: { ...FREE.members, lead: member('lead', { output_variable: 'led' }) },
    });
    await using engine = await WorkflowEngine.open({ files, models: { m } });
    const { output, variables } = await (await engine.start('flow', 'x')).result;
    expect([output, variables['led']]).toEqual(['done', 'done']);
    expect(questions(m.calls).map((question) => question.split('|')[0])).toEqual([
      'lead',
      'finder',
      'lead',
      'writer',
      'lead',
    ]);
    // Those that are led hand over to no member.
    expect(m.calls[1]?.tools?.map(({ name }) => name)).toEqual(['note']);
  });

  it.each([
    ['fail', undefined, 'step-failed'],
    ['continue', 'again', undefined],
  ] as const)('ends after its turns: %s', async (onExhausted, output, code) => {
    const m = scriptedModel((request) => {
      const [name] = questionOf(request).split('|');
      return calls(handOver(name === 'finder' ? 'writer' : 'finder', 'again'));
    });
    const files = fileOf({ ...FREE, maxTurns: 3, onExhausted });
    await using engine = await WorkflowEngine.open({ files, models: { m } });
    const run = await engine.start('flow', 'x');
    const events = await eventsOf(run);
    const result = await run.result.catch((error: unknown) => ({ error }));
    expect(result).toMatchObject(
      code
        ? { error: { code, context: { causeCode: 'exhausted' } } }
        : { output, variables: { errors: { team: { code: 'exhausted' } } } },
    );
    expect(m.calls).toHaveLength(3);
    expect(events.map(({ type }) => type)).toContain('step:exhausted');
  });

  it('reports to a member what it did wrong, and counts the first of two hand-overs', async () => {
    const m = scriptedModel([
      calls(handOver('nobody', 'x'), tool('note', { key: 1 }, 'n')),
      calls(handOver('writer', 'one'), tool('hand_over', { to: 'writer', message: 'two' }, 'h2')),
      'end',
    ]);
    await using engine = await WorkflowEngine.open({ files: fileOf(FREE), models: { m } });
    const run = await engine.start('flow', 'x');
    await run.result;
    expect(m.calls[1]?.messages.at(-1)?.parts).toMatchObject([
      { isError: true, output: "wrong input: 'to' must be one of: writer" },
      { isError: true, output: "wrong input: 'key' and 'text' must be texts" },
    ]);
    expect((await engine.run(run.id)).steps[0]).toMatchObject({ output: { says: 'one' } });
  });

  it('continues where it was: no turn, answer or call is repeated', async () => {
    const storage = await openStorage(await temporaryFolder());
    onTestFinished(() => storage.close());
    const m = scriptedModel((_, at) => {
      if (at === 0) return calls(tool('note', { key: 'k', text: 'v' }));
      if (at === 1) return calls(handOver('writer', 'go'));
      if (at === 2) return calls(tool('note', { key: 'l', text: 'w' }));
      if (at === 3) throw new Error('the process ends here');
      return 'end';
    });
    const retry = { maxAttempts: 1 };
    const files = fileOf({
      members: { finder: member('finder', { retry }), writer: member('writer', { retry }) },
      notes_variable: 'notes',
    });
    await using engine = await WorkflowEngine.open({ files, models: { m }, storage });
    const run = await engine.start('flow', 'x', { runId: 'r' });
    await expect(run.result).rejects.toMatchObject({ code: 'step-failed' });
    const { output, variables } = await (await engine.resume('r')).result;
    expect([output, variables['notes']]).toEqual(['end', { k: 'v', l: 'w' }]);
    expect(m.calls).toHaveLength(5);
    expect(m.calls[4]?.messages).toEqual(m.calls[3]?.messages);
  });

  it('is checked: names, ways, and prompts that show nothing of the others', async () => {
    const problems = await lint(
      fileOf({
        supervisor: 'led',
        start: 'finder',
        members: {
          finder: member('finder', { hands_over_to: ['wrter'] }),
          writer: { agent_id: 'writer', prompt_id: 'plain' },
          lead: member('lead'),
        },
      }),
    );
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'unknown-member workflows.flow.steps[0].supervisor',
      'unknown-member workflows.flow.steps[0].members.finder.hands_over_to[0]',
      'unreachable-agent workflows.flow.steps[0].members.writer',
      'unreachable-agent workflows.flow.steps[0].members.lead',
    ]);
    const seen = await lint(
      fileOf({
        members: { finder: member('finder'), writer: { agent_id: 'writer', prompt_id: 'plain' } },
      }),
    );
    expect(seen.map(({ code }) => code)).toEqual(['team-unseen']);
  });

  it('is estimated by its turns', async () => {
    await using engine = await WorkflowEngine.open({ files: fileOf({ ...FREE, maxTurns: 5 }) });
    const { calls: count, prompts } = await engine.dryRun('flow', 'x');
    expect(count).toEqual({ min: 1, max: 5 });
    expect(prompts.map(({ agent }) => agent)).toEqual(['finder', 'writer']);
    expect(prompts.map(({ problem }) => problem)).toEqual([undefined, undefined]);
  });
});
