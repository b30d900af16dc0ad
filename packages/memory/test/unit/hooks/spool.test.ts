import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spoolFolder } from '../../../src/capture/live/spool.ts';
import { handleHook } from '../../../src/hooks/index.ts';
import { MemoryStore, type MemoryEvent } from '../../../src/index.ts';
import { spoolHook } from '../../../src/internal.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, put } from '../../support/capture/open-memory.ts';

/** Returns a home with a memory, a session of Claude Code, and a way to leave calls of its hooks. */
async function session(seed: string) {
  const folder = await newFolder();
  const hooks = join(folder, '.ptta');
  const memory = join(hooks, 'ptta.db');
  const spool = spoolFolder(hooks, memory);
  const log = new ClaudeLog(seed, folder);
  const transcript = join(folder, `${log.session}.jsonl`);
  let written = 0;
  const input = async (event: string, more: JsonObject = {}): Promise<string> => {
    const lines = log.lines.slice(written).map((line) => `${line}\n`);
    written = log.lines.length;
    await appendFile(transcript, lines.join(''));
    const common = { hook_event_name: event, session_id: log.session, cwd: folder };
    return JSON.stringify({ ...common, transcript_path: transcript, ...more });
  };
  const leave = async (event: string, more: JsonObject = {}) => {
    const text = await input(event, more);
    // A person does not say the same twice within a millisecond.
    const before = Date.now();
    await expect.poll(() => Date.now()).toBeGreaterThan(before);
    return spoolHook({ agent: 'claude-code', input: text, spool });
  };
  const open = async (patienceMs?: number) => {
    const store = await MemoryStore.open({ path: memory, hooks: { folder: hooks, patienceMs } });
    onTestFinished(() => store.close());
    return store;
  };
  const waiting = async () => (await readdir(spool)).filter((name) => name.endsWith('.call'));
  return { folder, hooks, memory, spool, log, transcript, input, leave, open, waiting };
}

type Session = Awaited<ReturnType<typeof session>>;
type Call = (event: string, more?: JsonObject) => Promise<unknown>;

/** Plays a turn in which a file is edited and changes afterwards, too. */
async function play({ folder, log }: Session, hook: Call): Promise<void> {
  const file = await put(folder, 'a.ts', 'const a = 1;\n');
  await hook('UserPromptSubmit', { prompt: '値を直して' });
  log.user('値を直して').thinking('It is 2.').text('I set it to 2.');
  const change = { file_path: file, old_string: '1', new_string: '2' };
  const call = { tool_name: 'Edit', tool_use_id: 'toolu_1', tool_input: change };
  await hook('PreToolUse', call);
  await writeFile(file, 'const a = 2;\n');
  const response = { filePath: file, oldString: '1', newString: '2' };
  log.call('toolu_1', 'Edit', change);
  await hook('PostToolUse', { ...call, tool_response: response, duration_ms: 12 });
  log.result('toolu_1', response);
  await writeFile(file, 'of somebody else\n');
  log.text('Done.');
  await hook('Stop', { last_assistant_message: 'Done.' });
  await hook('UserPromptSubmit', { prompt: '値を直して' });
  log.user('値を直して');
  await hook('SessionEnd', { reason: 'exit' });
}

const shown = (events: readonly MemoryEvent[]) =>
  events.map(({ type, data, meta }) => {
    const { old_content: before, new_content: after, content } = data as Record<string, unknown>;
    return { type, before, after, content, hook: meta?.['hook'] };
  });

describe('calls of hooks that wait', () => {
  it.each(['ptta.db', 'メモリ.db', `${'long/'.repeat(60)}ptta.db`])(
    'have a folder for each memory: %s',
    (name) => {
      const folders = [`/a/${name}`, `/A/${name}`].flatMap((memory) => [
        spoolFolder('/home', memory),
        spoolFolder('/home', memory, true),
      ]);
      expect(new Set(folders.map((folder) => folder.toLowerCase())).size).toBe(4);
      expect(spoolFolder('/home', `/a/${name}`)).toBe(folders[0]);
      for (const folder of folders) expect(basename(folder)).toMatch(/^[0-9a-f]{1,200}$/);
    },
  );

  it('become what they would have become at once', async () => {
    const late = await session('spool');
    await play(late, late.leave);
    expect(await late.waiting()).toHaveLength(6);
    const store = await late.open();
    expect(await late.waiting()).toEqual([]);

    const now = await session('spool');
    const live = await now.open();
    const options = {
      stateFolder: join(now.hooks, 'hooks'),
      logFile: join(now.hooks, 'hooks.log'),
    };
    await play(now, async (event, more) => handleHook(live, await now.input(event, more), options));
    expect(shown(await onlyEvents(store))).toEqual(shown(await onlyEvents(live)));
    const edit = (await onlyEvents(store)).find(({ type }) => type === 'file_edit');
    expect(edit?.data).toMatchObject({
      old_content: 'const a = 1;\n',
      new_content: 'const a = 2;\n',
    });
    expect(await store.getSession(late.log.session)).toMatchObject({
      workspace_path: late.folder,
      ended_at: expect.any(String),
    });
    expect(await store.importTranscript(late.transcript)).toMatchObject({ added: 0 });
  });

  it('are stored once, although a process dies between storing and deleting each', async () => {
    const place = await session('again');
    await play(place, place.leave);
    const copies = await Promise.all(
      (await place.waiting()).map(async (name) => ({
        path: join(place.spool, name),
        bytes: await readFile(join(place.spool, name)),
      })),
    );
    const store = await place.open(0);
    await rm(place.spool, { recursive: true });
    await mkdir(place.spool);
    for (const { path, bytes } of copies) {
      await writeFile(path, bytes);
      await store.ingestHooks();
      // It is there again, as if it had not been deleted.
      await writeFile(path, bytes);
      await store.ingestHooks();
    }
    const types = (await onlyEvents(store)).map(({ type }) => type).join(' ');
    expect(types).toBe(
      'user_message thinking assistant_message code_intention file_edit assistant_message user_message',
    );
  });

  it('are stored once without a transcript, too', async () => {
    const place = await session('bare');
    const bare = { transcript_path: '/nowhere/at/all.jsonl' };
    await place.leave('UserPromptSubmit', { ...bare, prompt: 'a' });
    await place.leave('Stop', { ...bare, last_assistant_message: 'b' });
    await place.leave('UserPromptSubmit', { ...bare, prompt: 'a' });
    const copies = await Promise.all(
      (await place.waiting()).map(
        async (name) => [name, await readFile(join(place.spool, name))] as const,
      ),
    );
    const store = await place.open();
    for (const [name, bytes] of copies) await writeFile(join(place.spool, name), bytes);
    expect(await store.ingestHooks()).toEqual({ stored: 3, failed: 0, waiting: 0 });
    expect((await onlyEvents(store)).map(({ data }) => 'content' in data && data.content)).toEqual([
      'a',
      'b',
      'a',
    ]);
  });

  it('are stored once by two processes at the same time, in their order', async () => {
    const place = await session('two');
    const words = Array.from({ length: 20 }, (_, at) => `word ${at}`);
    for (const prompt of words) await place.leave('UserPromptSubmit', { prompt });
    const [one, other] = [await place.open(0), await place.open(0)];
    const reports = await Promise.all([one.ingestHooks(), other.ingestHooks(), one.ingestHooks()]);
    expect(reports.reduce((sum, { stored }) => sum + stored, 0)).toBe(words.length);
    const events = await onlyEvents(one);
    expect(events.map(({ data }) => 'content' in data && data.content)).toEqual(words);
  });

  it('cost only themselves if they are damaged, and are reported', async () => {
    const place = await session('damage');
    await place.leave('UserPromptSubmit', { prompt: 'before' });
    await place.leave('UserPromptSubmit', { prompt: 'cut' });
    await place.leave('UserPromptSubmit', { prompt: 'after' });
    const [, cut = ''] = (await place.waiting()).toSorted();
    const path = join(place.spool, cut);
    await writeFile(path, (await readFile(path)).subarray(0, -5));
    await writeFile(join(place.spool, '0.call'), 'nonsense');
    await writeFile(join(place.spool, '1.call'), '');
    const store = await place.open(0);
    expect(await store.ingestHooks()).toEqual({ stored: 2, failed: 3, waiting: 0 });
    expect(await onlyEvents(store)).toMatchObject([
      { data: { content: 'before' } },
      { data: { content: 'after' } },
    ]);
    const log = await readFile(join(place.hooks, 'hooks.log'), 'utf8');
    expect(log.split('\n').filter((line) => line.includes('corrupt'))).toHaveLength(3);
  });

  it('wait for a newer version if that left them', async () => {
    const place = await session('newer');
    await mkdir(place.spool, { recursive: true });
    await writeFile(join(place.spool, 'x.call'), '{"form":99}\n');
    const store = await place.open();
    expect(await store.ingestHooks()).toEqual({ stored: 0, failed: 0, waiting: 1 });
  });

  it('are read by this user only, and hold no secret once they are stored', async () => {
    const place = await session('secret');
    const secret = 'ghp_0123456789abcdef0123456789abcdef0123';
    await place.leave('UserPromptSubmit', { prompt: `token ${secret}` });
    const [name = ''] = await place.waiting();
    expect((await stat(join(place.spool, name))).mode & 0o777).toBe(0o600);
    expect((await stat(place.spool)).mode & 0o777).toBe(0o700);
    expect((await stat(dirname(place.spool))).mode & 0o777).toBe(0o700);
    const store = await place.open();
    expect(JSON.stringify(await onlyEvents(store))).not.toContain(secret);
    expect(await bytesBelow(place.hooks)).not.toContain(secret);
  });

  it('are not stored again if an import has read the prompt meanwhile', async () => {
    const { log, leave, open, input, transcript } = await session('imported');
    await leave('UserPromptSubmit', { prompt: '値を直して' });
    log.user('値を直して', { timestamp: new Date().toISOString() }).text('Done.');
    await input('none');
    const store = await open(0);
    await store.importTranscript(transcript);
    await store.ingestHooks();
    expect((await onlyEvents(store)).map(({ type }) => type)).toEqual([
      'user_message',
      'assistant_message',
    ]);
  });

  it('bring the output of a tool that Copilot CLI deletes when it ends', async () => {
    const { folder, spool, open } = await session('copilot');
    const output = await put(folder, '1795958995819-copilot-tool-output-21-f05b.txt', '1\n53999\n');
    const content = `Output too large to read at once (305.6 KB). Saved to: ${output}\nPreview:\n1\n`;
    const event = (type: string, data: JsonObject): string =>
      `${JSON.stringify({ type, id: type, timestamp: '2026-11-29T13:00:00Z', data })}\n`;
    const call = { toolCallId: 'call_1', toolName: 'bash', arguments: { command: 'seq' } };
    const transcript = await put(
      folder,
      'events.jsonl',
      event('session.start', { sessionId: 's', context: { cwd: folder } }) +
        event('tool.execution_start', call) +
        event('tool.execution_complete', { ...call, success: true, result: { content } }),
    );
    const input = { session_id: 's', cwd: folder, transcript_path: transcript };
    const leave = (name: string, more: JsonObject = {}) =>
      spoolHook({
        agent: 'copilot',
        input: JSON.stringify({ ...input, hook_event_name: name, ...more }),
        spool,
      });
    leave('UserPromptSubmit');
    leave('PostToolUse', { tool_result: { result_type: 'success', text_result_for_llm: content } });
    leave('Stop');
    await rm(output);
    const [used] = await onlyEvents(await open());
    expect(used?.data).toMatchObject({ tool: 'bash', result: { content: '1\n53999\n' } });
  });

  it('are forgotten with the rest', async () => {
    const place = await session('forget');
    const store = await place.open();
    await place.leave('UserPromptSubmit', { prompt: 'plantedword' });
    await place.leave('UserPromptSubmit', { prompt: 'another' });
    // Only what waits knows the session.
    await store.forget({ session: place.log.session });
    expect(await place.waiting()).toEqual([]);
    expect(await bytesBelow(place.hooks)).not.toContain('plantedword');
  });

  it('are not left where the agent waits for an answer, or where a path means something else later', async () => {
    const place = await session('answers');
    expect(await place.leave('SessionStart', { source: 'startup' })).toBeUndefined();
    expect(await place.leave('Stop', { cwd: '.' })).toBeUndefined();
    expect(await place.leave('Stop', { transcript_path: 'a.jsonl' })).toBeUndefined();
    const { spool } = place;
    expect(spoolHook({ agent: 'codex', input: 'nonsense', spool })).toBeUndefined();
    expect(await place.leave('PostToolUse')).toBe('left');
    expect(await place.leave('SessionEnd')).toBe('ended');
  });
});

/** Returns all bytes of the files below a folder, as one string. */
async function bytesBelow(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
  );
  return texts.join('\n');
}
