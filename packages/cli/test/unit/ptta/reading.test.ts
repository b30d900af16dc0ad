import type { MemoryEvent, MemoryStats, SearchHit } from '@vizprompt/memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../../support/place.ts';
import { placeWithSession } from '../../support/open-place.ts';

describe('what ptta shows', () => {
  let place: Place;
  let session: string;
  beforeAll(async () => {
    const made = await placeWithSession();
    place = made.place;
    session = made.session.id;
    await place.run('ptta', ['log:user', '認証機能を追加してください']);
    await place.run('ptta', ['log:thinking', 'middlewareで検証する']);
    await place.run('ptta', ['log:tool', 'Bash', '--params', '{"command":"npm test"}']);
    await place.run('ptta', ['log:assistant', '\u001B]0;owned\u0007\u001B[2Jdone']);
  });
  afterAll(() => place[Symbol.asyncDispose]());

  it('is the timeline, all or the last of it, of one type, as text and as JSON', async () => {
    const { stdout } = await place.run('ptta', ['history'], { env: { TZ: 'UTC' } });
    expect(stdout).toMatch(
      /^#1 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d user_message [-0-9a-f]{36}\n {4}認証/,
    );
    const all = await place.json<MemoryEvent[]>('ptta', ['history']);
    expect(all.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    const last = await place.json<MemoryEvent[]>('ptta', ['history', '--limit', '2']);
    expect(last.map(({ sequence }) => sequence)).toEqual([3, 4]);
    const args = ['history', '--session', session, '--type', 'thinking', '--limit', '5'];
    expect(await place.json<MemoryEvent[]>('ptta', args)).toMatchObject([{ sequence: 2 }]);
  });

  it('cannot move the cursor or set the title of a terminal', async () => {
    const { stdout } = await place.run('ptta', ['history', '--type', 'assistant_message']);
    expect(stdout).toContain('␛]0;owned␇␛[2Jdone');
    expect(stdout).not.toContain('\u001B');
  });

  it('is found by words', async () => {
    const hits = await place.json<SearchHit[]>('ptta', ['search', '認証']);
    expect(hits.map(({ event }) => event.sequence)).toEqual([1]);
    const quoted = await place.json('ptta', ['search', '認証 middleware']);
    expect(await place.json('ptta', ['search', '認証', 'middleware'])).toEqual(quoted);
    const none = await place.run('ptta', ['search', '認証', '--type', 'tool_use']);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'nothing was found\n' });
    expect(await place.json('ptta', ['search', '認証', '--type', 'tool_use'])).toEqual([]);
    const narrow = ['search', 'middleware', '--session', session, '--after', '2020-01-01'];
    const { stdout } = await place.run('ptta', narrow, { env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain('\u001B[1mmiddleware\u001B[22m');
  });

  it('is counted', async () => {
    const stats = await place.json<MemoryStats>('ptta', ['stats', '--workspace', '.']);
    expect(stats).toMatchObject({ sessions: 1, active_sessions: 1, events: 4 });
    const { stdout } = await place.run('ptta', ['stats', '--session', session, '--lang', 'ja']);
    expect(stdout).toContain('イベント: 4\n');
    expect(stdout).toContain('セッション: 1（実行中 1）');
  });

  it('is recalled within a budget', async () => {
    const recalled = await place.json<{ text: string; tokens: number }>('ptta', [
      'recall',
      '検証',
      '--budget',
      '80',
    ]);
    expect(recalled.text).toContain('middlewareで検証する');
    expect(recalled.tokens).toBeLessThanOrEqual(80);
    const piped = await place.run('ptta', ['recall', '-'], { input: '認証' });
    expect(piped.stdout).toContain('認証機能を追加してください');
  });

  it.each([
    [['history', '--session', 'nope'], 3, "no session 'nope'"],
    [['history', '--type', 'dream'], 2, 'expected one of user_message'],
    [['history', '--limit', '-1'], 2, 'expected a whole number'],
    [['file:history'], 2, "missing required argument 'file_path'"],
    [['file:history', '../outside.txt', '--workspace', '.'], 2, 'outside'],
    [['file:history', 'a', '--before', 'nope'], 3, 'nope'],
    [['search'], 2, "missing required argument 'query'"],
    [['search', 'x', '--after', 'yesterday'], 2, 'expected a time such as'],
    [['search', 'x', '--session', 'nope'], 3, "no session 'nope'"],
    [['stats', '--session', 'nope'], 3, "no session 'nope'"],
    [['recall', 'x', '--budget', '0'], 2, 'whole number from 1'],
  ])('is refused for %j', async (args, code, message) => {
    const result = await place.run('ptta', args);
    expect(result.stderr).toContain(message);
    expect([result.code, result.stdout]).toEqual([code, '']);
  });
});
