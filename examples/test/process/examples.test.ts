import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { outputOf, Program } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const examples = fileURLToPath(new URL('../..', import.meta.url));

describe('the quickstart', () => {
  it('makes a graph of a branched conversation, and adds nothing the second time', async () => {
    const folder = await temporaryFolder();
    const first = await outputOf(folder, 'quickstart/main.ts');
    expect(first).toContain('2 conversations, 23 messages: 7 + 3 nodes, 6 + 1 edges');
    expect(first).toContain('10 nodes are new, 0 were here already.');
    expect(first).toContain('└─● 3 ログインはどうする');
    expect(first).toContain('10 nodes built.');
    expect(first).toContain('[盗まれた]');
    expect(first).toMatch(/\* 8 二つの枝をまとめる.* ⇠ 7/);
    const data = join(folder, 'quickstart-data');
    expect(await readFile(join(data, 'flow.html'), 'utf8')).toContain('<svg');
    expect(await readFile(join(data, 'flow.mmd'), 'utf8')).toContain('n7 --> n8');
    const map = await readFile(join(data, 'metadata/node_map.tsv'), 'utf8');

    const second = await outputOf(folder, 'quickstart/main.ts');
    expect(second).toContain('0 nodes are new, 10 were here already.');
    expect(second).toContain('0 nodes built.');
    expect(second).toContain('They were merged by an earlier run.');
    expect(await readFile(join(data, 'metadata/node_map.tsv'), 'utf8')).toBe(map);
  });

  it('takes a real export', async () => {
    const folder = await temporaryFolder();
    const messages = ['human', 'assistant', 'human', 'assistant'].map((sender, at) => ({
      uuid: `m${at}`,
      sender,
      text: `message ${at}`,
    }));
    await writeFile(
      join(folder, 'claude.json'),
      JSON.stringify({ uuid: 'c', name: 'One', chat_messages: messages }),
    );
    const output = await outputOf(folder, 'quickstart/main.ts', ['--input', 'claude.json']);
    expect(output).toContain('1 conversations, 4 messages: 2 nodes, 1 edges');
    expect(output).toContain('There is only one branch here, and nothing to merge.');
    await expect(
      outputOf(folder, 'quickstart/main.ts', ['--input', 'nowhere.json']),
    ).rejects.toThrow(/cannot read nowhere\.json/);
  });
});

describe('the code in the documents', () => {
  it.each([
    ['snippets/first.ts', '└─* 3 なぜ？'],
    ['snippets/first-en.ts', '└─* 3 And dogs?'],
    ['snippets/backup.ts', '0\n1 1\n'],
    ['snippets/core.ts', 'closes a circle'],
    ['snippets/ja/core.ts', 'closes a circle'],
    ['snippets/providers.ts', 'Yes, a cat. 1'],
    ['snippets/ja/providers.ts', 'はい、猫です。 1'],
    ['snippets/rag/first.ts', 'contents/01.md:5-7 第二章 鍵 0.8'],
    ['snippets/rag/embeddings.ts', '2 512\n'],
    ['snippets/rag/memory.ts', '1\n'],
    ['snippets/rag/sqlite.ts', '1\n'],
    ['snippets/rag/hybrid.ts', '嵐の夜、澪は灯を守った。 false\n'],
    ['snippets/rag/dictionary.ts', '走る ハシッ 動詞\n'],
    ['snippets/rag/errors.ts', 'query-invalid 1 '],
    ['snippets/vectors.ts', 'note 0 '],
    ['snippets/ja/vectors.ts', 'note 0 '],
    ['snippets/workflow.ts', 'An old silent pond true\n[ 6 ]\n'],
    ['snippets/workflow-runs.ts', "[ 'draft#1', 'review#1' ] 0\nOnce upon a time\n"],
    ['snippets/workflow-testing.ts', '\n1\ntrue\n'],
    ['snippets/memory-serve.ts', '認証機能を追加してください'],
    ['snippets/websocket.ts', 'Thirty minutes.\n2 nodes\n'],
    ['snippets/ja/websocket.ts', '30分です。\n2 nodes\n'],
    ['snippets/workflow-files.ts', '{ min: 2, max: 7 }'],
    ['snippets/workflow-serve.ts', 'T22:00:00.000Z'],
    ['snippets/workflow-evaluate.ts', '| onTopic | 0.000 |'],
    ['snippets/memory.ts', '{ sessions: 0, events: 0, known: 9, forgotten: 0 }\ntrue []\n'],
    ['snippets/ja/memory.ts', '{ sessions: 0, events: 0, known: 9, forgotten: 0 }\ntrue []\n'],
    ['snippets/ja/workflow.ts', '古池や true\n[ 6 ]\n'],
    ['snippets/ja/workflow-runs.ts', "[ 'draft#1', 'review#1' ] 0\nむかしむかし\n"],
    ['snippets/ja/workflow-testing.ts', '\n1\ntrue\n'],
    ['snippets/ja/workflow-files.ts', '{ min: 2, max: 7 }'],
    ['snippets/ja/workflow-evaluate.ts', '| onTopic | 0.000 |'],
  ])('runs: %s', async (file, expected) => {
    const folder = await temporaryFolder();
    await symlink(examples, join(folder, 'examples'));
    for (const name of [
      file.startsWith('snippets/ja/') ? 'snippets/ja/flows.yaml' : 'snippets/flows.yaml',
      'snippets/daily.yaml',
      'snippets/panel.yaml',
      'snippets/refine.yaml',
    ]) {
      await cp(join(examples, name), join(folder, basename(name)));
    }
    expect(await outputOf(folder, file)).toContain(expected);
  });
});

it('the suites that the README shows hold, run by the test runner of Node', async () => {
  const suite = new Program('snippets/rag/suite.ts', { cwd: await temporaryFolder(), input: '' });
  expect((await suite.ended).stdout).toContain('fail 0');
});

describe('novels', () => {
  it('are searched and written as the README shows, by independent programs', async () => {
    const folder = await temporaryFolder();
    const programs: readonly (readonly [string, string])[] = [
      ['sample', ''],
      ['folder', '2 files indexed, 0 as they were'],
      ['update', '1 1 1\n'],
      ['chunk', '3 3 鍵はない。 | ミナトは'],
      ['synonyms', 'settings/人物.md\n'],
      ['query', '1 1\n'],
      ['options', 'lines 4-10: '],
      ['pages', '灯台:settings/人物.md#ミナト@'],
      ['retriever', 'settings/人物.md:4-10 '],
      ['evaluate', 'words  1.000'],
      ['cache', '流れ着いた箱の鍵は'],
      ['rebuild', 'rebuilt: it was made with the analyser'],
      ['watch', 'indexed settings/人物.md\nindexed contents/01.md\ncontents/01.md\n'],
      ['manager', '1\n'],
      ['novels', '灯台 灯台\n'],
      ['novel-search', 'contents/01.md:5-7\n'],
      [
        'novel-files',
        '1 # ミナト\n\n十六歳。灯台守の娘。「灯ちゃん」と呼ばれている。\n\ncontents/第三章.md\n',
      ],
      ['novel-backend', 'true\n'],
      ['novel-errors', 'path-invalid "灯台/settings/../../secret.md"'],
    ];
    for (const [name, expected] of programs) {
      expect(await outputOf(folder, `snippets/rag/${name}.ts`)).toContain(expected);
    }
  });

  it('are served over HTTP until SIGINT', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'novels'));
    const server = new Program('snippets/rag/http.ts', { cwd: folder });
    await expect.poll(() => server.stderr).toMatch(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
    server.child.kill('SIGINT');
    expect((await server.ended).code).toBe(0);
  });

  it('are served on stdio until the client hangs up', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'novels'));
    const server = new Program('snippets/rag/stdio.ts', { cwd: folder });
    const clientInfo = { name: 'x', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    server.child.stdin?.write(`${JSON.stringify(message)}\n`);
    await server.said(/"name":"dialogoi"/);
    server.child.stdin?.end();
    const { code, stdout } = await server.ended;
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });
});

describe('the code about chatting', () => {
  it.each([
    {
      file: 'snippets/chat.ts',
      answer: 'Thirty minutes.',
      instructions: 'You are a strict editor. Answer in three lines.',
      passage: 'What about the limit?\n\n30 days is too long.',
    },
    {
      file: 'snippets/ja/chat.ts',
      answer: '期限は30日です。',
      instructions: 'あなたは厳しい編集者です。三行で答えてください。',
      passage: '期限の案をどう思う？\n\n30日は長すぎます。',
    },
  ])('continues an answer that breaks off: $file', async (one) => {
    const llm = await startFakeLLM({ answer: one.answer });
    onTestFinished(() => llm.close());
    llm.fail([], [], [], { type: 'reset', afterChunks: 1 });
    vi.stubEnv('OPENAI_API_KEY', 'k');
    vi.stubEnv('OPENAI_BASE_URL', `${llm.url}/v1`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const output = await outputOf(await temporaryFolder(), one.file);
    expect(output.startsWith(`${one.answer}done `)).toBe(true);
    expect(output).toContain(`value: '${one.instructions}'`);
    const sent = llm.requests.map(({ body }) => JSON.stringify(body).includes(one.instructions));
    expect(sent).toEqual([false, false, true, false, false]);
    expect(output).toContain('network failed');
    expect(output).toContain(one.passage);
  });
});

describe('the code about talks', () => {
  it.each([
    {
      folder: 'snippets',
      speakers: ['Host', 'Cat', 'Dog'],
      interruption: 'Audience: Shorter, please.',
      words: ['Welcome.', 'Cats are quiet. (1)', 'Dogs are loyal. (1)', 'To sum up.', 'Thank you.'],
    },
    {
      folder: 'snippets/ja',
      speakers: ['司会', '猫派', '犬派'],
      interruption: '宗匠: もっと短く。',
      words: [
        '始めます。',
        '猫は静かです。(1)',
        '犬は忠実です。(1)',
        'まとめます。',
        '終わります。',
      ],
    },
  ])('leads talks, each piece as it is pasted: $folder', async (one) => {
    const [host = '', cat = '', dog = ''] = one.speakers;
    const llm = await startFakeLLM({ answer: '一言。' });
    onTestFinished(() => llm.close());
    vi.stubEnv('OPENAI_API_KEY', 'k');
    vi.stubEnv('OPENAI_BASE_URL', `${llm.url}/v1`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = await temporaryFolder();
    await cp(join(examples, one.folder, 'talk.yaml'), join(folder, 'talk.yaml'));
    // Programs without words of a language are the same for all.
    const program = (name: string): Promise<string> => {
      const japanese = `snippets/ja/talk-${name}.ts`;
      const isJapanese = one.folder === 'snippets/ja' && existsSync(join(examples, japanese));
      return outputOf(folder, isJapanese ? japanese : `snippets/talk-${name}.ts`);
    };

    const first = `\n${host}: 一言。\n${cat}: 一言。\n${dog}: 一言。\n${host}: `;
    expect((await program('first')).startsWith(first)).toBe(true);
    const log = await program('log');
    expect(log.startsWith(`0 ${host} done 3\n1 ${cat} done 3\n`)).toBe(true);
    expect(log).toMatch(new RegExp(`${host} \\d+ 1\n${cat} \\d+ 1\n${dog} \\d+ 1\n$`));
    expect(await readFile(join(folder, 'talk.html'), 'utf8')).toContain('<!doctype html>');
    expect(await program('pause')).toMatch(/^paused \S{36}\n$/);
    expect(await program('resume')).toBe('done rounds: 3\n');
    expect(JSON.stringify(llm.requests.map(({ body }) => body))).toContain(one.interruption);
    expect(await program('options')).toMatch(/\nrounds: 2\n$/);
    expect(await program('activity')).toBe('一言。\n');
    const turns = [host, cat, dog, host, host].map(
      (speaker, at) => `${at} ${speaker} ${one.words[at]}\n`,
    );
    expect(await program('offline')).toBe(`${turns.join('')}done rounds: 1\n`);
  });
});
