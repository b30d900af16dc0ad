import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { expect, it, onTestFinished } from 'vitest';
import { Program, runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAIN = 'review-board/main.ts';

it('three read and one judges, without any key', async () => {
  const folder = await temporaryFolder();
  const { code, stdout, stderr } = await runProgram(folder, MAIN);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('4 calls that read ');
  // They begin together, before any of them has ended.
  expect(stdout.indexOf('… reviews#1/reader')).toBeLessThan(stdout.indexOf('✓ '));
  expect(stdout).toMatch(
    /The board says:\n[^]*"verdict": "revise",\n.*decode は署名を確かめません/,
  );
  expect(stdout).toMatch(/- safety\n[^]*- judge, after safety, cost, reader\n$/);
  const diagram = await readFile(join(folder, 'review-board-data/run.mmd'), 'utf8');
  expect(diagram).toMatch(/^flowchart TD\n[^]*"safety: review"[^]* done\n$/);

  const harmless = join(folder, 'harmless.diff');
  await writeFile(harmless, '+export const LIMIT = 3;\n');
  const approved = await runProgram(folder, MAIN, { args: [harmless] });
  expect(approved.stdout).toContain('"verdict": "approve"');
});

it('continues after a kill, and asks no person twice', async () => {
  const folder = await temporaryFolder();
  const killed = new Program(MAIN, { cwd: folder, args: ['--delay-ms', '300'] });
  const [, run = ''] = await killed.said(/run (\S+)/);
  const [, answered = ''] = await killed.said(/✓ (reviews#1\/\w+)\n/);
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(killed.stdout).not.toContain('The board says');

  const { code, stdout, stderr } = await runProgram(folder, MAIN, { args: ['--resume'] });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`run ${run}`);
  expect(stdout).toContain(`✓ ${answered} (from the journal: not asked again)`);
  expect(stdout).not.toContain(`… ${answered}\n`);
  expect(stdout).toContain('"verdict": "revise"');
  expect(stdout).toMatch(/- judge, after (?:\w+(?:, )?){3}\n$/);
  expect((await runProgram(folder, MAIN, { args: ['--resume'] })).stderr).toBe(
    'all runs are done: there is nothing to resume\n',
  );
});

it('asks no reviewer for whom the budget has no room', async () => {
  const { code, stderr } = await runProgram(await temporaryFolder(), MAIN, {
    args: ['--tokens', '100'],
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^'reviews#1\/\w+' was not begun: the budget is used up.*\n$/);
});

it.each(['openai', 'ollama'])('asks a real model of %s', async (wire) => {
  const llm = await startFakeLLM({
    answer: ({ body }) =>
      JSON.stringify(body).includes('議長')
        ? '{"verdict":"approve","reason":"問題はありません。"}'
        : '問題なし',
  });
  onTestFinished(() => llm.close());
  const baseURL = wire === 'openai' ? `${llm.url}/v1` : llm.url;
  const { stdout } = await runProgram(await temporaryFolder(), MAIN, {
    args: ['--model', `${wire}:tiny`, '--base-url', baseURL],
    env: { OPENAI_API_KEY: 'k' },
  });
  expect(stdout).toContain('"reason": "問題はありません。"');
  expect(llm.requests.filter(({ kind }) => kind === 'chat')).toHaveLength(4);
});

it('says in one sentence what is wrong', async () => {
  const { code, stderr } = await runProgram(await temporaryFolder(), MAIN, {
    args: ['--model', 'nowhere:m'],
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^there is no provider 'nowhere'.*\n$/);
});
