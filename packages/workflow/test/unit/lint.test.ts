import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.ts';
import { english as messages } from '../../src/problems/messages-en.ts';
import type { Problem } from '../../src/problems/problem.ts';
import { flowMistakes } from '../support/flow-mistakes.ts';
import { plainMistakes } from '../support/mistakes.ts';

const mistakes = [...plainMistakes, ...flowMistakes];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workflow-lint-'));
});
afterAll(() => rm(folder, { recursive: true }));

const engine = {
  models: createModelRegistry(),
  functions: ['f', 'counts'],
  tools: ['weather'],
  retrievers: ['documents'],
  activities: ['talk'],
  mcpTools: [{ server: 'down', tools: [], problem: 'it does not start' }],
};

async function written(name: string, text: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

function told({ line, column, code, severity, message, suggestion }: Problem): string {
  const more = suggestion === undefined ? '' : ` (${suggestion})`;
  return `${line}:${column} ${severity} ${code}: ${message}${more}`.replaceAll(folder, '');
}

const v1 = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/v1/${name}`, import.meta.url));

describe('a mistake is reported with its place, in English and Japanese', () => {
  it.each(mistakes.map((mistake, at) => ({ ...mistake, at, of: mistake.name ?? '' })))(
    '$code $of',
    async ({ code, text, at }) => {
      const before = text.slice(0, text.indexOf('▲')).split('\n');
      const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
      const plain = text.replace('▲', '');
      const file = await written(`${at}.${plain.startsWith('{') ? 'json' : 'yaml'}`, plain);
      const english = await lint(file, engine);
      const found = english.find((problem) => problem.code === code);
      expect({ line: found?.line, column: found?.column }).toEqual(place);
      const japanese = await lint(file, { ...engine, language: 'ja' });
      expect(japanese.map((problem) => problem.code)).toEqual(
        english.map((problem) => problem.code),
      );
      for (const problem of japanese) expect(problem.message).toMatch(/[\u3041-\u30ff]/);
      expect([...english.map(told), ...japanese.map(told)]).toMatchSnapshot();
    },
  );

  it('of every kind there is', () => {
    const tested = new Set(mistakes.map(({ code }) => code));
    const elsewhere = ['unreadable', 'duplicate-name', 'bad-value'];
    expect(Object.keys(messages.sentences).filter((code) => !tested.has(code))).toEqual(
      expect.arrayContaining(elsewhere),
    );
    expect(Object.keys(messages.sentences)).toHaveLength(tested.size + elsewhere.length);
  });

  it('has the same place with other ends of lines', async () => {
    const text = 'prompts:\r\n  a: |\r\n    猫\r\n    {{ x | upcas }}\r\n';
    const [problem] = await lint(await written('crlf.yaml', text));
    expect(problem).toMatchObject({ code: 'template-syntax', line: 4, column: 12 });
  });

  it.each([
    ['mark.yaml', 'workflow: 1\n', 1],
    ['mark.json', '{"workflow": 1}', 2],
    ['flow.yaml', '{ workflow: 1 }', 3],
    ['broken.yaml', 'a: [', 5],
    ['broken.json', '{"a" 1}', 6],
  ])('has the same place after a mark of the byte order (%s)', async (name, text, column) => {
    for (const start of ['', '\uFEFF']) {
      const [problem] = await lint(await written(name, start + text));
      expect(problem).toMatchObject({ line: 1, column });
    }
  });

  it('is that of the second document, where a file has two', async () => {
    const [problem] = await lint(await written('two-documents.yaml', 'prompts: {}\n---\na: 1\n'));
    expect(problem).toMatchObject({ code: 'syntax', line: 2, column: 1 });
    expect(problem?.message).toContain('a file holds one');
  });

  it('has its place in JSON with escapes', async () => {
    const text = '{\n\t"prompts": { "a": "\\u732b \\"\\n {{ x | upcas }}" }\n}';
    const [problem] = await lint(await written('escapes.json', text));
    expect(problem).toMatchObject({
      line: 2,
      column: String(text.split('\n')[1]).indexOf('upcas') + 1,
    });
  });
});

describe('lint', () => {
  it('has nothing to say of files of version 1 that are right', async () => {
    const promptSets = { default: v1('default_prompts.json') };
    expect(await lint(v1('workflow_config.json'), { promptSets })).toEqual([]);
    expect(await lint([v1('workflow_config.json'), v1('default_prompts.json')])).toEqual([]);
  });

  it('reports both places of a name that is there twice', async () => {
    const one = await written('one.yaml', 'prompts: { a: x }\n');
    const two = await written('two.yaml', 'prompts:\n  a: y\n');
    expect(await lint([one, two])).toEqual([
      {
        file: two,
        line: 2,
        column: 3,
        path: 'prompts.a',
        code: 'duplicate-name',
        severity: 'error',
        message: `the prompt 'a' is there already: ${one}:1:12`,
        suggestion: 'rename one of them',
      },
    ]);
  });

  it('reports a file that is not there', async () => {
    const file = join(folder, 'none.yaml');
    const problems = await lint(file, { language: 'ja' });
    expect(problems).toMatchObject([{ file, code: 'unreadable', severity: 'error' }]);
  });

  it('continues after a key that is mistyped or says nothing of the flow', async () => {
    const text = `prompts: { ask: 'x' }
agent_roles: { a: { system_prompt: '' } }
workflows:
  w:
    steps:
      - id: one
        type: agent_interaction
        agent_id: nobody
        prompt_id: ask
        timeuot: { total: 30s }
        retry: 3
      - { id: two, type: agent_interaction, agent_id: a, prompt_id: ask, when: 'one >' }
`;
    const problems = await lint(await written('several.yaml', text));
    expect(problems.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '8 unknown-role',
      '10 unknown-key',
      '11 wrong-type',
      '12 condition-syntax',
    ]);
  });

  it('reports where a file is no UTF-8', async () => {
    const shiftJis = Buffer.concat([Buffer.from('prompts:\n  a: '), Buffer.from([0x94, 0x4c])]);
    const file = await written('sjis.yaml', shiftJis);
    const problems = await lint(file);
    expect(problems).toMatchObject([{ file, line: 2, column: 6, code: 'syntax' }]);
    expect(problems[0]?.message).toContain('no UTF-8');
  });

  it('takes objects, and names the keys', async () => {
    const step = { id: 'a', type: 'sleep' as const, duration: '1 s' };
    expect(await lint({ workflows: { w: { steps: [step] } } })).toMatchObject([
      { file: 'files[0]', path: 'workflows.w.steps[0].duration', code: 'bad-duration' },
    ]);
  });

  it('is content with a prompt set that has all that is named', async () => {
    const half = { agent_roles: {}, prompts: { draft: '', review: '' } };
    const promptSets = { half, whole: v1('default_prompts.json') };
    expect(await lint(v1('workflow_config.json'), { promptSets })).toEqual([]);
    const problems = await lint(v1('workflow_config.json'), { promptSets: { half } });
    expect(new Set(problems.map(({ code }) => code))).toEqual(
      new Set(['unknown-role', 'unknown-prompt', 'unused-input']),
    );
  });

  it('refuses workflows in a prompt set', async () => {
    const file = await written('set.yaml', 'prompts: {}\nworkflows: {}\n');
    expect(await lint([], { promptSets: { a: file } })).toMatchObject([
      { file, line: 2, column: 1, code: 'unknown-key' },
    ]);
  });

  it('leaves codes of errors to functions, which have their own', async () => {
    const on = ['rate_limt', 'ECONNRESET'];
    const step = { type: 'function', function: 'f' } as const;
    const file = {
      use: { retries: { often: { on } } },
      agent_roles: { a: { system_prompt: '' } },
      prompts: { p: 'x' },
      workflows: {
        w: {
          steps: [
            { ...step, id: 'one', retry: { on } },
            { ...step, id: 'two', retry: 'often' },
            {
              id: 'three',
              type: 'agent_interaction',
              agent_id: 'a',
              prompt_id: 'p',
              retry: 'often',
            },
          ],
        },
      },
    } as const;
    expect(await lint(file)).toEqual([]);
    expect(
      await lint(
        await written('no-list.yaml', `workflows: {}\nuse: { retries: { a: { on: x } } }\n`),
      ),
    ).toMatchObject([{ code: 'wrong-type' }]);
  });

  it('takes files without anything in them', async () => {
    expect(await lint(await written('empty.yaml', ''))).toEqual([]);
    expect(await lint(await written('comment.yaml', '# nothing yet\n'))).toEqual([]);
    expect(await lint([])).toEqual([]);
  });

  it('reports 1,000 mistakes', async () => {
    const steps = Array.from(
      { length: 1000 },
      (_, at) => `{ id: s${at}, type: sleep, duration: 1, next_step: t${at} }`,
    );
    const text = `workflows:\n  w:\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`;
    const problems = await lint(await written('many.yaml', text));
    const unknown = problems.filter(({ code }) => code === 'unknown-step');
    expect(unknown).toHaveLength(1000);
    expect(unknown.at(-1)).toMatchObject({ line: 1003, column: 58 });
  });

  it('goes through 5,000 steps and 50 bodies in each other', async () => {
    const steps = Array.from({ length: 5000 }, (_, at) => ({
      id: `s${at}`,
      type: 'function' as const,
      function: 'f',
      input_variables: { x: at === 0 ? 'user_input' : `v${at - 1}` },
      output_variable: `v${at}`,
    }));
    expect(await lint({ workflows: { long: { steps } } }, engine)).toEqual([]);
    let body: unknown = { id: 'core', type: 'sleep', duration: 1 };
    for (let at = 0; at < 50; at += 1)
      body = { id: `l${at}`, type: 'loop', maxRounds: 2, steps: [body] };
    expect(await lint({ workflows: { deep: { steps: [body] } } } as never)).toEqual([]);
  });
});
