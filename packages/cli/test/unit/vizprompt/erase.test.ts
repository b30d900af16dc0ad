import { VizPrompt } from '@vizprompt/core';
import type { ErasureReport } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { findWords } from '../../../../providers/test/support/find-words.ts';
import { testProject } from '../../support/project.ts';

const SAID = 'The vault is behind 蜜柑畑の絵.';
const WORDS = ['The vault', '蜜柑畑'];

async function say(folder: string): Promise<void> {
  await using vizprompt = await VizPrompt.open(folder);
  await vizprompt.createNode({ prompt: 'q', response: SAID, speaker: 'Alice' });
  await vizprompt.createNode({ prompt: `> ${SAID}`, response: 'Alice is right.' });
}

describe('vizprompt erase', () => {
  it('shows what it would erase, erases it, and says what it cannot reach', async () => {
    const { place, run, json } = await testProject();
    await say(place.cwd);
    const planned = await run(['erase', '--speaker', 'alice', '--dry-run']);
    expect(planned.stdout).toContain('would be erased:\n  quotes: 1\n  nodes: 1\n');
    expect(findWords(place.cwd, WORDS)).not.toEqual([]);
    const { stdout, code } = await run(['erase', '--speaker', 'alice', '--lang', 'ja']);
    expect(code).toBe(0);
    expect(stdout).toContain('消去しました:\n  quotes: 1 件\n  nodes: 1 件\n');
    expect(stdout).toContain('gitの履歴');
    expect(stdout).toContain('ほかの人の発言に出てくる名前（1 か所）');
    expect(findWords(place.cwd, WORDS)).toEqual([]);
    const report = await json<ErasureReport>(['erase', '--speaker', 'alice', '--mentions']);
    expect(report).toMatchObject({ dryRun: false, erased: [{ place: 'quotes', count: 1 }] });
    expect(findWords(place.cwd, ['Alice'])).toEqual([]);
  });

  it('replaces texts that are given, one of them by standard input', async () => {
    const { place, run } = await testProject();
    await say(place.cwd);
    const args = ['erase', '--speaker', 'Nobody', '--text', '-'];
    expect((await run(args, { input: SAID })).code).toBe(0);
    expect(findWords(place.cwd, WORDS)).toEqual([]);
  });

  it.each([
    [['erase'], "required option '--speaker <name>'"],
    [['erase', '--speaker', ' '], 'expected a name'],
  ])('refuses %j', async (args, message) => {
    const { run } = await testProject();
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('vizprompt vacuum', () => {
  it('removes every byte of what was deleted', async () => {
    const { place, run } = await testProject();
    await say(place.cwd);
    await run(['delete-node', '1']);
    await run(['delete-node', '2']);
    expect(findWords(place.cwd, WORDS)).not.toEqual([]);
    expect((await run(['vacuum'])).stdout).toContain('history: ');
    expect(findWords(place.cwd, WORDS)).toEqual([]);
    expect((await run(['undo'])).stdout).toContain('nothing');
  });
});
