import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { expect, it, onTestFinished } from 'vitest';
import { Program, runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAIN = 'novel-search/main.ts';

it('answers with passages that are where they are said to be, without any key', async () => {
  const folder = await temporaryFolder();
  const { stdout } = await runProgram(folder, MAIN);
  expect(stdout).toMatch(
    /\? 箱の鍵は.*\n「鍵は、灯台の礎石の下に埋められていた。.*」\[contents\/01\.md:18-20\]\n- contents\/01\.md:18-20 /,
  );
  expect(stdout).toMatch(/\? 源蔵は.*\n「ミナトの祖父で.*」\[settings\/people\.md:10-17\]/);
  expect(stdout).toMatch(/\? 嵐の夜に.*\n「嵐の夜だった。.*」\[contents\/01\.md:6-12\]/);
  expect(stdout.match(/The file has it on these lines/g)).toHaveLength(9);

  const root = ['--project-root', join(folder, 'novel-search-data')];
  const another = await runProgram(folder, MAIN, { args: [...root, '灯台', '灯台守は泳ぐ？'] });
  expect(another.stdout).toContain('泳ぐのが速い');
  const wrong = await runProgram(folder, MAIN, { args: [...root, '塔', '？'] });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch(/^there is no project '塔'.*\n$/);
});

it('asks a model with the passages, and trusts no source that was not given', async () => {
  const llm = await startFakeLLM({ answer: '礎石の下です[1]。父が埋めました[7]。' });
  onTestFinished(() => llm.close());
  const { stdout } = await runProgram(await temporaryFolder(), MAIN, {
    args: ['灯台', '鍵はどこ？', '--model', 'ollama:tiny', '--base-url', llm.url],
  });
  expect(stdout).toContain(
    '礎石の下です[contents/01.md:18-20]。父が埋めました[no such passage: [7]]。',
  );
  const [request] = llm.requests.filter(({ kind }) => kind === 'chat');
  expect(JSON.stringify(request?.body)).toContain('鍵は、灯台の礎石の下に埋められていた。');
});

it('asks an embedding model too where one is named', async () => {
  const llm = await startFakeLLM();
  onTestFinished(() => llm.close());
  const folder = await temporaryFolder();
  const args = ['--embeddings', 'ollama:tiny', '--base-url', llm.url];
  const first = await runProgram(folder, MAIN, { args });
  expect(first.stderr).toBe('');
  expect(first.stdout).toMatch(/\? 箱の鍵は.*\n.*\n- contents\/01\.md:18-20/);
  const embedded = (): number => llm.requests.filter(({ kind }) => kind === 'embeddings').length;
  const count = embedded();
  expect(count).toBeGreaterThan(4);
  // The second time only the questions are embedded, and one text for its length.
  await runProgram(folder, MAIN, { args });
  expect(embedded() - count).toBe(4);
});

it('finds what is saved while it runs', async () => {
  const folder = await temporaryFolder();
  const watcher = new Program('novel-search/watch.ts', { cwd: folder });
  await watcher.said(/Watching /);
  const chapter = join(folder, 'novel-search-data/灯台/contents/02.md');
  await writeFile(chapter, '鍵は、海に落ちた。\n');
  await watcher.said(/contents\/02\.md was saved\n[^]*- contents\/02\.md:1-1 鍵は、海に落ちた。/);
  await rm(chapter);
  await watcher.said(/contents\/02\.md was deleted\n.*\n- contents\/01\.md/);
  watcher.child.kill('SIGINT');
  expect(await watcher.ended).toMatchObject({ code: 0, stderr: '' });
});

it('is asked by an MCP client', async () => {
  const client = await runProgram(await temporaryFolder(), 'novel-search/mcp-client.ts');
  expect(client.code).toBe(0);
  expect(client.stdout).toContain('11 tools: list_novel_projects, ');
  expect(client.stdout).toMatch(/contents\/01\.md, lines 18-20 [^]*礎石の下に埋められていた。/);
});
