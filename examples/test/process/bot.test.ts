import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage } from '@vizprompt/providers/node';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram, type ProgramOptions } from '../support/program.ts';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bot-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the bot's answers to lines that are typed until the end of the input. */
async function talk(options: ProgramOptions, ...lines: readonly string[]): Promise<string> {
  const input = lines.map((line) => `${line}\n`).join('');
  const { code, stdout, stderr } = await runProgram(tmpdir(), 'bot/main.ts', { ...options, input });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

describe('the bot', () => {
  it('cites notes, branches, and remembers when it is started again', async () => {
    const data = await temporaryFolder();
    const said = await talk(
      { args: ['--data', data] },
      '妹の誕生日は3月3日です',
      '灯油はどこにある？',
      '/言い直し 燃えるごみの日はいつ？',
      '/やり直し',
      '/地図',
    );
    expect(said).toContain('> 覚えておきます。\n');
    expect(said).toMatch(/> 灯油は物置の左の棚にある。\[家\.md:\d+(-\d+)?\]\n/);
    expect(said.match(/燃えるごみは火曜と金曜。\[家\.md:\d+(-\d+)?\]\n/g)).toHaveLength(2);
    expect(said).toMatch(
      /● 1 妹の誕生日は3月3日です\n├─● 2 灯油はどこにある？\n├─● 3 燃える.*\n└─\* 4 燃える/,
    );

    const again = { args: ['--data', data] };
    const recalled = await talk(again, '妹の誕生日はいつでしたか？', '祖父の好物は？');
    expect(recalled).toMatch(/> 妹の誕生日は3月3日です。\[\d{4}-\d\d-\d\d の会話\]\n/);
    expect(recalled).toContain('> わかりません。\n');

    await using storage = await openStorage(data);
    await using memory = await MemoryStore.open({ storage });
    expect(await memory.listSessions()).toMatchObject([{ id: 'room:terminal', event_count: 12 }]);
    expect((await memory.check()).isOk).toBe(true);
  });

  it('asks a panel what is hard, and has two discuss on demand; both are flows of the project', async () => {
    const data = await temporaryFolder();
    const said = await talk(
      { args: ['--data', data] },
      '犬と猫、どちらを飼うべき？',
      '/討論 犬を飼う',
      '/地図',
    );
    expect(said).toContain('> まとめ役の考え: 「犬と猫、どちらを飼うべき？」は');
    expect(said).toContain('> 司会の考え: 「犬を飼う」は');
    expect(said).toMatch(/● 1 まとめ役: .*\n\* 2 司会: /);

    await using vizprompt = await VizPrompt.open(data, { lock: 'read-only' });
    const flows = await vizprompt.listFlows();
    const kinds = flows.map(({ name, nodes }) => `${name.slice(0, 2)} ${nodes}`);
    // The panel is a search, two opinions side by side, what they are joined to, and a verdict.
    expect(kinds.toSorted()).toEqual(['te 2', '会議 5', '討論 5']);
  });

  it('survives a model that is away, and a real one answers', async () => {
    const data = await temporaryFolder();
    await using llm = await startFakeLLM({ answer: 'はい、左の棚です。[A]' });
    llm.fail({ type: 'status', status: 500 });
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${llm.url}/v1` };
    const args = ['--data', data, '--model', 'openai:tiny'];
    const said = await talk({ args, env }, '灯油はどこ？', '/やり直し');
    expect(said).toContain('> 答えられませんでした: ');
    expect(said).toMatch(/> はい、左の棚です。\[家\.md:\d+(-\d+)?\]\n/);
    const sent = JSON.stringify(llm.requests.at(-1)?.body);
    expect(sent).toContain('あなたは家のボットです');
    expect(sent).toContain('灯油は物置の左の棚');
  });
});
