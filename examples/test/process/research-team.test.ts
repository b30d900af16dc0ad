import { expect, it } from 'vitest';
import { Program } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAIN = 'research-team/main.ts';

it.each([
  ['y', '記憶に残しました。'],
  ['n', '記憶には残していません。'],
])('a team looks things up, and keeps what a person approves: %s', async (answer, said) => {
  const cwd = await temporaryFolder();
  const program = new Program(MAIN, {
    cwd,
    args: ['--ask', 'ミナトは芯の代わりに何を使いましたか。'],
  });
  const [, page = ''] = await program.said(/watch it: (\S+)/);
  await program.said(/\(y\/n\)/);
  const html = await (await fetch(page)).text();
  expect(html).toContain('novels_search_novel_content');
  expect(html).toContain('<form data-path="team#1/3/lead:tool1.0:approve">');
  program.type(answer);
  const { code, stdout } = await program.ended;
  expect(code).toBe(0);
  expect(stdout).toContain('lead → finder\n  novels_search_novel_content\nfinder → lead\n');
  expect(stdout).toMatch(/contents\/01\.md:\d+ 「/);
  expect(stdout).toContain(said);
});

it('answers requests and waits for its schedule until it is stopped', async () => {
  const cwd = await temporaryFolder();
  const program = new Program(MAIN, { cwd });
  await program.said(/due next: \d{4}-\d\d-\d\dT22:00:00\.000Z/);
  program.child.kill('SIGINT');
  expect((await program.ended).code).toBe(0);
});
