import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltContext, ImportReport } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { sharedProject, testProject } from '../../support/project.ts';

// A refused command changes nothing, so one project is enough.
const bad = sharedProject();

const CONVERSATIONS = JSON.stringify([
  {
    uuid: 'c1',
    name: '認証の相談',
    chat_messages: [
      { uuid: 'm1', sender: 'human', text: '認証はどうする？' },
      { uuid: 'm2', sender: 'assistant', text: 'JWTを使います。' },
      { uuid: 'm3', sender: 'human', text: '期限は？' },
      { uuid: 'm4', sender: 'assistant', text: '十五分です。' },
    ],
  },
  { uuid: 'c2', name: '壊れたもの' },
]);

describe('vizprompt import', () => {
  it('reads a file and standard input, and adds only what is new', async () => {
    const { place, run, json } = await testProject();
    await writeFile(join(place.cwd, 'conversations.json'), CONVERSATIONS);
    const first = await run(['import', 'conversations.json']);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('2 nodes  認証の相談\n');
    expect(first.stdout).toContain('Conversations: 1 imported, 0 updated, 0 unchanged\n');
    expect(first.stdout).toContain('Nodes: 2 created, 0 updated, 0 unchanged\n');
    expect(first.stderr).toContain('left out: conversations.json, entry 2: ');
    const again = await json<ImportReport>(['import', '-'], { input: CONVERSATIONS });
    expect(again.conversations).toMatchObject({ imported: 0, unchanged: 1, skipped: 1 });
    const lines = ['{"role":"user","content":"行ごと"}', '{"role":"assistant","content":"はい"}'];
    const third = await json<ImportReport>(['import', '-', '--format', 'openai'], {
      input: lines.join('\n'),
    });
    expect(third.nodes).toMatchObject({ total: 1, created: 1 });
  });

  it.each([
    [['import'], '', 2, "missing required argument 'source'"],
    [['import', 'nowhere.zip'], '', 2, 'cannot read '],
    [['import', '-'], 'not json', 2, 'it is no JSON'],
    [['import', '-'], '', 2, 'the source holds no conversation'],
    [['import', '-', '--format', 'word'], '{}', 2, "got 'word'"],
  ])('refuses %j of %j', async (args, input, code, message) => {
    const result = await bad.run(args, { input });
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });
});

describe('vizprompt export', () => {
  it('writes to standard output and to files, and what it wrote comes back', async () => {
    const { place, run, json, node } = await testProject();
    await node('認証は？ 🐈', 'JWTです。');
    await node('期限は？', '十五分です。');
    expect((await run(['export'])).stdout).toContain('JWTです。');
    expect((await run(['export', 'main', '--format', 'mermaid'])).stdout).toContain('n1 --> n2');
    const written = await run(['export', '--format', 'html', '--output', 'グラフ.html']);
    expect(written.stdout).toBe(`wrote ${join(place.cwd, 'グラフ.html')}\n`);
    const html = await readFile(join(place.cwd, 'グラフ.html'), 'utf8');
    expect(html).toContain('<!doctype html>');
    const line = await json<{ content: string }>(['export', '--format', 'openai', '--leaf', '1']);
    expect(JSON.parse(line.content)).toMatchObject([{ role: 'user' }, { content: 'JWTです。' }]);
    const whole = await run(['export', '--format', 'json']);
    const other = await testProject();
    await other.json(['import', '-'], { input: whole.stdout });
    expect((await other.run(['export', '--format', 'json'])).stdout).toBe(whole.stdout);
  });

  it.each([
    [['export', 'どこ'], 3, 'どこ'],
    [['export', '--format', 'word'], 2, "got 'word'"],
    [['export', '--format', 'openai', '--leaf', '9'], 3, 'no node 9'],
    [['export', '--output', 'no/such/folder.md'], 3, 'no/such'],
  ])('refuses %j', async (args, code, message) => {
    const result = await bad.run(args);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });

  it('leaves a file as it was when the export fails', async () => {
    const { place, run } = await testProject();
    const file = join(place.cwd, 'main.md');
    await writeFile(file, '前のもの');
    expect((await run(['export', 'どこ', '-o', 'main.md'])).code).toBe(3);
    expect(await readFile(file, 'utf8')).toBe('前のもの');
    await expect(stat(`${file}.tmp`)).rejects.toThrow('ENOENT');
  });
});

describe('vizprompt context', () => {
  it('gives the text, the messages, and what became of each node', async () => {
    const { run, json, node } = await testProject();
    await node('認証は？', 'JWTです。');
    await node('色は？', '青です。');
    const text = await run(['context', '--prompt', '-', '--report'], { input: '期限は？' });
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('期限は？');
    expect(text.stdout).toContain('青です。');
    expect(text.stderr).toMatch(/^1\tfull\tfits\t\d+\n2\tfull\tbefore-prompt\t\d+\n/);
    expect(text.stderr).toMatch(/\d+ of 8000 tokens/);
    const built = await json<BuiltContext>(
      'context --prompt 期限は？ --node 1 --budget 500 --references 2 --pin 1'.split(' '),
    );
    expect(built.report).toMatchObject({ budget: 500 });
    expect(built.report.entries.map(({ form, reason }) => [form, reason])).toEqual([
      ['full', 'pinned'],
      ['full', 'reference'],
    ]);
    expect(built.messages.at(-1)).toMatchObject({ role: 'user' });
    const without = await json<BuiltContext>(['context', '--prompt', 'x', '--exclude', '1,2']);
    expect(without.report.entries.every(({ form }) => form === 'dropped')).toBe(true);
  });

  it.each([
    [['context'], 2, 'give one of --prompt, --prompt-file'],
    [['context', '--prompt', 'x', '--budget', '1'], 2, 'budget'],
    [['context', '--prompt', 'x', '--budget', 'viel'], 2, 'expected a whole number from 1'],
    [['context', '--prompt', 'x', '--node', '5'], 3, 'no node 5'],
    [['context', '--prompt', 'x', '--flow', 'どこ'], 3, 'どこ'],
  ])('refuses %j', async (args, code, message) => {
    const result = await bad.run(args);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });
});
