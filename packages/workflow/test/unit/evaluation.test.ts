import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import {
  compareEvaluations,
  comparisonTable,
  contains,
  evaluateWorkflow,
  evaluationTable,
  exactMatch,
  readCases,
} from '../../src/evaluation/index.ts';
import { estimate } from '../../src/evaluation/statistics.ts';
import type { WorkflowFile } from '../../src/index.ts';
import { questionOf } from '../support/engine/flow-parts.ts';
import { temporaryFolder } from '../support/engine/open-engine.ts';

function fileOf(prompt: string): WorkflowFile {
  return {
    agent_roles: { a: { system_prompt: '', model: 'm' } },
    prompts: { ask: prompt },
    workflows: {
      ask: {
        steps: [
          {
            id: 'ask',
            type: 'agent_interaction',
            agent_id: 'a',
            prompt_id: 'ask',
            input_variables: { q: 'user_input' },
          },
        ],
      },
      grade: {
        steps: [
          {
            id: 'grade',
            type: 'function',
            function: 'length',
            input_variables: { output: 'user_input.output' },
          },
        ],
      },
    },
  };
}

const dataset = ['1 + 1', '2 + 2', '3 + 3', '4 + 4'].map((input, at) => {
  return { id: input, input, expected: String(2 * at + 2) };
});

/** Gets sums right where it is asked to think, and else only the first two. */
const m = scriptedModel((request) => {
  const question = questionOf(request);
  if (question.includes('fail')) throw new Error('no answer');
  const first = Number(/\d+/.exec(question)?.[0]);
  return question.includes('Think') || first < 3 ? ` ${2 * first}.` : 'nine';
});

const options = {
  models: { m },
  workflow: 'ask',
  dataset,
  judges: { right: exactMatch, has: contains, long: 'flow:grade' as const },
  functions: {
    length: ({ output }: { readonly output?: unknown }) => ({ score: String(output).length }),
  },
};

describe('an evaluation', () => {
  it('runs each case several times, and has means with intervals', async () => {
    const evaluation = await evaluateWorkflow({ ...options, files: fileOf('{{ q }}'), repeat: 3 });
    expect(evaluation.runs).toHaveLength(12);
    expect(evaluation.failures).toBe(0);
    expect(evaluation.scores['right']).toMatchObject({ mean: 0.5, cases: 4 });
    expect(evaluation.scores['has']?.mean).toBe(0.5);
    expect(evaluation.scores['long']?.mean).toBeGreaterThan(2);
    expect(evaluation.tokens).toBeGreaterThan(0);
    expect(evaluation.runs[2]).toMatchObject({ caseId: '1 + 1', repetition: 3, output: ' 2.' });
    expect(evaluationTable(evaluation)).toMatch(/\| right \| 0\.500 \| 0\.\d+ to 0\.\d+ \| 4 \|/);
  });

  it('compares two definitions case by case', async () => {
    const before = await evaluateWorkflow({ ...options, files: fileOf('{{ q }}') });
    const after = await evaluateWorkflow({ ...options, files: fileOf('Think: {{ q }}') });
    const { scores } = compareEvaluations(before, after);
    expect(scores['right']).toMatchObject({
      difference: { mean: 0.5, cases: 4 },
      verdict: 'unsure',
    });
    expect(compareEvaluations(after, before).scores['right']?.difference.mean).toBe(-0.5);
    expect(comparisonTable(compareEvaluations(before, after))).toContain('| +0.500 |');
    const many = (repeat: number): typeof dataset =>
      Array.from({ length: 20 }, (_, at) => ({ id: `${at}`, input: '3', expected: '6' })).slice(
        0,
        repeat,
      );
    const worse = await evaluateWorkflow({
      ...options,
      dataset: many(20),
      files: fileOf('{{ q }}'),
    });
    const better = await evaluateWorkflow({
      ...options,
      dataset: many(20),
      files: fileOf('Think {{ q }}'),
    });
    expect(compareEvaluations(worse, better).scores['right']?.verdict).toBe('better');
    expect(compareEvaluations(better, worse).scores['right']?.verdict).toBe('worse');
    expect(() => compareEvaluations(worse, before)).toThrow('no judge and case in common');
  });

  it('counts runs that fail with 0, and those whose judge gives no score', async () => {
    const evaluation = await evaluateWorkflow({
      ...options,
      files: fileOf('{{ q }}'),
      dataset: [{ input: '1' }, { input: 'fail' }],
      judges: { odd: ({ input }) => (input === '1' ? (undefined as never) : 1) },
    });
    expect(evaluation.failures).toBe(2);
    expect(evaluation.scores['odd']?.mean).toBe(0);
    expect(evaluation.runs.map(({ error }) => error)).toEqual([
      expect.stringContaining('no score'),
      expect.stringContaining('no answer'),
    ]);
    expect(evaluation.runs[0]?.tokens).toBeGreaterThan(0);
  });

  it('stops with its signal, and refuses what it cannot use', async () => {
    const files = fileOf('{{ q }}');
    const signal = AbortSignal.abort();
    await expect(evaluateWorkflow({ ...options, files, signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    const refused = { code: 'invalid-input' };
    const { workflow: _, ...unnamed } = options;
    await expect(evaluateWorkflow({ ...unnamed, files })).rejects.toMatchObject(refused);
    const judges = { j: 'flow:none' as const };
    await expect(evaluateWorkflow({ ...options, files, judges })).rejects.toMatchObject(refused);
    await expect(evaluateWorkflow({ ...options, files, dataset: [] })).rejects.toMatchObject(
      refused,
    );
  });
});

describe('a dataset', () => {
  it.each([
    ['a.jsonl', '{"input": 1, "expected": 2}\n\n{"id": "x", "input": "y"}\n'],
    ['a.yaml', '- { input: 1, expected: 2 }\n- { id: x, input: y }\n'],
    ['a.json', '{"cases": [{"input": 1, "expected": 2}, {"id": "x", "input": "y"}]}'],
  ])('is read: %s', async (name, text) => {
    const file = join(await temporaryFolder(), name);
    await writeFile(file, text);
    expect(await readCases(file)).toEqual([
      { id: '1', input: 1, expected: 2 },
      { id: 'x', input: 'y' },
    ]);
  });

  it.each([
    ['a.jsonl', '{"input": 1}\n{', /a\.jsonl:2/],
    ['a.yaml', '- { inputs: 1 }', /case 1 must be an object with 'input'/],
    ['a.yaml', '- { id: 1, input: 1 }\n- { id: 1, input: 2 }', /case 2: the id '1' is taken/],
    ['a.json', '{}', /must be a list/],
    ['a.yaml', '[', /a\.yaml/],
  ])('that is wrong is an error: %s %s', async (name, text, message) => {
    const file = join(await temporaryFolder(), name);
    await writeFile(file, text);
    await expect(readCases(file)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(message),
    });
  });
});

describe('an interval', () => {
  // Wilson's: https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval; Student's by its table.
  it.each([
    [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1], true, 0.722, 1],
    [[1, 1, 1, 1, 1, 0, 0, 0, 0, 0], true, 0.237, 0.763],
    [[1, 2, 3, 4, 5], false, 1.037, 4.963],
    [[1, 3], false, -10.706, 14.706],
  ] as const)('of %j', (values, isBinary, low, high) => {
    const found = estimate(values, isBinary);
    expect(found.low).toBeCloseTo(low, 3);
    expect(found.high).toBeCloseTo(high, 3);
  });

  it('of one case there is none', () => {
    expect(estimate([1], true)).toEqual({ mean: 1, cases: 1 });
  });
});
