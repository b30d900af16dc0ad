import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventOf } from '@vizprompt/memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../../support/place.ts';
import { placeWithSession, timelineOf } from '../../support/open-place.ts';

describe('ptta log', () => {
  let place: Place;
  beforeAll(async () => {
    ({ place } = await placeWithSession());
  });
  afterAll(() => place[Symbol.asyncDispose]());

  it('keeps messages and thoughts word for word, from words and from standard input', async () => {
    const text = '認証機能を追加して 👩‍👩‍👧\n\tשלום "quoted" $HOME\n';
    const said = await place.json<EventOf<'user_message'>>('ptta', ['log:user', text]);
    const piped = await place.json<EventOf<'assistant_message'>>(
      'ptta',
      ['log:assistant', '-', '--parent', said.id],
      { input: text },
    );
    const thought = await place.json<EventOf<'thinking'>>('ptta', [
      'log:thinking',
      'JWTがよい',
      '--context',
      '認証',
    ]);
    expect(said.data).toEqual({ content: text });
    expect(piped).toMatchObject({ data: { content: text }, parent_event_id: said.id });
    expect(thought.data).toEqual({ content: 'JWTがよい', context: '認証' });
  });

  it('takes a message that begins with a dash after --', async () => {
    const { stdout } = await place.run('ptta', ['log:user', '--json', '--', '--help']);
    expect(JSON.parse(stdout)).toMatchObject({ data: { content: '--help' } });
  });

  it('ties the edit to its intention, with the texts before and after', async () => {
    const file = join(place.cwd, 'a.txt');
    await writeFile(file, 'one\n');
    const args = ['log:intention', 'a.txt', '--reason', '追加'];
    const intention = await place.json<EventOf<'code_intention'>>('ptta', args);
    expect(intention.data).toEqual({
      action: 'edit',
      file_path: file,
      reason: '追加',
      old_content: 'one\n',
    });
    await writeFile(file, 'one\ntwo\n');
    const edit = await place.json<EventOf<'file_edit'>>('ptta', [
      'log:edit',
      'a.txt',
      '--action',
      'edit',
    ]);
    expect(edit).toMatchObject({
      parent_event_id: intention.id,
      data: {
        old_content: 'one\n',
        new_content: 'one\ntwo\n',
        intention_event_id: intention.id,
        success: true,
      },
    });
    expect(edit.data.diff).toContain('+two');

    await rm(file);
    const gone = await place.json<EventOf<'file_edit'>>('ptta', [
      'log:edit',
      'a.txt',
      '--action',
      'delete',
      '--error',
      'busy',
    ]);
    expect(gone.data).toMatchObject({ action: 'delete', success: false, error_message: 'busy' });
    expect(gone.data.intention_event_id).toBeUndefined();
  });

  it('reports that the file of an edit is missing, or is no text', async () => {
    const args = ['log:edit', 'nowhere.ts', '--action', 'edit'];
    const told = await place.run('ptta', args);
    expect([told.code, told.stderr]).toEqual([
      0,
      expect.stringContaining(`without its text: ${join(place.cwd, 'nowhere.ts')}`),
    ]);
    expect((await place.run('ptta', [...args, '--json'])).stderr).toBe('');
    expect((await place.run('ptta', [...args, '--error', 'gone'])).stderr).toBe('');
  });

  it('intends to create a file that is not there, and keeps no text of a binary file', async () => {
    const made = await place.json<EventOf<'code_intention'>>('ptta', [
      'log:intention',
      'new.txt',
      '--reason',
      'r',
    ]);
    expect(made.data.action).toBe('create');
    await writeFile(join(place.cwd, 'picture.png'), Buffer.from([0x89, 0x50, 0xff, 0xfe]));
    const picture = await place.json<EventOf<'code_intention'>>('ptta', [
      'log:intention',
      'picture.png',
      '--reason',
      'r',
    ]);
    expect(picture.data).toEqual({
      action: 'edit',
      file_path: join(place.cwd, 'picture.png'),
      reason: 'r',
    });
  });

  it('keeps what a tool was given and gave', async () => {
    const used = await place.json<EventOf<'tool_use'>>(
      'ptta',
      ['log:tool', 'Bash', '--params', '-', '--result', '"ok"', '--duration', '12', '--failed'],
      { input: '{"command":"npm test"}' },
    );
    expect(used.data).toEqual({
      tool: 'Bash',
      parameters: { command: 'npm test' },
      result: 'ok',
      duration_ms: 12,
      success: false,
    });
  });

  it('takes secrets out before anything is stored', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await place.json('ptta', ['log:user', `the token is ${token}`]);
    const [last] = (await timelineOf(place)).slice(-1);
    expect(JSON.stringify(last)).not.toContain(token);
    expect(last?.redactions).toBe(1);
  });

  it.each([
    [['log:user'], '', 2, "missing required argument 'message'"],
    [['log:user', 'x', '--session', 'nope'], '', 3, "no session 'nope'"],
    [['log:assistant', '-'], Buffer.from([0x66, 0xff]), 2, 'standard input is not UTF-8'],
    [['log:user', '-'], '', 2, 'standard input is empty'],
    [['log:tool', 'Bash', '--params', '-'], '', 2, 'standard input is empty'],
    [['log:user', '-', '--lang', 'ja'], '', 2, '標準入力が空です'],
    [['log:user', '-', '--lang', 'ja'], Buffer.from([0xff]), 2, '標準入力はUTF-8ではありません'],
    [['log:thinking', 'x', '--contxt', 'y'], '', 2, 'Did you mean --context?'],
    [['log:intention', 'a.txt'], '', 2, "required option '--reason <reason>' not specified"],
    [
      ['log:intention', 'a', '--reason', 'r', '--action', 'move'],
      '',
      2,
      'expected one of create, edit, delete, got',
    ],
    [['log:edit', 'a.txt'], '', 2, "required option '--action <action>' not specified"],
    [['log:tool', 'Bash'], '', 2, "required option '--params <json>' not specified"],
    [['log:tool', 'Bash', '--params', '{'], '', 2, '--params: expected JSON, got something else'],
    [['log:tool', 'Bash', '--params', '-', '--result', '-'], '1', 2, 'only once'],
    [['log:tool', 'Bash', '--params', '1', '--duration', '-3'], '', 2, 'whole number from 0'],
  ])('refuses %j', async (args, input, code, message) => {
    const before = (await timelineOf(place)).length;
    const result = await place.run('ptta', args, { input });
    expect(result.stderr).toContain(message);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect((await timelineOf(place)).length).toBe(before);
  });
});
