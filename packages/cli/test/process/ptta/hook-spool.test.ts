import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IngestReport } from '@vizprompt/memory';
import { describe, expect, it, vi } from 'vitest';
import { timelineOf } from '../../support/open-place.ts';
import { Place } from '../../support/place.ts';

const AGENTS = ['claude-code', 'codex', 'copilot', 'gemini', 'opencode'];

function prompt(place: Place, words: string, event = 'UserPromptSubmit'): string {
  const common = { hook_event_name: event, session_id: 'hooked', cwd: place.cwd };
  return JSON.stringify({ ...common, prompt: words });
}

async function waiting(place: Place, ...words: string[]): Promise<number> {
  const args = ['hooks:ingest', '--dry-run', ...words];
  return (await place.json<IngestReport>('ptta', args)).waiting;
}

describe('a hook that answers nothing', () => {
  it('leaves the call, and opens no memory', async () => {
    await using place = await Place.make();
    const { code, stdout, stderr } = await place.spawn('ptta', ['hook'], {
      input: prompt(place, '認証'),
    });
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    expect(await readdir(join(place.home, '.ptta'))).toEqual(['spool']);
    expect(await waiting(place)).toBe(1);
    expect((await place.run('ptta', ['search', '認証'])).stdout).toContain('認証');
    expect(await waiting(place)).toBe(0);
  });

  it('leaves the call of each agent', async () => {
    await using place = await Place.make();
    for (const agent of AGENTS) {
      await place.spawn('ptta', ['hook', '--agent', agent], { input: prompt(place, agent) });
    }
    expect(await waiting(place)).toBe(AGENTS.length);
    const report = await place.json('ptta', ['hooks:ingest']);
    expect(report).toEqual({ stored: AGENTS.length, failed: 0, waiting: 0 });
  });

  it('has it stored when the agent has answered, without the agent waiting', async () => {
    await using place = await Place.make();
    await place.spawn('ptta', ['hook'], { input: prompt(place, 'a') });
    await place.spawn('ptta', ['hook'], { input: prompt(place, '', 'Stop') });
    await vi.waitFor(async () => expect(await waiting(place)).toBe(0), {
      timeout: 60_000,
      interval: 200,
    });
    expect(await timelineOf(place)).toMatchObject([{ data: { content: 'a' } }]);
  });

  it('leaves it for the memory that is named, or that of the project if it is trusted', async () => {
    await using place = await Place.make();
    const named = ['--data', join(place.home, 'other')];
    await place.json('ptta', ['session:start', ...named]);
    await place.spawn('ptta', ['hook', ...named], { input: prompt(place, 'named') });
    expect(await waiting(place)).toBe(0);
    expect(await waiting(place, ...named)).toBe(1);
    expect((await place.run('ptta', ['search', 'named', ...named])).stdout).toContain('named');

    await place.json('ptta', ['session:start', '--data', '.ptta']);
    await place.spawn('ptta', ['hook'], { input: prompt(place, 'project') });
    expect(await waiting(place)).toBe(1);
    // Elsewhere it is not asked for.
    expect((await place.run('ptta', ['search', 'project'], { cwd: place.home })).stdout).toBe('');
    const own = await place.run('ptta', ['search', 'project']);
    expect(own.stdout).toContain('project');
  });

  it('leaves nothing for the memory of a project that is not trusted', async () => {
    await using place = await Place.make();
    await using other = await Place.make();
    // It was made by another user, and came with the project.
    await other.json('ptta', ['session:start', '--data', join(place.cwd, '.ptta')]);
    await place.spawn('ptta', ['hook'], { input: prompt(place, 'ours') });
    await place.json('ptta', ['hooks:ingest']);
    const theirs = await other.run('ptta', ['search', 'ours', '--data', join(place.cwd, '.ptta')]);
    expect(theirs.stdout).toBe('');
    const ours = await place.run('ptta', ['search', 'ours'], { cwd: place.home });
    expect(ours.stdout).toContain('ours');
  });

  it('reports that it cannot leave it, and stores it at once', async () => {
    await using place = await Place.make();
    await mkdir(join(place.home, '.ptta'));
    await writeFile(join(place.home, '.ptta', 'spool'), 'a file');
    const { code, stdout, stderr } = await place.spawn('ptta', ['hook'], {
      input: prompt(place, 'a'),
    });
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('cannot leave the call of the hook');
    expect(await timelineOf(place)).toMatchObject([{ data: { content: 'a' } }]);
  });
});
