import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startFakeLLM, type FakeLLM } from '@vizprompt/providers/testing';
import type { Conversation, TalkTurn } from '@vizprompt/talktable';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Background } from '../../support/background.ts';
import { Place } from '../../support/place.ts';
import { binOf } from '../../support/run.ts';
import { MODELS, startTalkers, type Talkers } from '../../support/talks.ts';

type Shown = Conversation & { readonly turns: readonly TalkTurn[] };

describe('a process that leads a talk', () => {
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
  });
  afterEach(async () => {
    await llm.close();
    await place[Symbol.asyncDispose]();
  });

  const shown = (...args: readonly string[]): Promise<Shown> =>
    place.json<Shown>('talktable', ['show', ...args]);

  it('asks on a terminal, where Ctrl+C is typed', async () => {
    const goOn = talkers.hold(2);
    const line = [process.execPath, binOf('talktable'), 'run', 'config.yaml']
      .map((word) => `'${word}'`)
      .join(' ');
    const run = new Background(place, ['script', '-qec', line, '/dev/null'], env);
    await run.shows(/猫派.*: /);
    run.child.stdin?.write('\u0003');
    await run.shows('pausing after this turn');
    goOn();
    await run.shows(/Go on\? \[y\/n\] /);
    run.child.stdin?.write('\u0003');
    expect(await run.end()).toBe(130);
    expect(await shown()).toMatchObject({ status: 'paused' });
  });

  it('is led by one process at a time: another one is refused before it asks anything', async () => {
    llm.fail([], { type: 'stall', afterChunks: 2 });
    const run = Background.start(place, 'talktable', ['run', 'config.yaml', '--id', 'one'], env);
    await run.shows('猫派: 第');
    await using other = await startFakeLLM();
    const elsewhere = { env: { OLLAMA_HOST: other.url } };
    const again = ['resume', 'config.yaml', 'one', '--json'];
    const second = await place.spawn('talktable', again, elsewhere);
    expect([second.code, second.stdout]).toEqual([4, '']);
    expect(JSON.parse(second.stderr)).toMatchObject({ error: { code: 'conflict' } });
    const same = await place.run('talktable', ['run', 'config.yaml', '--id', 'one'], elsewhere);
    expect([same.code, same.stdout]).toEqual([4, '']);
    expect(other.requests).toEqual([]);
    run.child.kill('SIGKILL');
    await run.end();
    const resumed = await place.run('talktable', ['resume', 'config.yaml', 'one'], { env });
    expect(resumed.code).toBe(0);
    expect((await shown('one')).turns).toHaveLength(8);
    const taken = await place.run('talktable', ['run', 'config.yaml', '--id', 'one'], { env });
    expect([taken.code, taken.stdout]).toEqual([4, '']);
    expect(taken.stderr).toContain("there is a conversation 'one' already: resume it");
  });
});
