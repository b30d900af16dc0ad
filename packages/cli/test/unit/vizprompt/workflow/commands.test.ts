import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeLLM, type FakeLLM } from '@vizprompt/providers/testing';
import type { DryRun, Problem, RunEvent, RunState, RunSummary } from '@vizprompt/workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Place } from '../../../support/place.ts';
import type { CommandOptions } from '../../../support/command.ts';
import type { RunResult } from '../../../support/run.ts';
import { BROKEN, FLOWS, MODULE } from '../../../support/flows.ts';

describe('vizprompt workflow', () => {
  let place: Place;
  let llm: FakeLLM;
  let env: Readonly<Record<string, string>> = {};
  beforeEach(async () => {
    place = await Place.make();
    llm = await startFakeLLM({ chunkSize: 2 });
    env = { OLLAMA_HOST: llm.url };
    await mkdir(join(place.cwd, 'config'));
    await writeFile(join(place.cwd, 'config/workflow_config.yaml'), FLOWS);
    await writeFile(join(place.cwd, 'broken.yaml'), BROKEN);
    await writeFile(join(place.cwd, 'steps.mjs'), MODULE);
  });
  afterEach(async () => {
    await llm.close();
    await place[Symbol.asyncDispose]();
  });

  const run = (
    args: readonly string[],
    options: Partial<CommandOptions> = {},
  ): Promise<RunResult> => place.run('vizprompt', ['workflow', ...args], { env, ...options });
  const json = <Value>(...args: readonly string[]): Promise<Value> =>
    place.json<Value>('vizprompt', ['workflow', ...args], { env });

  it('runs: the output on standard output, what happens on standard error', async () => {
    llm.answer('猫が字を覚えた。', '猫は字を覚え、\u001B[2J本を書いた。');
    const done = await run(['run', 'story', '猫', '--id', 'first']);
    expect(done).toMatchObject({ code: 0, stdout: '猫は字を覚え、␛[2J本を書いた。\n' });
    expect(done.stderr).toMatch(
      /draft#1 {2}agent_interaction writer ollama:writer\ndraft#1 {2}猫が字を覚えた。\n/,
    );
    expect(done.stderr).toMatch(/review#1 {2}✓ \d+ ms/);
    expect(llm.requests[0]?.body).toMatchObject({ model: 'writer' });
    expect(JSON.stringify(llm.requests[0]?.body)).toContain('猫について書いて');

    expect(await json<RunSummary[]>('list')).toMatchObject([{ id: 'first', status: 'done' }]);
    const state = await json<RunState>('show', 'first');
    expect(state.steps.map(({ path }) => path)).toEqual(['draft#1', 'review#1']);
    const shown = await run(['show', 'first']);
    expect(shown.stdout).toContain('draft#1  ollama:writer\n  猫が字を覚えた。');
    expect((await run(['draw', '--run', 'first'])).stdout).toMatch(/^flowchart/);
    const page = (await run(['show', 'first', '--html'])).stdout;
    expect(page).toMatch(/^<!doctype html>[^]*猫について書いて[^]*猫が字を覚えた。/);
  });

  it('takes its input from files, standard input and words, and gives events to programs', async () => {
    llm.answer('一', '二', '三', '四');
    await writeFile(join(place.home, 'flows.yaml'), FLOWS);
    await writeFile(join(place.cwd, 'input.json'), '"犬"');
    const byFile = [
      'run',
      'story',
      '--input-file',
      'input.json',
      '--file',
      '../flows.yaml',
      '--json',
    ];
    const events = (await run(byFile)).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RunEvent);
    expect(events[0]).toMatchObject({ type: 'run:started', workflow: 'story' });
    expect(events.at(-1)).toMatchObject({ type: 'run:ended', status: 'done', output: '二' });
    const piped = await run(['run', 'story', '-', '--quiet'], { input: '鳥' });
    expect(piped).toMatchObject({ code: 0, stdout: '四\n', stderr: '' });
    const sent = llm.requests.map(({ body }) => JSON.stringify(body));
    expect(sent[0]).toContain('犬について');
    expect(sent[2]).toContain('鳥について');
    const loud = await run(['run', 'shout', 'abc', '--module', 'steps.mjs', '--quiet']);
    expect(loud).toMatchObject({ code: 0, stdout: 'ABC\n' });
    expect((await run(['run', 'shout', 'abc'])).code).toBe(3);
  });

  it('asks a person: by the command line, by standard input, or later', async () => {
    const start = ['run', 'approval', '--input', '{"story": "猫"}'];
    const given = await run([...start, '--answer', 'ask=true']);
    expect(given).toMatchObject({ code: 0, stdout: 'true\n' });
    const typed = await run(start, { input: 'たぶん\nfalse\n' });
    expect(typed).toMatchObject({ code: 0, stdout: 'false\n' });
    expect(typed.stderr).toContain('「猫」を載せますか？');
    expect(typed.stderr).toContain('this is no answer');
    const nobody = await run([...start, '--id', 'open']);
    expect(nobody).toMatchObject({ code: 1, stdout: '' });
    expect(nobody.stderr).toContain("vizprompt workflow resume open --answer 'ask#1=...'");
    const waiting = await json<RunState>('show', 'open');
    expect(waiting.waiting).toMatchObject([{ path: 'ask#1', question: '「猫」を載せますか？' }]);
    expect((await run(['answer', 'open', 'nowhere', 'true'])).code).toBe(3);
    expect((await run(['answer', 'open', 'ask', 'maybe'])).code).toBe(2);
    await run([...start, '--id', 'apart']);
    const apart = await run(['answer', 'apart', 'ask', '-'], { input: 'false' });
    expect(apart).toMatchObject({ code: 0, stdout: 'ask#1  answered\n' });
    expect((await run(['answer', 'apart', 'ask', 'true'])).code).toBe(3);
    expect((await run(['resume', 'apart'])).stdout).toBe('false\n');
    const later = await run(['resume', '--answer', 'ask#1=true', '--lang', 'ja']);
    expect(later).toMatchObject({ code: 0, stdout: 'true\n' });
    expect((await run(['resume', 'open'])).code).toBe(4);
    expect((await run(['resume'])).code).toBe(3);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'lets go of a run at %s, and resumes it without asking twice',
    async (signal, code) => {
      llm.answer('一つ目の答え', 'とても長い二つ目の答え', '終わり');
      llm.fail([], { type: 'stall', afterChunks: 2 });
      const first = place.start('vizprompt', ['workflow', 'run', 'story', '猫'], { env });
      await first.shows(/review#1 {2}とても/, 'stderr');
      expect(await first.end(signal)).toBe(code);
      expect(first.stdout).toBe('');
      expect(first.stderr).toContain('continue with: vizprompt workflow resume');
      const resumed = await run(['resume']);
      expect(resumed).toMatchObject({ code: 0, stdout: '終わり\n' });
      expect(resumed.stderr).toContain('draft#1  ✓ done before');
      expect(llm.requests).toHaveLength(3);
    },
  );

  it('holds to a budget', async () => {
    const none = await run(['run', 'story', '猫', '--tokens', '1']);
    expect(none.code).toBe(1);
    expect(llm.requests).toHaveLength(0);
    await writeFile(
      join(place.cwd, 'prices.json'),
      '{"writer": {"inputPerMillion": 1, "outputPerMillion": 1}, "critic": {"inputPerMillion": 1, "outputPerMillion": 1}}',
    );
    const prices = ['--prices', 'prices.json'];
    expect((await run(['run', 'story', '猫', '--cost-usd', '0.0000001', ...prices])).code).toBe(1);
    const before = await json<unknown[]>('list');
    const unpriced = await run(['run', 'story', '猫', '--cost-usd', '1']);
    expect(unpriced).toMatchObject({ code: 2, stdout: '' });
    expect(unpriced.stderr).toContain('--prices');
    expect(await json<unknown[]>('list')).toEqual(before);
    expect(llm.requests).toHaveLength(0);
    const plan = await json<DryRun>('dry-run', 'story', '猫', ...prices);
    expect(plan).toMatchObject({ calls: { min: 2, max: 2 }, unpriced: [] });
    const shown = await run(['dry-run', 'story', '猫']);
    expect(shown.stdout).toContain('猫について書いて');
    expect(shown.stdout).toMatch(/^2 calls, /m);
    expect(shown.stderr).toContain('without a price');
    expect(llm.requests).toHaveLength(0);
  });

  it('ends a dry run with 5 where a prompt cannot be rendered, and with 2 for a wrong input', async () => {
    const flow = `agent_roles: { a: { system_prompt: x, model: 'ollama:m' } }
prompts: { p: 'Go on. {{ t }}', q: 'Say it. {{ t }}' }
workflows:
  w:
    inputs: { type: object, required: [text] }
    steps:
      - { id: one, type: agent_interaction, agent_id: a, prompt_id: p, input_variables: { t: user_input.title } }
      - { id: two, type: agent_interaction, agent_id: a, prompt_id: q, input_variables: { t: user_input.text } }
`;
    await writeFile(join(place.cwd, 'titles.yaml'), flow);
    const args = ['dry-run', 'w', '--file', 'titles.yaml', '--input'];
    const problem = await run([...args, '{"text": "猫"}']);
    expect(problem.code).toBe(5);
    expect(problem.stdout).toContain("'user_input' has no 'title'");
    expect(problem.stdout).toMatch(/^2 calls, /m);
    expect(problem.stderr).toContain('1 prompt cannot be rendered');
    const told = await run([...args, '{"text": "猫"}', '--json']);
    expect(told.code).toBe(5);
    expect(JSON.parse(told.stdout)).toMatchObject({ calls: { min: 2, max: 2 } });
    expect(JSON.parse(told.stderr)).toMatchObject({
      error: { code: 'found-problems', exitCode: 5, context: { steps: ['one'] } },
    });
    const refused = await run([...args, '{"title": "猫"}']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('user_input');
    const fine = await run([...args, '{"text": "猫", "title": "犬"}']);
    expect(fine.code).toBe(0);
  });

  it('keeps a run in the project, if that is wanted', async () => {
    const { VizPrompt } = await import('@vizprompt/core');
    await VizPrompt.init(place.cwd);
    llm.answer('一', '二');
    const elsewhere = ['run', 'story', '猫', '--record', '--data', 'elsewhere'];
    expect((await run(elsewhere)).code).toBe(3);
    expect((await run(['run', 'story', '猫', '--record'])).code).toBe(0);
    await using project = await VizPrompt.open(place.cwd);
    expect(await project.listFlows()).toHaveLength(1);
  });

  it('lints with places, and ends with 5', async () => {
    const broken = await run(['lint', 'broken.yaml']);
    expect(broken.code).toBe(5);
    expect(broken.stdout).toMatch(
      /broken\.yaml:10:19: error: .*writter.*writer.*\[unknown-role\]$/m,
    );
    expect(broken.stdout).toMatch(/broken\.yaml:13:20: error: .*\[unknown-step\]$/m);
    expect(broken.stderr).toContain('2 errors');
    const one = BROKEN.replace('writter', 'writer');
    await writeFile(join(place.cwd, 'one.yaml'), one);
    expect((await run(['lint', 'one.yaml'])).stderr).toContain('1 error, 1 warning\n');
    const japanese = await run(['lint', 'broken.yaml', '--lang', 'ja']);
    expect(japanese.stdout).toMatch(/[ぁ-ん]/);
    const problems = await run(['lint', 'broken.yaml', '--json']);
    expect(problems.code).toBe(5);
    const found = JSON.parse(problems.stdout) as Problem[];
    expect(found.filter(({ severity }) => severity === 'error')).toHaveLength(2);
    const clean = await run(['lint', '--module', 'steps.mjs']);
    expect(clean).toMatchObject({ code: 0, stdout: '' });
    expect(clean.stderr).toContain('nothing is wrong');
    expect((await run(['lint', 'nowhere.yaml'])).code).toBe(5);
  });

  it('draws', async () => {
    const drawn = await run(['draw', 'story']);
    expect(drawn.stdout).toMatch(/^flowchart/);
    expect(drawn.stdout).toContain('draft');
    expect(await json('draw', 'story')).toMatchObject({ mermaid: drawn.stdout });
    const which = await run(['draw']);
    expect(which.code).toBe(2);
    expect(which.stderr).toContain('story, approval, shout');
  });

  it.each([
    [['run'], 2],
    [['run', 'nothing'], 3],
    [['run', 'story', 'a', '--input', '1'], 2],
    [['run', 'story', '--input', '{'], 2],
    [['run', 'story', '--input-file', 'nowhere.json'], 2],
    [['run', 'approval', '--input', '{}'], 2],
    [['run', 'story', 'a', '--answer', 'x'], 2],
    [['run', 'story', 'a', '--cost-usd', '-1'], 2],
    [['run', 'story', 'a', '--file', 'broken.yaml'], 2],
    [['run', 'story', 'a', '--module', 'nowhere.mjs'], 2],
    [['run', 'story', 'a', '--prompts', 'x'], 2],
    [['resume', 'nobody', '--data', 'empty'], 3],
    [['show', 'nobody'], 3],
    [['list', '--status', 'asleep'], 2],
    [['list'], 3],
    [['dry-run', 'nothing'], 3],
    [['dry-run', 'approval', '--input', '{}'], 2],
    [['draw', 'nothing'], 3],
  ])('%j ends with %i, an error and nothing else', async (args, code) => {
    const ended = await run([...args, '--json']);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: { exitCode: code } });
  });

  it('scores a workflow over the cases of a file, and compares it with another', async () => {
    const module = `export const functions = { upper: ({ text }) => text.toUpperCase(), lower: () => 'a' };`;
    await writeFile(join(place.cwd, 'both.mjs'), module);
    await writeFile(join(place.cwd, 'before.yaml'), FLOWS.replace('upper', 'lower'));
    await writeFile(
      join(place.cwd, 'cases.jsonl'),
      '{"input":"a","expected":"A"}\n{"input":"b","expected":"B"}\n',
    );
    const args = ['evaluate', 'shout', '--dataset', 'cases.jsonl', '--module', 'both.mjs'];
    const scored = await run([...args, '--repeat', '2']);
    expect(scored).toMatchObject({ code: 0, stderr: '' });
    expect(scored.stdout).toMatch(
      /\| exact \| 1\.000 \| 0\.\d+ to 1\.000 \| 2 \|\n\n4 runs, 0 failed/,
    );
    const compared = await run([...args, '--against', 'before.yaml']);
    expect(compared.stdout).toMatch(/\| exact \| 0\.500 \| 1\.000 \| \+0\.500 \|.*unsure/);
    expect((await run([...args, '--judge', 'nothing'])).code).toBe(2);
  });

  it('lists the tools of MCP servers, and says of one why it does not start', async () => {
    const servers = 'use: { mcpServers: { down: { command: no-such-program } } }\n';
    await writeFile(join(place.cwd, 'mcp.yaml'), FLOWS + servers);
    const linted = await run(['lint', 'mcp.yaml', '--mcp', '--trust', '--module', 'steps.mjs']);
    expect(linted.stdout).toMatch(/^mcp:down: .+\n$/);
    expect(linted.code).toBe(0);
    const refused = await run(['lint', 'mcp.yaml', '--mcp', '--json', '--module', 'steps.mjs']);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      problems: [],
      servers: [{ server: 'down', tools: [], problem: expect.stringContaining('trust') }],
    });
  });

  it('says what to do where there are no files', async () => {
    const nowhere = await run(['run', 'story'], { cwd: place.home });
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toContain('--file');
  });
});
