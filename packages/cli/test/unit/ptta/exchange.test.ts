import { mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckReport, ImportReport, MemoryStats, TranscriptReport } from '@vizprompt/memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '../../support/place.ts';
import { placeWithSession, timelineOf } from '../../support/open-place.ts';

describe('what goes into ptta and out of it', () => {
  let place: Place;
  beforeAll(async () => {
    ({ place } = await placeWithSession());
    await place.run('ptta', ['log:user', '認証機能 👍']);
    await writeFile(join(place.cwd, 'a.txt'), 'one\n');
    await place.json('ptta', ['log:intention', 'a.txt', '--reason', 'r']);
    await writeFile(join(place.cwd, 'a.txt'), 'one\ntwo\n');
    await place.json('ptta', ['log:edit', 'a.txt', '--action', 'edit']);
  });
  afterAll(() => place[Symbol.asyncDispose]());

  it('comes back from an export, by a file or through a pipe, once', async () => {
    const { stdout } = await place.run('ptta', ['export', '--output', 'all.json']);
    expect(stdout).toBe(`wrote ${join(place.cwd, 'all.json')}\n`);
    const piped = await place.run('ptta', ['export']);
    expect(JSON.parse(piped.stdout)).toMatchObject({ format: 'vizprompt-memory' });

    await using other = await Place.make();
    const input = piped.stdout;
    const first = await other.json<ImportReport[]>('ptta', ['import', '-'], { input });
    expect(first).toMatchObject([{ path: '-', sessions: 1, events: 3, known: 0 }]);
    const again = await other.run('ptta', ['import', join(place.cwd, 'all.json')]);
    expect(again.stdout).toContain('0 events added, 3 known');
    expect(await other.json<MemoryStats>('ptta', ['stats'])).toMatchObject({ events: 3 });
  });

  it('is a page to read, or what happened to a file', async () => {
    await place.run('ptta', ['export', '--format', 'html', '--output', 'page.html']);
    expect(await readFile(join(place.cwd, 'page.html'), 'utf8')).toContain('認証機能 👍');
    const { stdout } = await place.run('ptta', ['export:file', 'a.txt']);
    expect(stdout).toContain('+two');
    expect(stdout).not.toContain('認証機能');
  });

  it('leaves the old file where it cannot write the new one', async () => {
    await writeFile(join(place.cwd, 'kept.json'), 'kept');
    const args = ['export', '--session', 'nope', '--output', 'kept.json'];
    expect((await place.run('ptta', args)).code).toBe(3);
    expect(await readFile(join(place.cwd, 'kept.json'), 'utf8')).toBe('kept');
    const nowhere = await place.run('ptta', ['export', '--output', 'no/folder/a.json']);
    expect(nowhere.stderr).toContain(`'${join(place.cwd, 'no/folder/a.json')}'`);
    expect([nowhere.code, nowhere.stdout]).toEqual([3, '']);
  });

  it('is read from the transcripts of agents', async () => {
    const said = {
      type: 'user',
      uuid: '5c0e8a3e-0000-4000-8000-000000000001',
      parentUuid: null,
      sessionId: '5c0e8a3e-0000-4000-8000-000000000000',
      timestamp: '2026-01-31T00:00:00.000Z',
      cwd: '/home/me/app',
      version: '2.1.0',
      message: { role: 'user', content: '書き起こし' },
    };
    await using other = await Place.make();
    const file = join(other.home, 'log.jsonl');
    await writeFile(file, `${JSON.stringify(said)}\n`);
    const args = ['import', file, '--agent', 'claude-code'];
    const [report] = await other.json<TranscriptReport[]>('ptta', args);
    expect(report).toMatchObject({ files: 1, added: 1, skipped: 0 });
    const { stdout } = await other.run('ptta', ['search', '書き起こし']);
    expect(stdout).toContain('書き起こし');
    const nothing = await other.run('ptta', ['import']);
    expect(nothing.code).toBe(3);
    expect(nothing.stderr).toContain('name a file or a folder');
    // Copilot CLI had another folder in old versions such as 0.0.340.
    const folder = join(other.home, '.copilot', 'history-session-state');
    await mkdir(folder, { recursive: true });
    const session = { sessionId: 's', chatMessages: [{ role: 'user', content: '古い話' }] };
    await writeFile(join(folder, 'session_s_1.json'), JSON.stringify(session));
    const [older] = await other.json<TranscriptReport[]>('ptta', ['import']);
    expect(older).toMatchObject({ files: 1, added: 1 });
    // Claude Code 1.0 stored its transcripts in the folder for settings at times.
    const claude = join(other.home, '.config', 'claude', 'projects', 'p');
    await mkdir(claude, { recursive: true });
    const again = { ...said, uuid: said.uuid.replace(/1$/, '2'), message: { content: '設定の中' } };
    await writeFile(join(claude, 'log.jsonl'), `${JSON.stringify(again)}\n`);
    const [moved] = await other.json<TranscriptReport[]>('ptta', ['import']);
    expect(moved).toMatchObject({ files: 1, added: 1 });
  });

  it('reports which lines of transcripts it could not read, for each file', async () => {
    await using other = await Place.make();
    const said = (id: number): string =>
      JSON.stringify({
        type: 'user',
        uuid: `5c0e8a3e-0000-4000-8000-00000000000${id}`,
        parentUuid: null,
        sessionId: '5c0e8a3e-0000-4000-8000-000000000000',
        timestamp: '2026-01-31T00:00:00.000Z',
        cwd: '/home/me/app',
        version: '2.1.0',
        message: { role: 'user', content: `言葉${id}` },
      });
    const [one, two] = [join(other.home, 'one.jsonl'), join(other.home, 'two.jsonl')];
    await writeFile(one, `${said(1)}\n{"type": "us\n${said(2)}\n\u0000\u0000\n${said(3)}\n`);
    await writeFile(two, `${said(4)}\n{"typ`);
    const args = ['import', one, two, '--agent', 'claude-code'];
    const english = await other.run('ptta', args);
    expect(english).toMatchObject({ code: 0, stderr: '' });
    expect(english.stdout.split('\n')).toEqual([
      `${one}: 1 file, 3 events added, 0 known`,
      `  could not read 2 lines of ${one}, the first at ${one}:2`,
      `${two}: 1 file, 1 event added, 0 known`,
      `  the last line is not whole yet, the next import reads it: ${two}:2`,
      '',
    ]);
    await using third = await Place.make();
    const japanese = await third.run('ptta', [...args, '--lang', 'ja']);
    expect(japanese.stdout).toContain(`${one} の 2 行を読めませんでした。最初の行: ${one}:2`);
    expect(japanese.stdout).toContain(`次の取り込みで読みます: ${two}:2`);
  });

  it('is backed up, checked, and reported with the place of a damage', async () => {
    const { code } = await place.run('ptta', ['backup', 'copy.db']);
    expect(code).toBe(0);
    const copy = join(place.cwd, 'copy.db');
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    expect((await place.run('ptta', ['backup', 'copy.db'])).code).toBe(4);
    expect(await place.json<CheckReport>('ptta', ['check'])).toMatchObject({ isOk: true });
    expect((await place.run('ptta', ['check', 'copy.db'])).stdout).toContain('3 events');

    await truncate(copy, 40_000);
    const damaged = await place.run('ptta', ['check', 'copy.db', '--json']);
    expect(damaged.code).toBe(5);
    expect(JSON.parse(damaged.stdout)).toMatchObject({ isOk: false });
    expect(JSON.parse(damaged.stderr)).toMatchObject({ error: { code: 'found-problems' } });
  });

  it('is forgotten, and no byte of it remains in the file', async () => {
    await using other = await Place.make();
    await other.json('ptta', ['session:start']);
    await other.json('ptta', ['log:user', 'forget-me-not']);
    const file = join(other.home, '.ptta', 'ptta.db');
    expect(await readFile(file, 'latin1')).toContain('forget-me-not');
    const [event] = await timelineOf(other);
    const { code } = await other.run('ptta', ['forget', event?.id ?? '', '--vacuum']);
    expect(code).toBe(0);
    expect(await readFile(file, 'latin1')).not.toContain('forget-me-not');
    expect(await timelineOf(other)).toMatchObject([{ type: 'forgotten', data: {} }]);
  });

  it('is cleaned of the secrets that it has already, counted by rule', async () => {
    await using other = await Place.make();
    const secret = ['ghp', 'aZ3bY4cX5dW6eV7fU8gT9hS1iR2jQ3kP4lO5'].join('_');
    await other.json('ptta', ['session:start']);
    await other.json('ptta', ['log:user', 'no secret']);
    const file = join(other.home, '.ptta', 'ptta.db');
    // As a version wrote it that took nothing out.
    const { MemoryStore } = await import('@vizprompt/memory');
    const old = await MemoryStore.open({ path: file, redact: false });
    const [session] = await old.listSessions();
    await old.log(session?.id ?? '', 'user_message', { content: `use ${secret}` });
    await old.close();
    expect(await other.json('ptta', ['redact', '--dry-run'])).toMatchObject({
      secrets: 1,
      events: 1,
      rules: { 'github-token': 1 },
    });
    expect(await readFile(file, 'latin1')).toContain(secret);
    const { code, stdout } = await other.run('ptta', ['redact']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('github-token: 1')]);
    expect(await readFile(file, 'latin1')).not.toContain(secret);
  });

  it.each([
    [['export', '--format', 'xml'], 2, 'expected one of json, html'],
    [['export:file'], 2, "missing required argument 'file_path'"],
    [['import', 'no-such-file'], 2, 'no-such-file'],
    [['import', 'bad.json'], 2, 'line 2'],
    [['import', 'a.txt', '--agent', 'hal'], 2, 'expected one of claude-code'],
    [['backup'], 2, "missing required argument 'file'"],
    [['check', 'no-such-file'], 2, 'no-such-file'],
    [['forget'], 2, 'give the ids of events, or --session'],
    [['forget', 'nope'], 3, 'nope'],
    [['forget', 'a', '--session', 'b'], 2, 'give the ids of events, or --session'],
    [['forget', '--session', 'nope'], 3, "no session 'nope'"],
  ])('is refused for %j', async (args, code, message) => {
    const bad = '{"format":"vizprompt-memory","version":1,"exported_at":"","records":[\nnonsense\n';
    await writeFile(join(place.cwd, 'bad.json'), bad);
    const result = await place.run('ptta', args);
    expect(result.stderr).toContain(message);
    expect([result.code, result.stdout]).toEqual([code, '']);
  });
});
