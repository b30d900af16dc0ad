import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedModel } from '@vizprompt/providers/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lint, WorkflowEngine } from '../../src/index.ts';
import { blankComments } from '../../src/load/read-source.ts';

async function write(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-workflow-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** The example of the design, with its comments; its placeholders have names here. */
const DESIGN = `{
  "workflows": {
    "workflow_name_example": {
      "description": "ワークフローの説明",
      "initial_step": "step_id_start",
      "steps": [
        {
          "id": "step_id_start",
          "type": "agent_interaction", // 単一エージェントとの対話
          "agent_id": "agent_id_example",
          "prompt_id": "prompt_id_example",
          "input_variables": {
            "variable_name": "user_input" // "user_input" または 前のステップのoutput_variable
          },
          "output_variable": "output_variable_name",
          "next_step": "multi_agent_example_step" // または "end"
        },
        {
          "id": "multi_agent_example_step",
          "type": "multi_agent_interaction", // 複数エージェントによる独立処理
          "agents_to_run": [
            {
              "agent_id": "agent_A",
              "prompt_id": "prompt_for_A",
              "input_variables": { "data": "user_input" },
              "output_variable": "output_A"
            },
            {
              "agent_id": "agent_B",
              "prompt_id": "prompt_for_B",
              "input_variables": { "data": "user_input" },
              "output_variable": "output_B"
            }
          ],
          "next_step": "aggregation_step"
        },
        {
          "id": "aggregation_step",
          "type": "agent_interaction",
          "agent_id": "aggregator_agent",
          "prompt_id": "aggregation_prompt",
          "input_variables": {
            "result_A": "output_A",
            "result_B": "output_B"
          },
          "output_variable": "final_aggregated_result",
          "next_step": "end"
        }
      ]
    }
  }
}
`;
const PROMPTS = `{
  "agent_roles": {
    "agent_id_example": {
      "system_prompt": "エージェントのシステムプロンプト",
      "description": "エージェントの役割説明",
      "model": "llama" // オプション: このエージェントが使用するLLMモデル
    },
    /* the others */
    "agent_A": { "system_prompt": "A", "model": "llama" },
    "agent_B": { "system_prompt": "B", "model": "llama" },
    "aggregator_agent": { "system_prompt": "C", "model": "llama" },
  },
  "prompts": {
    "prompt_id_example": "{{ variable_name }} // no comment",
    "prompt_for_A": "{{ data }}",
    "prompt_for_B": "{{ data }}",
    "aggregation_prompt": "{{ result_A }} /* nor this */ {{ result_B }}",
  },
}
`;

describe('JSON with comments', () => {
  it.each(['workflow_config.json', 'workflow_config.jsonc'])(
    'the example of the design runs as %s',
    async (name) => {
      const files = [await write(name, DESIGN), await write(name, PROMPTS)];
      const llama = scriptedModel((_, at) => `answer ${at}`);
      await using engine = await WorkflowEngine.open({ files, models: { llama } });
      const run = await engine.start('workflow_name_example', 'データ');
      expect((await run.result).output).toBe('answer 3');
      const sent = llama.calls.map(({ messages }) => JSON.stringify(messages));
      expect(sent[0]).toContain('データ // no comment');
      expect(sent[3]).toContain('/* nor this */');
      expect(await lint(files)).toEqual([]);
    },
  );

  it('reports mistakes with their places in the file, comments included', async () => {
    const text = DESIGN.replace('"agent_B"', '"agent_Z"').replace(
      '"next_step": "end"',
      '"next_step": "ende"',
    );
    const files = [await write('a.json', text), await write('b.jsonc', PROMPTS)];
    const problems = await lint(files);
    const lineOf = (part: string): number =>
      text.slice(0, text.lastIndexOf(part)).split('\n').length;
    expect(problems).toMatchObject([
      { line: lineOf('agent_Z'), message: expect.stringContaining('agent_Z') },
      { line: lineOf('"ende"'), message: expect.stringContaining('ende') },
    ]);
  });

  it.each([
    ['a comment without an end', '{"a": 1} /*'],
    ['half a comment', '{"a": / 1}'],
    ['two commas', '{"a": [1,,2]}'],
    ['a lone comma', '{,}'],
  ])('is no reason to take %s', async (_, text) => {
    const file = await write('x.json', text);
    await expect(WorkflowEngine.open({ files: file })).rejects.toMatchObject({
      code: 'definition-invalid',
    });
  });

  it('leaves JSON as it is, and takes nothing from strings', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(JSON.parse(blankComments(json))).toEqual(JSON.parse(json));
      }),
    );
    const sign = fc.constantFrom('// x\n', '/* " , ] */', '/**/', '/* // */', '//"\n');
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.array(sign), (json, comments) => {
        const spaced = JSON.stringify(JSON.parse(json), null, 1)
          .split('\n')
          .map((line, at) => `${line}${comments[at] ?? ''}`)
          .join('\n');
        const blank = blankComments(spaced);
        expect(JSON.parse(blank)).toEqual(JSON.parse(json));
        expect(blank).toHaveLength(spaced.length);
      }),
    );
  });

  it('takes linear time for any text', () => {
    for (const part of ['/* */ ', '// x\n', '/*/', ',', ', // \n', '"', '/']) {
      const text = `{"a": 1,${part.repeat(200_000 / part.length)}`;
      expect(blankComments(text)).toHaveLength(text.length);
    }
  });
});

describe('merge keys of YAML', () => {
  it('are merged as compose and GitLab do, with places for mistakes', async () => {
    const text = `agent_roles: { poet: { system_prompt: '' , model: m } }
prompts: { write: '{{ topic }}' }
workflows:
  flow:
    steps:
      - &first
        id: one
        type: agent_interaction
        agent_id: poet
        prompt_id: write
        input_variables: { topic: user_input }
      - <<: *first
        id: two
      - { <<: [*first], id: three, prompt_id: wriet }
`;
    const file = await write('flow.yaml', text);
    const problems = await lint(file);
    expect(problems).toMatchObject([{ line: 14, suggestion: expect.stringContaining('write') }]);
    const good = await write('flow.yaml', text.replace('wriet', 'write'));
    const models = { m: scriptedModel(['a', 'b', 'c']) };
    await using engine = await WorkflowEngine.open({ files: good, models });
    expect((await (await engine.start('flow', 'x')).result).output).toBe('c');
  });
});
