import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeNovel } from '../support/novel.ts';
import { Place } from '../support/place.ts';
import { PEOPLE } from '../support/talks.ts';

describe('the built command lines', () => {
  let place: Place;
  beforeEach(async () => {
    place = await Place.make();
  });
  afterEach(() => place[Symbol.asyncDispose]());

  it('vizprompt keeps a conversation', async () => {
    expect((await place.spawn('vizprompt', ['init'])).code).toBe(0);
    const words = ['create-node', '--prompt', '-', '--response', 'はい。🐈'];
    const made = await place.spawn('vizprompt', words, { input: '猫は好き？\n' });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const shown = await place.spawn('vizprompt', ['get-node', '1', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      prompt: '猫は好き？\n',
      response: 'はい。🐈',
    });
  });

  it('dialogoi takes a file and finds it', async () => {
    await writeNovel(place.cwd);
    const words = ['add', 'contents/02.md', '--content', '針は南を指した。'];
    expect(await place.spawn('dialogoi', words)).toMatchObject({ code: 0, stderr: '' });
    const found = await place.spawn('dialogoi', ['search', '針の向き', '--json']);
    expect(JSON.parse(found.stdout)).toMatchObject({
      hits: [{ payload: { file: 'contents/02.md' } }],
    });
  });

  it('ptta remembers what was said, and keeps its compiled code', async () => {
    expect((await place.spawn('ptta', ['session:start'])).code).toBe(0);
    const logged = await place.spawn('ptta', ['log:user', '認証機能を追加']);
    expect(logged).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(join(place.home, '.ptta/compiled'))).toBe(true);
    const found = await place.spawn('ptta', ['search', '認証', '--json']);
    expect(JSON.parse(found.stdout)).toMatchObject([{ event: { sequence: 1 } }]);
  });

  it('talktable leads a talk of people and shows it', async () => {
    await writeFile(join(place.cwd, 'people.yaml'), PEOPLE);
    const input = '古池や\n蛙飛びこむ\n';
    expect((await place.spawn('talktable', ['run', 'people.yaml'], { input })).code).toBe(0);
    const shown = await place.spawn('talktable', ['show']);
    expect(shown.stdout).toContain('蛙飛びこむ');
  });
});
