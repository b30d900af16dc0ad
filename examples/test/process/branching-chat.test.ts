import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { outputOf, runProgram } from '../support/program.ts';
import type { Ended } from '../support/run-module.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAIN = 'branching-chat/main.ts';

const talk = (cwd: string, lines: readonly string[], ...args: readonly string[]): Promise<Ended> =>
  runProgram(cwd, MAIN, { input: lines.join('\n'), args });

it('branches, finds and saves tokens without any key, and shows what git sees', async () => {
  const folder = await temporaryFolder();
  const first = await talk(folder, [
    '/tree',
    '猫カフェの予約サイトを作りたい。',
    'ログインはどうする？',
    '/retry',
    '/branch 1 決済',
    '決済はどうする？',
    '/edit 支払いはどうする？',
    '返金は？',
    '期限は？',
    '/branch 99',
    '/tree',
    '/search ログイン',
    '/html page.html',
  ]);
  expect(first).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("there is no node '99': /tree shows the numbers"),
  });
  expect(first.stderr).toContain('has none yet');
  expect(first.stdout).toContain(
    '● 1 猫カフェの予約サイトを作りたい。\n├─● 2 ログインはどうする？\n├─● 3 ログインはどうする？\n',
  );
  expect(first.stdout).toMatch(/├─● 4 \[決済\] 決済はどうする？\n└─● 5 .*支払いはどうする？/);
  expect(first.stdout).toMatch(/\n3: ログインは.*\n2: ログインは/);
  // A short branch is sent as a whole.
  const contexts = [...first.stdout.matchAll(/sent: (\d+) tokens; the whole branch: (\d+)/g)];
  const [, sent, whole] = contexts.at(-1)?.map(Number) ?? [];
  expect(contexts).toHaveLength(7);
  expect(sent).toBe(whole);
  expect(first.stdout).toMatch(/ flows\/00\/00\.yaml .*\n/);
  expect(first.stdout).toContain('+    branch: 決済\n');
  expect(await readFile(join(folder, 'page.html'), 'utf8')).toContain('<!doctype html>');

  // The next chat continues, and its changes are its own.
  const second = await talk(folder, ['では、まとめて。', '/exit', 'これは送られない']);
  expect(second.stdout).toMatch(/nodes\/00\/07\.xml/);
  expect(second.stdout).not.toMatch(/nodes\/00\/06\.xml/);
  expect(second.stdout).not.toContain('送られない');
  expect((await talk(folder, ['/help'])).stdout).toMatch(/\/retry .*[^]*Nothing was said/);
});

it.each(['openai', 'gemini', 'ollama'])('asks a real model of %s', async (wire) => {
  await using llm = await startFakeLLM();
  llm.answer('はい。', '静かだから。');
  const baseURL = wire === 'openai' ? `${llm.url}/v1` : llm.url;
  const { code, stdout } = await runProgram(await temporaryFolder(), MAIN, {
    args: ['chat', '--model', `${wire}:tiny`, '--base-url', baseURL],
    input: '猫は好き？\nなぜ？',
    env: { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' },
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/はい。\n> なぜ？\n\(sent: .*\)\n静かだから。\n/);
  expect(JSON.stringify(llm.requests.at(-1)?.body)).toContain('猫は好き？');
});

it.each([
  [['--model', 'llama'], "'llama' names no model: write provider:model"],
  [['--model', 'nowhere:m'], "there is no provider 'nowhere'"],
  [['--model', 'openai:m'], 'there is no key: set OPENAI_API_KEY or pass apiKey'],
  [
    ['--model', 'ollama:m', '--base-url', 'http://no-such-host.invalid'],
    "ollama model 'm' at http://no-such-host.invalid: the name of the host is not known",
  ],
])('says in one sentence what is missing: %j', async (args, sentence) => {
  const { stderr } = await runProgram(await temporaryFolder(), MAIN, {
    args,
    input: '猫は好き？',
    env: { OPENAI_API_KEY: '' },
  });
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

it('continues a conversation that was imported', async () => {
  const folder = await temporaryFolder();
  await outputOf(folder, 'quickstart/main.ts');
  const { stdout } = await runProgram(folder, MAIN, {
    args: ['quickstart-data', '--flow', '猫カフェの予約サイト'],
    input: '続けて。\n/tree',
  });
  expect(stdout).toMatch(/sent: (\d+) tokens; the whole branch: \1\)/);
  expect(stdout).toMatch(/8 二つの枝をまとめる.*\n.*\* 9 続けて。/);
});

it('keeps the part that arrived of a broken answer, and continues it', async () => {
  await using llm = await startFakeLLM();
  llm.answer('期限は30日です。', '0日です。');
  llm.fail({ type: 'reset', afterChunks: 1 });
  const folder = await temporaryFolder();
  const { stdout, stderr } = await runProgram(folder, MAIN, {
    args: ['chat', '--model', 'openai:tiny', '--base-url', `${llm.url}/v1`],
    input: '期限は？\n/continue\n/tree',
    env: { OPENAI_API_KEY: 'k' },
  });
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stdout).toMatch(/期限は3\n> \/continue\n\(.*\)\n0日です。\n> \/tree\n\* 1 期限は？\n/);
  const node = await readFile(join(folder, 'chat/nodes/00/00.xml'), 'utf8');
  expect(node).toContain('期限は30日です。');
});
