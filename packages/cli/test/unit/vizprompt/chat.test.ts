import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredFlow, StoredNode } from '@vizprompt/core';
import { startFakeLLM, type FakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CommandOptions } from '../../support/command.ts';
import type { RunResult } from '../../support/run.ts';
import { sharedProject, testProject, type TestProject } from '../../support/project.ts';

const bad = sharedProject();

interface TestChat extends TestProject {
  readonly llm: FakeLLM;
  /** Talks line by line. */
  talk(
    lines: readonly string[],
    words?: readonly string[],
    options?: Partial<CommandOptions>,
  ): Promise<RunResult>;
  nodes(): Promise<readonly StoredNode[]>;
}

async function testChat(): Promise<TestChat> {
  const llm = await startFakeLLM();
  onTestFinished(() => llm.close());
  const project = await testProject();
  return {
    ...project,
    llm,
    talk: (lines, words = [], options = {}) =>
      project.run(['chat', '--model', 'ollama:m', '--base-url', llm.url, ...words], {
        input: lines.map((line) => `${line}\n`).join(''),
        ...options,
      }),
    async nodes() {
      const { nodes } = await project.json<StoredFlow>(['flow', 'show']);
      return Promise.all(nodes.map(({ id }) => project.json<StoredNode>(['get-node', id])));
    },
  };
}

describe('vizprompt chat', () => {
  it('asks and remembers, line by line, and keeps every answer', async () => {
    const { llm, talk, nodes } = await testChat();
    llm.answer('はい、猫です。🐈', '静かだから。');
    const { code, stdout, stderr } = await talk(['猫は好き？', '', '一行目\\', '二行目']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe('はい、猫です。🐈\n静かだから。\n');
    expect((await nodes()).map((each) => [each.prompt, each.response, each.status])).toEqual([
      ['猫は好き？', 'はい、猫です。🐈', 'done'],
      ['一行目\n二行目', '静かだから。', 'done'],
    ]);
    expect(JSON.stringify(llm.requests[1]?.body)).toContain('はい、猫です。🐈');
  });

  it('retries, edits and branches, and shows the tree', async () => {
    const { llm, talk, json } = await testChat();
    llm.answer('はい。', 'いいえ。', '猫は。', '別の答え', '斜線');
    const lines = [
      '猫は好き？',
      '/retry',
      '/edit 犬は好き？',
      '/branch 1 別案',
      'なぜ？',
      '//tree',
      '/tree',
    ];
    const { code, stdout, stderr } = await talk(lines);
    expect(code).toBe(0);
    expect(stdout).toContain('はい。\nいいえ。\n猫は。\n別の答え\n斜線\n');
    expect(stdout).toContain(
      '● 1 猫は好き？\n● 4 [別案] なぜ？\n* 5 /tree\n● 2 猫は好き？\n● 3 犬は好き？\n',
    );
    expect(stderr).toContain('[the next message continues from 1: 猫は好き？]');
    const { nodes, connections } = await json<StoredFlow>(['flow', 'show']);
    const ids = nodes.map(({ id }) => id);
    expect(connections).toEqual([
      { from: ids[0], to: ids[3], branch: '別案' },
      { from: ids[3], to: ids[4] },
    ]);
  });

  it('continues from the given node, with the given references', async () => {
    const { llm, talk, node, json } = await testChat();
    await node('一', '壱');
    await node('二', '弐の全文');
    llm.answer('はい。');
    const words = ['--from', '1', '--branch-name', '案', '--references', '2', '--budget', '900'];
    expect((await talk(['三'], [...words, '--flow', 'main'])).code).toBe(0);
    const flow = await json<StoredFlow>(['flow', 'show']);
    const [one, , three] = flow.nodes.map(({ id }) => id);
    expect(flow.connections).toContainEqual({ from: one, to: three, branch: '案' });
    expect(JSON.stringify(llm.requests[0]?.body)).toContain('弐の全文');
  });

  it('sends instructions of an option or a file first, and stores them', async () => {
    const { place, llm, talk, run, nodes } = await testChat();
    llm.answer('はい。', 'いいえ。', 'たぶん。');
    const first = await talk(['猫は？', '/retry'], ['--instructions', '一言で。']);
    expect([first.code, first.stderr]).toEqual([0, '']);
    await writeFile(join(place.cwd, 'editor.txt'), 'あなたは\n編集者です。\n');
    expect((await talk(['犬は？'], ['--instructions-file', 'editor.txt'])).code).toBe(0);
    const told = llm.requests.map(({ body }) => JSON.stringify(body));
    expect(told.map((body) => body.includes('一言で。'))).toEqual([true, true, false]);
    expect(told[2]).toContain('あなたは\\n編集者です。\\n');
    const values = (await nodes()).flatMap(({ promptParts }) =>
      promptParts.map((part) => part.type === 'data' && part.value),
    );
    expect(values).toEqual(['一言で。', '一言で。', 'あなたは\n編集者です。\n']);
    const context = ['context', '--prompt', 'x', '--instructions', '一言で。'];
    expect((await run(context)).stdout).toMatch(/^一言で。\n\n/);
    const both = [...context, '--instructions-file', 'editor.txt'];
    expect((await run(both)).code).toBe(2);
  });

  it('asks once for scripts, as text or as lines of JSON', async () => {
    const { llm, talk, json } = await testChat();
    llm.answer('はい、猫です。', [
      { type: 'reasoning', text: '耳' },
      { type: 'text', text: '猫' },
    ]);
    const text = await talk([], ['--prompt', '猫は？']);
    expect(text).toMatchObject({ code: 0, stdout: 'はい、猫です。\n', stderr: '' });
    const lines = await talk(['もう一度'], ['--prompt-file', '-', '--json']);
    const events = lines.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(events.map(({ type }) => type)).toEqual(['asked', 'reasoning', 'text', 'answered']);
    expect(events.at(-1)).toMatchObject({ node: { response: '猫' }, finishReason: 'stop' });
    expect((await json<StoredFlow>(['flow', 'show'])).nodes).toHaveLength(2);
  });

  it('breaks an answer off at Ctrl+C, keeps what had come, and continues', async () => {
    const { place, llm, talk, nodes } = await testChat();
    llm.answer('これは長い答えです。', '続きです。', '二つ目');
    llm.fail({ type: 'stall', afterChunks: 2 });
    const { code, stdout, stderr } = await talk(['話して', '/continue', '次'], [], {
      signalAt: { text: 'これは長い答え', signal: 'SIGINT' },
    });
    expect([code, stderr]).toEqual([0, '[stopped; what had come is kept]\n']);
    expect(stdout).toBe('これは長い答えで\n続きです。\n二つ目\n');
    expect((await nodes()).map(({ response, status }) => [response, status])).toEqual([
      ['これは長い答えで続きです。', 'done'],
      ['二つ目', 'done'],
    ]);
    expect((await place.run('vizprompt', ['check'])).code).toBe(0);
  });

  it.each([
    ['SIGINT', ['--prompt', '話して'], 130],
    ['SIGTERM', ['--prompt', '話して'], 143],
    ['SIGTERM', [], 143],
  ] as const)('ends at %s %j, with the log whole', async (signal, words, exitCode) => {
    const { place, llm, talk, nodes } = await testChat();
    llm.answer('これは長い答えです。');
    llm.fail({ type: 'stall', afterChunks: 2 });
    const { code } = await talk(['話して', '次'], words, {
      signalAt: { text: 'これは長い答え', signal },
    });
    expect(code).toBe(exitCode);
    expect((await nodes()).map(({ response, status }) => [response, status])).toEqual([
      ['これは長い答えで', 'aborted'],
    ]);
    expect((await place.run('vizprompt', ['check'])).code).toBe(0);
    const xml = await readFile(join(place.cwd, 'nodes/00/00.xml'), 'utf8');
    expect(xml).toContain('これは長い答え');
  });

  it('ends at Ctrl+C while it waits for a script', async () => {
    const { place, llm } = await testChat();
    llm.answer('はい。');
    const words = ['chat', '--model', 'ollama:m', '--base-url', llm.url, '--json'];
    const chat = place.start('vizprompt', words, { input: '猫は？\n', isInputOpen: true });
    await chat.shows('"answered"');
    // One that comes before the next line is waited for stops nothing.
    const interrupt = (): boolean => {
      if (!chat.isStopped) chat.signal('SIGINT');
      return chat.isStopped;
    };
    await expect.poll(interrupt).toBe(true);
    expect(await chat.end()).toBe(130);
    expect(chat.stdout).toContain('はい。');
  });

  it('ends a script at the first answer that fails, and keeps what had come', async () => {
    const { llm, talk, nodes } = await testChat();
    llm.answer('これは長い答えです。', 'いいえ');
    llm.fail({ type: 'in-band-error', afterChunks: 1, message: 'model crashed' });
    const { code, stdout, stderr } = await talk(['話して', '次']);
    expect(code).toBe(6);
    expect(stderr).toContain('model crashed');
    expect(stdout).toContain('これは長');
    expect((await nodes()).map(({ response, status }) => [response, status])).toEqual([
      ['これは長', 'failed'],
    ]);
  });

  it('takes the model of config.yaml', async () => {
    const { place, llm, run } = await testChat();
    const config = join(place.cwd, 'config.yaml');
    const text = await readFile(config, 'utf8');
    await writeFile(
      config,
      text
        .replace('default_llm_provider: openai', 'default_llm_provider: ollama')
        .replace('default_model: gpt-4', 'default_model: m')
        .replace('http://localhost:11434', llm.url),
    );
    llm.answer('はい。', '要約: 猫の話。\nタグ: 猫, 動物, 話');
    expect(await run(['chat', '--prompt', '猫は？'])).toMatchObject({
      code: 0,
      stdout: 'はい。\n',
    });
    expect((await run(['build', '--model'])).code).toBe(0);
    expect(llm.requests.map(({ model }) => model)).toEqual(['m', 'm']);
  });

  it('writes no prompt where a failure is known beforehand', async () => {
    const { place, llm, run, json } = await testChat();
    const noKey = await run(['chat', '--model', 'openai:m', '--prompt', '猫は？']);
    expect(noKey.code).toBe(6);
    expect(await json(['flow', 'list'])).toEqual([]);
    expect(llm.requests).toEqual([]);

    const config = join(place.cwd, 'config.yaml');
    const text = await readFile(config, 'utf8');
    await writeFile(config, text.replace(/ *default_(?:llm_provider|model): .*\n/g, ''));
    for (const words of [
      ['chat', '--prompt', 'x'],
      ['build', '--model'],
      ['serve', '--model'],
    ]) {
      const vain = await run(words);
      expect([vain.code, vain.stdout]).toEqual([2, '']);
      expect(vain.stderr).toContain('give --model');
    }
  });

  it.each([
    [['--model', 'ollama'], '', 2, "'ollama' names no model: write provider:model"],
    [['--base-url', 'http://x'], '', 2, '--base-url needs --model'],
    [['--model', 'ollama:m', '--from', '7'], 'x\n', 3, 'no node 7'],
    [['--model', 'ollama:m'], '/retri\n', 2, 'there is no command /retri'],
    [['--model', 'ollama:m'], '/branch\n', 2, '/branch needs a node'],
    [['--model', 'ollama:m'], '/edit\n', 2, '/edit needs a text'],
    [['--model', 'ollama:m', '--flow', 'どこ'], '/tree\n', 3, 'どこ'],
    [['--model', 'ollama:m', '--base-url', 'http://127.0.0.1:9'], 'x\n', 6, ''],
    [['--model', 'openai:m'], 'x\n', 6, 'OPENAI_API_KEY'],
  ])('refuses %j with %j', async (words, input, code, message) => {
    const result = await bad.run(['chat', ...words], { input });
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });

  it('says that nothing was said yet', async () => {
    const { talk } = await testChat();
    const { code, stderr } = await talk(['/retry'], ['--lang', 'ja']);
    expect([code, stderr]).toEqual([3, 'vizprompt: まだ何も話していません\n']);
  });
});
