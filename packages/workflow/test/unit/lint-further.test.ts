import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LintOptions } from '../../src/lint/lint-options.ts';
import { lint } from '../../src/lint/lint.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workflow-further-'));
});
afterAll(() => rm(folder, { recursive: true }));

const head = `agent_roles: { writer: { system_prompt: You write. } }
prompts: { draft: 'Write about {{ topic }}.' }
`;

/** Line, code, and the path after the workflow. */
async function told(text: string, options: LintOptions = {}): Promise<readonly string[]> {
  const file = join(folder, text.startsWith('{') ? 'flow.json' : 'flow.yaml');
  await writeFile(file, text);
  const problems = await lint(file, options);
  return problems.map(({ line, code, path }) => `${line} ${code} ${path}`);
}

describe('after a mistyped key lint continues', () => {
  it('with the key that was meant, so that nothing is taken for missing', async () => {
    const text = `${head}workflows:
  w:
    steps:
      - id: one
        type: agent_interaction
        agent_id: writer
        promptid: draft
        input_varables: { topic: user_input }
        output_varible: story
      - { id: two, type: agent_interaction, agent_id: writter, prompt_id: draft, input_variables: { topic: story.title } }
      - { id: three, type: sleep, duration: 1s, when: 'story >', next_step: fuor }
`;
    expect(await told(text)).toEqual([
      '9 unknown-key workflows.w.steps[0].promptid',
      '10 unknown-key workflows.w.steps[0].input_varables',
      '11 unknown-key workflows.w.steps[0].output_varible',
      '12 unknown-role workflows.w.steps[1].agent_id',
      '12 field-of-value workflows.w.steps[1].input_variables.topic',
      '13 condition-syntax workflows.w.steps[2].when',
      '13 unknown-step workflows.w.steps[2].next_step',
    ]);
  });

  it('into everything that lies below it, with the places of the file', async () => {
    const yaml = `${head}workflow:
  w:
    step:
      - id: one
        type: agent_interaction
        agentid: writter
        prompt_id: draft
        input_variables: { topic: user_input }
        temprature: warm
`;
    const expected = [
      '3 unknown-key workflow',
      '5 unknown-key workflow.w.step',
      '8 unknown-key workflow.w.step[0].agentid',
      '8 unknown-role workflow.w.step[0].agentid',
      '11 unknown-key workflow.w.step[0].temprature',
      '11 wrong-type workflow.w.step[0].temprature',
    ];
    expect(await told(yaml)).toEqual(expected);
    const json = `{ "agent_roles": {}, "prompts": {}, "workflow": { "w": {
"step": [{ "id": "a", "type": "sleep", "duration": 1, "nextstep": "b" }] } } }`;
    expect(await told(json)).toEqual([
      '1 unknown-key workflow',
      '2 unknown-key workflow.w.step',
      '2 unknown-key workflow.w.step[0].nextstep',
      '2 unknown-step workflow.w.step[0].nextstep',
    ]);
  });

  it('without a key that is like none, or whose better self is there as well', async () => {
    const text = `${head}workflows:
  w:
    colour: green
    steps:
      - id: one
        type: agent_interaction
        agent_id: writer
        prompt_id: draft
        promptid: none
        input_variables: { topic: userinput }
`;
    expect(await told(text)).toEqual([
      '5 unknown-key workflows.w.colour',
      '11 unknown-key workflows.w.steps[0].promptid',
      '12 unknown-variable workflows.w.steps[0].input_variables.topic',
    ]);
  });

  it('in use, whose names stay known', async () => {
    const text = `use:
  retries: { often: { maxAttempt: 3 }, seldom: { maxAttempts: 0 }, odd: { colour: 1 } }
  timeouts: { long: { total: 1w } }
  models: { big: 3 }
${head}workflows:
  w:
    steps:
      - { id: a, type: function, function: f, retry: often, timeout: long }
      - { id: b, type: function, function: f, retry: seldom }
      - { id: c, type: function, function: f, retry: odd }
      - { id: d, type: agent_interaction, agent_id: writer, prompt_id: draft, model: big, input_variables: { topic: user_input } }
      - { id: e, type: function, function: f, retry: never }
`;
    expect(await told(text, { models: createModelRegistry() })).toEqual([
      '2 unknown-key use.retries.often.maxAttempt',
      '2 too-small use.retries.seldom.maxAttempts',
      '2 unknown-key use.retries.odd.colour',
      '3 bad-duration use.timeouts.long.total',
      '4 wrong-type use.models.big',
      '14 unknown-retry workflows.w.steps[4].retry',
    ]);
  });

  it('in what is given as an object, whatever it holds', async () => {
    const step = { id: 'a', type: 'sleep', duration: 1, run() {}, nextstep: 'b' };
    const file = { workflows: { w: { steps: [step] } } };
    const problems = await lint(file as never);
    expect(problems.map(({ code, path }) => `${code} ${path}`).toSorted()).toEqual([
      'unknown-key workflows.w.steps[0].nextstep',
      'unknown-key workflows.w.steps[0].run',
      'unknown-step workflows.w.steps[0].nextstep',
    ]);
    expect(Object.keys(step)).toEqual(['id', 'type', 'duration', 'run', 'nextstep']);
  });

  it('in a prompt set, and says nothing of what is not in it', async () => {
    const file = join(folder, 'set.yaml');
    await writeFile(file, 'agent_role: {}\nprompts:\n  a: "{{ x | upcas }}"\n  b: 3\n');
    const problems = await lint([], { promptSets: { set: file } });
    expect(problems.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '1 unknown-key',
      '3 template-syntax',
      '4 wrong-type',
    ]);
  });
});

describe('lint continues after a step that cannot be understood', () => {
  it('with the other steps, but not with how they follow each other', async () => {
    const text = `${head}workflows:
  w:
    steps:
      - { id: one, type: agent_interacton, agent_id: nobody, output_variable: story }
      - { id: two, type: agent_interaction, agent_id: writter, prompt_id: draft, input_variables: { topik: story } }
      - { id: three, type: loop, maxRounds: many, steps: [{ id: four, type: subflow, workflow: ww }] }
      - { id: five, type: tool, tool: hammer, when: 'story >', next_step: one }
`;
    expect(await told(text, { tools: ['saw'] })).toEqual([
      '6 unknown-value workflows.w.steps[0].type',
      '7 unknown-role workflows.w.steps[1].agent_id',
      '7 missing-input workflows.w.steps[1].input_variables',
      '7 unused-input workflows.w.steps[1].input_variables.topik',
      '8 wrong-type workflows.w.steps[2].maxRounds',
      '8 unknown-workflow workflows.w.steps[2].steps[0].workflow',
      '9 unknown-tool workflows.w.steps[3].tool',
      '9 condition-syntax workflows.w.steps[3].when',
    ]);
  });

  it('with the steps of a workflow that is wrong itself', async () => {
    const text = `${head}workflows:
  w:
    output: 3
    initial_step: [one]
    steps:
      - { id: one, type: agent_interaction, agent_id: writer, prompt_id: drafft }
`;
    expect(await told(text)).toEqual([
      '5 wrong-type workflows.w.output',
      '6 wrong-type workflows.w.initial_step',
      '8 unknown-prompt workflows.w.steps[0].prompt_id',
    ]);
  });

  it.each(['{ steps: 3 }', '{ steps: [3, null, [], { steps: 4 }] }', '3', '[]', 'null'])(
    'any value instead of a workflow: %s',
    async (workflow) => {
      const text = `${head}workflows:\n  w: ${workflow}\n  v: { steps: [{ id: a, type: subflow, workflow: w }, { id: b, type: subflow, workflow: x }] }\n`;
      const found = await told(text);
      expect(found.at(-1)).toBe('5 unknown-workflow workflows.v.steps[1].workflow');
      expect(found.filter((one) => !one.startsWith('4'))).toHaveLength(1);
    },
  );
});
