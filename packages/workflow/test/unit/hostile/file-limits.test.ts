import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lint, WorkflowEngine } from '@vizprompt/workflow';
import { describe, expect, it, onTestFinished } from 'vitest';

const KEYS = Array.from({ length: 2000 }, (_, at) => `k${at}`);
const deep = (open: string, close: string): string => open.repeat(2e4) + close.repeat(2e4);

/** Files that take much, and what is said of them. */
const FILES: readonly (readonly [name: string, file: string, text: () => string, said: RegExp])[] =
  [
    ['a large YAML', 'a.yaml', () => `workflows: ${'x'.repeat(5 << 20)}`, /at most 4194304 bytes/],
    ['a large JSON', 'a.json', () => `{"workflows":"${'x'.repeat(5 << 20)}"}`, /at most 4194304/],
    ['a deep YAML', 'a.yaml', () => `workflows: ${deep('[', ']')}`, /nested deeper than 100/],
    [
      'deep lists of one line',
      'a.yaml',
      () => `workflows:\n  ${'- '.repeat(2e4)}x`,
      /nested deeper/,
    ],
    ['a deep JSON', 'a.json', () => `{"workflows":${deep('[', ']')}}`, /nested deeper/],
    [
      'deep objects',
      'a.json',
      () => `{"workflows":${deep('{"a":', '}').replace('}', '1}')}}`,
      /nested deeper/,
    ],
    ['2,000 keys', 'a.yaml', () => KEYS.map((key) => `${key}: 1`).join('\n'), /k0/],
    ['2,000 keys of JSON', 'a.json', () => `{${KEYS.map((key) => `"${key}":1`).join(',')}}`, /k0/],
    [
      '2,000 workflows',
      'a.yaml',
      () => `workflows:\n${KEYS.map((key) => `  ${key}: 1`).join('\n')}`,
      /must be an object/,
    ],
    ['aliases', 'a.yaml', () => `a: &a x\nb: [${'*a, '.repeat(5000)}]`, /more than 1000 aliases/],
    ['a long line', 'a.yaml', () => `workflows: ${'[x,'.repeat(3)}${'y '.repeat(1e5)}`, /./],
  ];

async function saved(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-limits-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

describe('a file that takes much', () => {
  it.each(FILES)('of %s is a mistake with a code', async (_, name, text, said) => {
    const file = await saved(name, text());
    const problems = await lint(file);
    expect(problems[0]?.message).toMatch(said);
    await expect(WorkflowEngine.open({ files: file })).rejects.toMatchObject({
      code: 'definition-invalid',
      message: expect.stringMatching(said),
    });
  });

  it('is read up to the limit of the caller', async () => {
    const file = await saved('a.yaml', `# ${'x'.repeat(100)}\nworkflows: {}\n`);
    const options = { maxFileBytes: 50 };
    const message = expect.stringContaining('at most 50 bytes');
    expect(await lint(file, options)).toMatchObject([{ code: 'unreadable', message }]);
    await expect(WorkflowEngine.open({ files: file, ...options })).rejects.toMatchObject({
      message,
    });
    expect(await lint(file, { maxFileBytes: 200 })).not.toMatchObject([{ code: 'unreadable' }]);
  });
});
