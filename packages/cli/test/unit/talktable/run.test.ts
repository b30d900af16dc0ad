import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FakeLLM } from '@vizprompt/providers/testing';
import type { Conversation, TalkEvent, TalkTurn } from '@vizprompt/talktable';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Command } from '../../support/command.ts';
import { Place } from '../../support/place.ts';
import { MODELS, PEOPLE, startTalkers, type Talkers } from '../../support/talks.ts';

type Shown = Conversation & { readonly turns: readonly TalkTurn[] };

describe('talktable', () => {
  let place: Place;
  let talkers: Talkers;
  let llm: FakeLLM;
  let env: Readonly<Record<string, string>> = {};
  beforeEach(async () => {
    place = await Place.make();
    talkers = await startTalkers();
    llm = talkers.llm;
    env = { OLLAMA_HOST: llm.url };
    await writeFile(join(place.cwd, 'config.yaml'), MODELS);
    await writeFile(join(place.cwd, 'people.yaml'), PEOPLE);
  });
  afterEach(async () => {
    await llm.close();
    await place[Symbol.asyncDispose]();
  });

  const start = (...args: readonly string[]): Command =>
    place.start('talktable', args, { env, isInputOpen: true });
  const shown = (...args: readonly string[]): Promise<Shown> =>
    place.json<Shown>('talktable', ['show', ...args]);

  it('prints the turns as they stream, and keeps them', async () => {
    const run = await place.run('talktable', ['run', 'config.yaml', '--max-turns', '2'], { env });
    expect(run.code).toBe(0);
    expect(run.stdout).toBe(
      ['司会', '猫派', '犬派', '司会', '司会']
        .map((name, at) => `\n${name}: 第${at + 1}の発言を、ゆっくりと、最後まで話す。\n`)
        .join(''),
    );
    expect(run.stderr).toContain('done (turns: 2): 2 turns');
    const [talk] = await place.json<Conversation[]>('talktable', ['list']);
    expect(talk).toMatchObject({ topic: '猫と犬', status: 'done' });
    const { turns } = await shown();
    expect(turns.map(({ speaker, status }) => [speaker, status])).toHaveLength(5);
    expect(turns.every(({ prompt }) => prompt === '')).toBe(true);
    const prompts = await place.run('talktable', ['show', talk?.id ?? '', '--prompts']);
    expect(prompts.stdout).toContain('皮肉屋');
    const analysis = await place.run('talktable', ['show', '--analysis']);
    expect(analysis.stdout).toMatch(/^name .*\n.*猫派/s);

    const markdown = await place.run('talktable', ['export']);
    expect(markdown.stdout).toMatch(/^# 猫と犬\n/);
    const page = ['export', '--format', 'html', '--output', '会話.html'];
    expect((await place.run('talktable', page)).stdout).toMatch(/^wrote .*会話\.html\n/);
    expect(await readFile(join(place.cwd, '会話.html'), 'utf8')).toContain('<html');
    const json = await place.run('talktable', ['export', '--format', 'json']);
    expect(JSON.parse(json.stdout)).toBeTypeOf('object');
  });

  it('is a stream of events for programs', async () => {
    const run = await place.run(
      'talktable',
      ['run', '-', '--rounds', '1', '--id', 'talk 1', '--topic', '魚', '--json'],
      { env, input: MODELS },
    );
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const events = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TalkEvent);
    expect(events.at(-1)).toMatchObject({
      type: 'talk:ended',
      conversationId: 'talk 1',
      status: 'done',
    });
    expect(events.filter(({ type }) => type === 'turn:ended')).toHaveLength(5);
    expect(await shown('talk 1')).toMatchObject({ topic: '魚' });
  });

  it('pauses after the turn at Ctrl+C, asks, and continues', async () => {
    const goOn = talkers.hold(2);
    const run = start('run', 'config.yaml');
    await run.shows('猫派: ');
    run.signal('SIGINT');
    await run.shows('pausing after this turn', 'stderr');
    goOn();
    await run.shows('Go on? [y/n] ', 'stderr');
    expect(run.stdout).toMatch(/猫派: 第2の発言を、ゆっくりと、最後まで話す。\n$/);
    run.type('maybe');
    await run.shows(/Go on\?.*Go on\?/s, 'stderr');
    run.type('y');
    expect(await run.end()).toBe(0);
    const { status, turns } = await shown();
    expect(status).toBe('done');
    expect(turns.map(({ number, attempt }) => [number, attempt])).toEqual(
      Array.from({ length: 8 }, (_, at) => [at, 1]),
    );
  });

  it('pauses at Ctrl+C and ends where no more is wanted; resume continues', async () => {
    const goOn = talkers.hold(2);
    const run = start('run', 'config.yaml');
    await run.shows('猫派: ');
    run.signal('SIGINT');
    goOn();
    await run.shows('Go on? [y/n] ', 'stderr');
    run.type('n');
    expect(await run.end()).toBe(130);
    const { id, status, turns } = await shown();
    expect([status, turns.length]).toEqual(['paused', 2]);
    expect(run.stderr).toContain(`continue with: talktable resume config.yaml ${id}`);
    const resumed = await place.run('talktable', ['resume', 'config.yaml'], { env });
    expect(resumed.code).toBe(0);
    expect((await shown()).turns).toHaveLength(8);
    const none = await place.run('talktable', ['resume', 'config.yaml'], { env });
    expect(none.code).toBe(3);
    // The id alone: the log knows the file.
    const byId = await place.run('talktable', ['resume', id], { env });
    expect(byId.code).toBe(4);
    expect(byId.stderr).not.toContain('ENOENT');
    for (const [one, code] of [
      [id, 4],
      ['nobody', 3],
    ] as const) {
      const vain = await place.run('talktable', ['resume', 'config.yaml', one], { env });
      expect(vain.code).toBe(code);
      expect(vain.stderr).not.toContain('continue with');
    }
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops at once at Ctrl+C twice, or %s, with the log whole',
    async (last) => {
      llm.fail([], { type: 'stall', afterChunks: 2 });
      const run = start('run', 'config.yaml');
      await run.shows('猫派: 第2の');
      if (last === 'SIGINT') {
        run.signal('SIGINT');
        await run.shows('pausing after this turn', 'stderr');
      }
      expect(await run.end(last)).toBe(last === 'SIGINT' ? 130 : 143);
      const { id, status, turns } = await shown();
      expect(status).toBe('stopped');
      expect(turns).toMatchObject([
        { status: 'done' },
        { status: 'aborted', text: expect.stringMatching(/^第2の/) },
      ]);
      const resumed = await place.run('talktable', ['resume', 'config.yaml', id, '--rounds', '1'], {
        env,
      });
      expect(resumed.code).toBe(0);
      const { turns: all } = await shown(id);
      expect(all.map(({ speaker, attempt, status: state }) => [speaker, attempt, state])).toEqual([
        ['司会', 1, 'done'],
        ['猫派', 2, 'done'],
        ['犬派', 1, 'done'],
        ['司会', 1, 'done'],
        ['司会', 1, 'done'],
      ]);
    },
  );

  it('lets people speak, here and by another command', async () => {
    const talk = start('run', 'people.yaml');
    talk.type('古池や');
    await talk.shows('其角: ');
    expect(await place.run('talktable', ['say', 'people.yaml', '聞こえない'])).toMatchObject({
      code: 0,
    });
    const said = ['say', 'people.yaml', '-', '--as', '其角'];
    const answer = await place.run('talktable', said, { input: '蛙飛びこむ' });
    expect(answer.code).toBe(0);
    expect(await talk.end()).toBe(0);
    const { turns } = await shown();
    const texts = turns.filter(({ kind }) => kind === 'turn').map(({ text }) => text);
    expect(texts).toEqual(['古池や', '蛙飛びこむ']);
  });

  it('ends where people have no more to say, and names the command that continues', async () => {
    const run = await place.run('talktable', ['run', 'people.yaml'], { input: '古池や\n' });
    expect(run.code).toBe(130);
    expect(run.stderr).toContain('talktable resume people.yaml');
    const rest = await place.run('talktable', ['resume', 'people.yaml'], { input: '蛙\n' });
    expect(rest.code).toBe(0);
  });

  it('shows no commands to the terminal that a model says', async () => {
    llm.answer('\u001B]0;title\u0007\u001B[2J悪');
    const run = await place.run('talktable', ['run', 'config.yaml', '--max-turns', '1'], { env });
    expect(run.stdout).toContain('␛]0;title␇␛[2J悪');
  });

  it('ends with 6 where a model fails, and the talk can be continued', async () => {
    llm.fail({ type: 'status', status: 401 });
    const run = await place.run('talktable', ['run', 'config.yaml', '--retries', '0'], { env });
    expect(run.code).toBe(6);
    expect(run.stderr).toContain('talktable resume config.yaml');
    expect(await place.json('talktable', ['list', '--status', 'failed'])).toHaveLength(1);
    const none = await place.run('talktable', ['list', '--status', 'done']);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'nothing was found\n' });
  });

  it.each([
    [['run'], 2],
    [['run', 'nowhere.yaml'], 2],
    [['run', 'config.yaml', '--rounds', '0'], 2],
    [['run', 'config.yaml', '--order', 'chaos'], 2],
    [['run', 'broken.yaml'], 2],
    [['resume', 'people.yaml', 'nobody'], 3],
    [['say', 'people.yaml', 'hello'], 3],
    [['list', '--log-path', 'nowhere.db'], 3],
    [['show', 'nobody', '--data', 'other'], 3],
    [['show', '--log-path', 'broken.yaml'], 5],
    [['export', '--format', 'pdf'], 2],
  ])('%j ends with %i, an error and nothing else', async (args, code) => {
    await writeFile(join(place.cwd, 'broken.yaml'), 'topic: a\nparticipants: []\n');
    const run = await place.run('talktable', [...args, '--json']);
    expect(run).toMatchObject({ code, stdout: '' });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { exitCode: code } });
  });

  it('reports what is wrong with a config by line and column, in Japanese too', async () => {
    await writeFile(join(place.cwd, 'broken.yaml'), 'topic: a\nparticpants: []\n');
    const run = await place.run('talktable', ['run', 'broken.yaml', '--lang', 'ja']);
    expect(run.stderr).toMatch(/broken\.yaml:2:1: .*particpants/);
  });

  it('keeps the log where --data, --log-path or the config say', async () => {
    const input = '古池や\n蛙\n';
    await place.run('talktable', ['run', 'people.yaml', '--data', 'there'], { input });
    expect(await place.json('talktable', ['list', '--data', 'there'])).toHaveLength(1);
    const talked = await place.run('talktable', ['run', 'people.yaml', '--log-path', 'a.db'], {
      input,
    });
    const [first, second] = input.split('\n');
    expect(talked.stdout).toBe(`\n芭蕉: ${first}\n\n其角: ${second}\n`);
    expect(await place.json('talktable', ['list', '--log-path', 'a.db'])).toHaveLength(1);
    await writeFile(join(place.cwd, 'own.yaml'), `${PEOPLE}logPath: own.db\n`);
    await place.run('talktable', ['run', 'own.yaml'], { input });
    expect(await place.json('talktable', ['list', '--log-path', 'own.db'])).toHaveLength(1);
    expect((await place.run('talktable', ['list'])).code).toBe(3);
  });
});
