import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseDocument, stringify } from 'yaml';
import { z } from 'zod';
import { anyString, runs } from '../../../providers/test/support/fuzz.ts';
import { freezeDefinition } from '../../src/definition/definition-snapshot.ts';
import type { WorkflowFile } from '../../src/definition/workflow-file.ts';
import { WorkflowError } from '../../src/errors.ts';
import { readFastYaml } from '../../src/load/fast-yaml.ts';
import { loadDefinitions } from '../../src/load/load-definitions.ts';
import { parseSource } from '../../src/load/read-source.ts';
import { fileSchema, workflowJsonSchema } from '../../src/schema/file-schema.ts';
import { everything } from '../support/everything.ts';
import { flowMistakes } from '../support/flow-mistakes.ts';
import { plainMistakes } from '../support/mistakes.ts';

const mistakes = [...plainMistakes, ...flowMistakes];

const v1 = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/v1/${name}`, import.meta.url));

async function failure(work: () => unknown): Promise<WorkflowError> {
  try {
    await work();
  } catch (error) {
    if (WorkflowError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('loadDefinitions', () => {
  it('reads workflows and prompts from JSON files of version 1', async () => {
    const definitions = await loadDefinitions({
      files: v1('workflow_config.json'),
      promptSets: { 小説: v1('default_prompts.json') },
    });
    expect(Object.keys(definitions.workflows)).toEqual(['boosting', 'bagging']);
    expect(definitions.promptSets['小説']?.prompts['draft']).toContain('{{ topic }}');
  });

  it('joins files; prompts next to workflows are the set default', async () => {
    const definitions = await loadDefinitions({
      files: [
        v1('workflow_config.json'),
        { prompts: { more: 'x' }, use: { models: { a: 'b:c' } } },
      ],
      promptSets: { other: { prompts: { more: 'y' } } },
    });
    expect(definitions.promptSets).toEqual({
      default: { agent_roles: {}, prompts: { more: 'x' } },
      other: { agent_roles: {}, prompts: { more: 'y' } },
    });
    expect(definitions.use.models).toEqual({ a: 'b:c' });
  });

  it('reports the first problem, and has all of them', async () => {
    const error = await failure(() =>
      loadDefinitions({
        files: {
          workflows: {
            w: {
              steps: [
                { id: 'a', type: 'sleep', until: 'x', next_step: 'b' },
                { id: 'a', type: 'sleep' },
              ],
            },
          },
        },
      }),
    );
    expect(error.code).toBe('definition-invalid');
    expect(error.message).toBe(
      "files[0]: workflows.w.steps[1].id: the id 'a' is taken by a step before it: files[0]: workflows.w.steps[0].id (rename one of them); and 2 more",
    );
    expect(error.context['problems']).toMatchObject([
      { code: 'duplicate-id' },
      { code: 'unknown-step', path: 'workflows.w.steps[0].next_step' },
      { code: 'sleep-time' },
    ]);
  });

  it.each([['a file that is not there', 'no-such.yaml', /^no-such\.yaml: it cannot be read/]])(
    'names %s',
    async (_, file, message) => {
      const error = await failure(() => loadDefinitions({ files: file }));
      expect(error.message).toMatch(message);
    },
  );

  it('takes every key of the format', async () => {
    expect(fileSchema.safeParse(everything).error).toBeUndefined();
    await loadDefinitions({ files: everything });
  });
});

describe('the quick reader of YAML', () => {
  const scalar = fc.oneof(
    fc.string({ maxLength: 12 }),
    anyString({ maxLength: 6 }),
    fc.constantFrom(
      'yes',
      'null',
      '~',
      '1e3',
      '0x1f',
      '.5',
      '-0',
      '1_000',
      '2026-01-01',
      'a: b',
      'a #b',
      '#a',
      '- a',
      '{a}',
      "it's",
      'x\n',
      'x\ny\n',
      ' x',
      '\n',
      '猫',
      '猫: 犬',
      '|',
      '>',
      '!a',
      '&a',
      '*a',
      '@a',
      '%a',
      '?',
      '-',
      ':',
    ),
    fc.double({ noNaN: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const key = fc.oneof(
    fc.constantFrom('a', 'b_c', '名前', '$d', 'true', '1', 'x y', '', '__proto__', '-'),
    fc.string({ maxLength: 5 }),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
    ),
  }));
  const options = fc.record({
    defaultStringType: fc.constantFrom(
      'PLAIN',
      'QUOTE_SINGLE',
      'QUOTE_DOUBLE',
      'BLOCK_LITERAL',
    ) as fc.Arbitrary<'PLAIN'>,
    indentSeq: fc.boolean(),
    indent: fc.constantFrom(1, 2, 4),
    collectionStyle: fc.constantFrom('any', 'flow', 'block') as fc.Arbitrary<'any'>,
    lineWidth: fc.constantFrom(0, 20, 80),
  });

  it('reads what the whole language reads, or nothing', () => {
    fc.assert(
      fc.property(tree, options, (value, style) => {
        const [quick, whole] = readings(stringify(value, style));
        expect(quick).toEqual(whole);
      }),
      { numRuns: runs(400) },
    );
  });

  it('reads nothing into what is damaged', () => {
    const damage = fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom(
          '',
          ' ',
          '  ',
          '\n',
          '#',
          ': ',
          '- ',
          '"',
          "'",
          '|',
          '{',
          '}',
          ',',
          '\t',
          'a',
          '\r\n',
          '  # c\n',
          '\n\n',
        ),
      ),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(tree, options, damage, (value, style, damages) => {
        let text = stringify(value, style);
        for (const [at, put] of damages) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + put + text.slice(place + (at % 2));
        }
        const [quick, whole] = readings(text);
        expect(quick).toEqual(whole);
      }),
      { numRuns: runs(800) },
    );
  });

  it('reads the files of the tests, but for those that are no YAML', async () => {
    const plain = mistakes
      .map(({ text }) => text.replace('▲', ''))
      .filter((text) => text[0] !== '{');
    const read = plain.filter((text) => readFastYaml(text) !== undefined);
    for (const text of read) {
      const [quick, whole] = readings(text);
      expect(quick).toEqual(whole);
    }
    expect(read.length).toBeGreaterThan(plain.length * 0.8);
    const text = stringify(everything, { aliasDuplicateObjects: false });
    expect(readFastYaml(text)).toEqual(parse(text));
    const { source } = await parseSource('a.yaml', text, true);
    expect(source.value).toEqual(everything);
  });

  /** Returns the results of both readers, where the quick one gives any. */
  function readings(text: string): readonly [unknown, unknown] {
    const quick = readFastYaml(text);
    if (quick === undefined) return [text, text];
    const document = parseDocument(text);
    const [error] = document.errors;
    return [quick, error ? [text, error] : document.toJS()];
  }
});

describe('freezeDefinition', () => {
  const file = (more: Partial<WorkflowFile> = {}): WorkflowFile => ({ ...everything, ...more });

  it('takes what can be reached, and nothing else', async () => {
    const definitions = await loadDefinitions({
      files: file({
        prompts: { ...everything.prompts, unused: 'x' },
        workflows: {
          ...everything.workflows,
          alone: { steps: [{ id: 's', type: 'sleep', duration: 1 }] },
        },
      }),
    });
    const { definition } = freezeDefinition(definitions, 'all');
    expect(Object.keys(definition.workflows)).toEqual(['all', 'other']);
    expect(Object.keys(definition.prompts)).not.toContain('unused');
    expect(definition.use).toEqual(everything.use);
    const alone = freezeDefinition(definitions, 'alone').definition;
    expect(alone).toMatchObject({
      agent_roles: {},
      prompts: {},
      use: { retries: {}, timeouts: {}, models: {} },
    });
  });

  it('has the same hash for the same content, and another for another', async () => {
    const hash = async (source: WorkflowFile): Promise<string> =>
      freezeDefinition(await loadDefinitions({ files: source }), 'all').hash;
    const first = await hash(file());
    const turned = Object.fromEntries(Object.entries(everything).toReversed());
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hash(turned)).toBe(first);
    expect(await hash(file({ prompts: { ...everything.prompts, unused: 'x' } }))).toBe(first);
    expect(await hash(file({ prompts: { ...everything.prompts, draft: 'x' } }))).not.toBe(first);
  });

  it.each([
    ['a workflow', 'al', undefined, "there is no workflow 'al'; there is: all, other"],
    ['a prompt set', 'all', 'b', "there is no prompt set 'b'; there is: a, default"],
    [
      'a role',
      'all',
      'a',
      "there is no role 'writer' in the prompt set 'a' (step 'agent' of 'all'); there is none",
    ],
  ])('names %s that is not there', async (_, workflow, promptSet, message) => {
    const definitions = await loadDefinitions({
      files: file(),
      promptSets: { a: { prompts: {} } },
    });
    const error = await failure(() => freezeDefinition(definitions, workflow, promptSet));
    expect(error).toMatchObject({ code: 'not-found', message });
  });
});

describe('workflow.schema.json', () => {
  it('is the schema of the format, with a description of every key', async () => {
    const text = await readFile(new URL('../../workflow.schema.json', import.meta.url), 'utf8');
    const schema = JSON.parse(text) as Record<string, unknown>;
    expect(schema).toEqual(JSON.parse(JSON.stringify(workflowJsonSchema())));
    expect(text).not.toContain('"oneOf"');
    const undescribed: string[] = [];
    JSON.parse(text, (key, value: unknown) => {
      if (key !== 'properties') return value;
      for (const [name, property] of Object.entries(Object(value))) {
        const { description, $ref } = Object(property);
        if (description === undefined && $ref === undefined) undescribed.push(name);
      }
      return value;
    });
    expect(undescribed).toEqual([]);
    const { safeParse } = z.fromJSONSchema(schema);
    expect(safeParse(everything).success).toBe(true);
    expect(safeParse({ workflows: { a: { steps: [{ id: 'a', type: 'slep' }] } } }).success).toBe(
      false,
    );
  });
});

beforeAll(async () => {
  await loadDefinitions({ files: [] });
});
