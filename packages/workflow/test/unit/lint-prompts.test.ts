import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedModel } from '@vizprompt/providers/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkflowEngine } from '../../src/engine/workflow-engine.ts';
import { lint } from '../../src/lint/lint.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workflow-prompts-'));
});
afterAll(() => rm(folder, { recursive: true }));

const REVIEW = `{ type: object, properties: { score: { type: number }, weak: { type: array, items: { type: object, properties: { why: { type: string } } } } } }`;

/** A review, and a prompt that speaks of it; `▲` is before the place of a mistake. */
const flow = (prompt: string, inputs = '{ review: review, story: user_input }'): string =>
  `agent_roles: { writer: { system_prompt: You write. } }
prompts:
  review: 'Review {{ story }}'
  better: |
    ${prompt.replaceAll('\n', '\n    ')}
workflows:
  w:
    inputs: { type: object, properties: { text: { type: string } } }
    steps:
      - id: review
        type: agent_interaction
        agent_id: writer
        prompt_id: review
        input_variables: { story: user_input.text }
        output: { schema: ${REVIEW} }
        output_variable: review
        onError: continue
      - id: better
        type: agent_interaction
        agent_id: writer
        prompt_id: better
        input_variables: ${inputs}
`;

async function told(text: string, more = ''): Promise<readonly string[]> {
  const file = join(folder, 'flow.yaml');
  await writeFile(file, text.replace('▲', '') + more);
  const problems = await lint(file);
  return problems.map(
    ({ line, column, code, message, suggestion = '' }) =>
      `${line}:${column} ${code}: ${message} (${suggestion})`,
  );
}

function placeOf(text: string): string {
  const before = text.slice(0, text.indexOf('▲')).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

describe('a field that a prompt asks for and that is not there', () => {
  it.each([
    [
      'of a variable',
      '猫 {{ story.text }}: {{ review.▲scor }}',
      "unknown-field: 'review' has no 'scor', by its schema (did you mean 'score'?)",
    ],
    [
      'of the input',
      'Better:\n{% if review %}{{ story.▲textt }}{% endif %}',
      "unknown-field: 'user_input' has no 'textt', by its schema (did you mean 'text'?)",
    ],
    [
      'of an item',
      '{{ story.text }}{{ ▲review.weak[0].wy }}',
      "unknown-field: 'review.weak.0' has no 'wy', by its schema (did you mean 'why'?)",
    ],
    [
      'of a text',
      '{{ review }}{{ story.text.▲title }}',
      "field-of-value: 'user_input.text' has no 'title': it is no object (give the step that sets it an output.schema)",
    ],
    [
      'in brackets',
      '{{ story.text }}{{ ▲review["scor"] }}',
      "unknown-field: 'review' has no 'scor', by its schema (did you mean 'score'?)",
    ],
    [
      'in a tag',
      '{{ story.text }}{% for one in review.▲weaks %}{{ one.why }}{% endfor %}',
      "unknown-field: 'review' has no 'weaks', by its schema (did you mean 'weak'?)",
    ],
    [
      'for a filter',
      '{{ story.text | append: review.▲scor }}',
      "unknown-field: 'review' has no 'scor', by its schema (did you mean 'score'?)",
    ],
  ])('is reported with its place: %s', async (_, prompt, message) => {
    const text = flow(prompt);
    const problems = await told(text);
    expect(problems).toEqual([`${placeOf(text)} ${message}`]);
  });

  it('is reported under the name of the variable of an input', async () => {
    const text = flow('{{ points.▲titel }}', '{ points: review.weak.0 }');
    expect(await told(text)).toEqual([
      `${placeOf(text)} unknown-field: 'review.weak.0' has no 'titel', by its schema (there is: why)`,
    ]);
  });

  it('is reported for a step that errors name', async () => {
    const text = flow(
      '{{ story.text }}{{ errors.▲reviw.message }}',
      '{ story: user_input, errors: errors }',
    );
    expect(await told(text)).toEqual([
      `${placeOf(text)} unknown-step: there is no step 'reviw' here (did you mean 'review'?)`,
    ]);
    const path = flow('{{ why }}', '{ why: errors.▲reviw.message }');
    expect(await told(path)).toEqual([
      `${placeOf(path)} unknown-step: there is no step 'reviw' here (did you mean 'review'?)`,
    ]);
  });

  it('would have failed the run', async () => {
    const file = join(folder, 'run.yaml');
    await writeFile(file, flow('{{ story.text }} {{ review.scor }}'));
    await using engine = await WorkflowEngine.open({
      files: file,
      models: { m: scriptedModel(['{"score": 1, "weak": []}', '物語']) },
      defaultModel: 'm',
    });
    const run = await engine.start('w', { text: '猫' });
    await expect(run.result).rejects.toMatchObject({
      code: 'step-failed',
      context: { causeCode: 'template-failed' },
    });
  });
});

describe('nothing is said of a prompt', () => {
  it.each([
    [
      'what it makes itself',
      '{{ story.text }}{% assign a = review.score %}{{ a.b }}{% capture c %}{% endcapture %}{{ c.d }}{% increment n %}',
    ],
    [
      'what its loops make',
      '{{ story.text }}{% for one in review.weak %}{{ one.title }}{{ forloop.index }}{% endfor %}',
    ],
    [
      'what lists and texts have',
      '{{ review.weak.size }}{{ review.weak.first.x }}{{ review.weak[-1].x }}{{ story.text.size }}{{ story.text[0] }}',
    ],
    ['what is looked up by a value', '{{ story.text }}{{ review[story.text] }}{{ review["a.b"] }}'],
    [
      'what stands in no place',
      '{{ story.text }}{{ review }}{% comment %}{{ review.x }}{% endcomment %}{% raw %}{{ review.x }}{% endraw %}',
    ],
  ])('that asks for %s', async (_, prompt) => {
    const found = await told(flow(prompt.replace('▲', '')));
    expect(found.filter((one) => !one.includes('unused-input'))).toEqual([]);
  });

  it('whose variables are undescribed or open', async () => {
    const steps = `workflows:
  w:
    steps:
      - { id: f, type: function, function: f, output_variable: any }
      - { id: o, type: human, prompt_id: none, output: { schema: { type: object, properties: { a: {} }, additionalProperties: true } }, output_variable: open }
      - { id: c, type: human, prompt_id: none, output: { schema: { type: object, properties: { a: {} }, allOf: [{ properties: { b: {} } }] } }, output_variable: both }
      - { id: t, type: activity, activity: talk, output_variable: said }
      - { id: p, type: multi_agent_interaction, agents_to_run: [{ agent_id: a, prompt_id: none, output_variable: x }, { agent_id: a, prompt_id: none }], output_variable: all }
      - id: each
        type: foreach
        in: any.list
        as: item
        steps:
          - { id: ask, type: agent_interaction, agent_id: a, prompt_id: p, input_variables: { any: any, open: open, both: both, said: said, all: all, item: item, input: user_input } }
      - { id: j, type: multi_agent_interaction, agents_to_run: [{ agent_id: a, prompt_id: none }], aggregate: { strategy: judge, agent_id: a, prompt_id: judge, input_variables: { all: answers } } }
`;
    const text = `agent_roles: { a: { system_prompt: x } }
prompts:
  none: Go on.
  judge: '{{ answers[0].agent }}{{ all[0].answer.title }}'
  p: '{{ any.a }}{{ open.b }}{{ both.b }}{{ said.c }}{{ all.d }}{{ item.e }}{{ input.f }}'
${steps}`;
    expect(await told(text)).toEqual([]);
  });

  it('that asks in one case for what the step of another case has', async () => {
    const prompts = `agent_roles: { a: { system_prompt: x } }
prompts:
  give: '{{ kind }}'
  p: "{% if kind == 'long' %}{{ data.chapters }}{% else %}{{ data.lines }}{% endif %}"
  q: "{{ data.chapters }}"
`;
    const steps = (last: string): string => `workflows:
  w:
    steps:
      - { id: one, type: agent_interaction, agent_id: a, prompt_id: give, input_variables: { kind: user_input }, output_variable: long, output: { schema: { type: object, properties: { chapters: {} } } } }
      - { id: two, type: agent_interaction, agent_id: a, prompt_id: give, input_variables: { kind: user_input }, output_variable: short, output: { schema: { type: object, properties: { lines: {} } } } }
      - { id: three, type: agent_interaction, agent_id: a, prompt_id: ${last}, input_variables: { data: long, kind: user_input } }
      - { id: four, type: agent_interaction, agent_id: a, prompt_id: ${last}, input_variables: { data: short, kind: user_input } }
`;
    expect(await told(prompts + steps('p'))).toEqual([]);
    const always = (await told(prompts + steps('q'))).filter((one) => !one.includes('unused'));
    expect(always).toEqual([
      "5:15 unknown-field: 'short' has no 'chapters', by its schema (there is: lines)",
    ]);
  });

  it('of a workflow with a step that cannot be understood', async () => {
    const text = flow('{{ story.text }}{{ review.scor }}');
    expect(await told(text, '      - { id: x, type: human, output_variable: review }\n')).toEqual([
      expect.stringContaining('missing-key'),
    ]);
  });
});
