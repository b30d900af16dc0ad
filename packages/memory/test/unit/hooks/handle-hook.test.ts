import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { handleHook } from '../../../src/hooks/index.ts';
import { MemoryStore, type MemoryEvent } from '../../../src/index.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

const types = (events: readonly MemoryEvent[]) => events.map(({ type }) => type).join(' ');

/** Returns a session of Claude Code: a folder, its transcript, and a way to call its hooks. */
async function session(seed: string) {
  const store = await openMemory();
  const folder = await newFolder();
  const log = new ClaudeLog(seed, folder);
  const transcript = join(folder, `${log.session}.jsonl`);
  let written = 0;
  const options = { stateFolder: join(folder, 'state'), logFile: join(folder, 'hooks.log') };
  const hook = async (event: string, more: JsonObject = {}, extra: object = {}) => {
    // The program writes its lines before it calls the hook.
    await appendFile(
      transcript,
      log.lines
        .slice(written)
        .map((line) => `${line}\n`)
        .join(''),
    );
    written = log.lines.length;
    const input = {
      hook_event_name: event,
      session_id: log.session,
      transcript_path: transcript,
      cwd: folder,
      ...more,
    };
    return handleHook(store, JSON.stringify(input), { ...options, ...extra });
  };
  return { store, folder, log, transcript, hook, options };
}

describe('the hooks of a session', () => {
  it('note what happens while it happens, and the transcript adds nothing twice', async () => {
    const { store, folder, log, transcript, hook } = await session('whole');
    const file = await put(folder, 'a.ts', 'const a = 1;\n');
    await hook('SessionStart', { source: 'startup' });
    await hook('UserPromptSubmit', { prompt: '値を直して' });
    log.user('値を直して').thinking('It is 2.').text('I set it to 2.');
    const change = { file_path: file, old_string: '1', new_string: '2' };
    const call = { tool_name: 'Edit', tool_use_id: 'toolu_1', tool_input: change };
    await hook('PreToolUse', call);
    await writeFile(file, 'const a = 2;\n');
    // Newer versions leave the text before out.
    const response = { filePath: file, oldString: '1', newString: '2' };
    log.call('toolu_1', 'Edit', change);
    await hook('PostToolUse', { ...call, tool_response: response, duration_ms: 12 });
    log.result('toolu_1', response);
    const bash = { tool_name: 'Bash', tool_use_id: 'toolu_2', tool_input: { command: 'false' } };
    log.call('toolu_2', 'Bash', { command: 'false' });
    await hook('PostToolUseFailure', { ...bash, error: 'exit 1' });
    log.result('toolu_2', 'Error: exit 1', 'exit 1', true).text('Done.');
    await hook('Stop', { last_assistant_message: 'Done.' });
    await hook('UserPromptSubmit', { prompt: '値を直して' });
    log.user('値を直して');
    await hook('PreCompact', { trigger: 'auto' });
    await hook('SessionEnd', { reason: 'exit' });

    const events = await onlyEvents(store);
    expect(types(events)).toBe(
      'user_message thinking assistant_message code_intention file_edit tool_use ' +
        'assistant_message user_message',
    );
    const [, , , intention, edit, failed] = events;
    expect(intention?.data).toMatchObject({
      reason: 'I set it to 2.',
      old_content: 'const a = 1;\n',
      new_content: 'const a = 2;\n',
    });
    expect(edit?.data).toMatchObject({
      success: true,
      intention_event_id: intention?.id,
      old_content: 'const a = 1;\n',
      new_content: 'const a = 2;\n',
    });
    expect(failed?.data).toMatchObject({ tool: 'Bash', success: false, result: 'exit 1' });
    expect(await store.getSession(log.session)).toMatchObject({
      workspace_path: folder,
      ended_at: expect.any(String),
    });

    const before = await onlyEvents(store);
    const report = await store.importTranscript(transcript);
    expect(await onlyEvents(store)).toEqual(before);
    expect(report).toMatchObject({ added: 0, refused: [] });
  });

  it('note what a call wrote, although the file has changed again before they run', async () => {
    const { store, folder, log, hook } = await session('late-files');
    const file = join(folder, 'new.txt');
    const notebook = join(folder, 'n.ipynb');
    await hook('UserPromptSubmit', { prompt: '作って' });
    log.user('作って');
    const write = { file_path: file, content: '一\n' };
    const cell = { notebook_path: notebook, new_source: '1' };
    const calls = [
      { tool_name: 'Write', tool_use_id: 'toolu_1', tool_input: write },
      { tool_name: 'NotebookEdit', tool_use_id: 'toolu_2', tool_input: cell },
    ];
    const results = [
      { type: 'create', filePath: file, content: '一\n', originalFile: null, structuredPatch: [] },
      { ...cell, original_file: '[0]', updated_file: '[1]' },
    ];
    for (const [at, call] of calls.entries()) {
      if (at === 0) await hook('PreToolUse', call);
      log.call(call.tool_use_id, call.tool_name, call.tool_input);
      await writeFile(at === 0 ? file : notebook, 'of a later call');
      await hook('PostToolUse', { ...call, tool_response: results[at] ?? null });
    }
    await hook('Stop');
    const edits = (await onlyEvents(store)).filter(({ type }) => type === 'file_edit');
    expect(edits.map(({ data }) => data)).toMatchObject([
      { action: 'create', new_content: '一\n' },
      { action: 'edit', old_content: '[0]', new_content: '[1]' },
    ]);
  });

  it('have prompts once each, although the log has the first again when its files are saved', async () => {
    const { store, log, transcript, hook } = await session('files');
    const uuid = 'bbbbbbbb-1111-4111-8111-111111111111';
    await hook('UserPromptSubmit', { prompt: 'again' });
    log.user('again', { uuid }).text('Done.');
    await hook('Stop');
    await hook('UserPromptSubmit', { prompt: 'again' });
    log.user('again', { sentAsUuid: uuid }).user('again');
    await hook('SessionEnd', { reason: 'exit' });
    await store.importTranscript(transcript, { closed: true });
    expect(types(await onlyEvents(store))).toBe('user_message assistant_message user_message');
  });

  it.each([
    [
      'a chat',
      '<channel source="sms" user="ann">\nfix it\n</channel>',
      { kind: 'channel' },
      '<channel source="sms" user="ann">\nfix it\n</channel>',
    ],
    ['Slack', 'fix it', { kind: 'slack-ping' }, 'fix it'],
    ['a schedule', 'fix it', { kind: 'task-notification', subkind: 'scheduled-trigger' }, 'fix it'],
  ])('have a prompt that came from %s once', async (_, prompt, origin, words) => {
    const { store, log, transcript, hook } = await session('chat');
    await hook('UserPromptSubmit', { prompt });
    log.user(prompt, { isMeta: true, origin }).text('Done.');
    await hook('Stop');
    await hook('UserPromptSubmit', { prompt: 'fix it' });
    log.user('fix it');
    await hook('SessionEnd', { reason: 'exit' });
    expect(await store.importTranscript(transcript, { closed: true })).toMatchObject({ added: 0 });
    const events = await onlyEvents(store);
    expect(types(events)).toBe('user_message assistant_message user_message');
    expect(events[0]?.data).toEqual({ content: words });
    expect(events[0]?.meta?.['speaker']).toBe(
      words === prompt && origin.kind === 'channel' ? 'ann' : undefined,
    );
  });

  it('find what the transcript brought before', async () => {
    const { store, folder, log, transcript, hook } = await session('late');
    log.user('続けて').text('ok').call('toolu_1', 'Bash', { command: 'ls' });
    await put(folder, `${log.session}.jsonl`, '');
    await hook('Stop');
    await store.importTranscript(transcript);
    const call = { tool_name: 'Bash', tool_use_id: 'toolu_1', tool_input: { command: 'ls' } };
    await hook('PostToolUse', { ...call, tool_response: { stdout: 'x' } });
    log.result('toolu_1', { stdout: 'x' });
    // The same words once more are another prompt.
    await hook('UserPromptSubmit', { prompt: '続けて' });
    await hook('Stop');
    log.user('続けて');
    await hook('SessionEnd', { reason: 'exit' });
    expect(types(await onlyEvents(store))).toBe(
      'user_message assistant_message tool_use user_message',
    );
    expect(await store.importTranscript(transcript)).toMatchObject({ added: 0 });
  });

  it('work without a transcript, and continue in a session that was resumed', async () => {
    const { store, log, hook } = await session('bare');
    const bare = { transcript_path: '/nowhere/at/all.jsonl' };
    await hook('UserPromptSubmit', { ...bare, prompt: 'a' });
    await hook('Stop', { ...bare, last_assistant_message: 'b' });
    await hook('SessionEnd', { ...bare, reason: 'exit' });
    expect((await store.getSession(log.session)).ended_at).not.toBeNull();
    await hook('SessionStart', { ...bare, source: 'resume' });
    expect((await store.getSession(log.session)).ended_at).toBeNull();
    await hook('UserPromptSubmit', { ...bare, prompt: 'c' });
    expect(types(await onlyEvents(store))).toBe('user_message assistant_message user_message');
  });

  it('print what is recalled when a session starts, within the budget', async () => {
    const { hook, folder } = await session('recall');
    const asked: unknown[] = [];
    const recall = async (_store: MemoryStore, request: object) => {
      asked.push(request);
      return '前回: 税率';
    };
    const answer = await hook('SessionStart', { source: 'compact' }, { recall, budgetTokens: 99 });
    expect(answer).toEqual({ exitCode: 0, stdout: '前回: 税率' });
    expect(asked).toEqual([
      { workspace: folder, budgetTokens: 99, source: 'compact', session: expect.any(String) },
    ]);
  });

  it.each([
    ['half of a character', '', 'a\\ud800b', 'a\uFFFDb'],
    ['a byte order mark before it', '\uFEFF', 'hi', 'hi'],
  ])('record a prompt with %s', async (_, before, prompt, content) => {
    const store = await openMemory();
    const folder = await newFolder();
    const head = `"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":${JSON.stringify(folder)}`;
    const options = { stateFolder: join(folder, 'state'), logFile: join(folder, 'hooks.log') };
    await handleHook(store, `${before}{${head},"prompt":"${prompt}"}`, options);
    expect((await onlyEvents(store)).map(({ data }) => data)).toEqual([{ content }]);
  });

  it('read a subagent when it stops', async () => {
    const { store, folder, log, hook } = await session('sub');
    const below = new ClaudeLog('below', folder).text('from below', {
      sessionId: log.session,
      isSidechain: true,
      agentId: 'agent-7',
    });
    const path = await put(folder, 'sub/agent-7.jsonl', below.toString());
    await hook('SubagentStop', { agent_id: 'agent-7', agent_transcript_path: path });
    await hook('SubagentStop', { agent_id: 'agent-7', agent_transcript_path: path });
    const [event, another] = await onlyEvents(store);
    expect(event).toMatchObject({ data: { content: 'from below' }, meta: { agent_id: 'agent-7' } });
    expect(another).toBeUndefined();
  });

  it('never fail: what goes wrong is a line in a log', async () => {
    const folder = await newFolder();
    const logFile = join(folder, 'logs', 'hooks.log');
    const options = { logFile, stateFolder: join(folder, 'state'), timeoutMs: 300 };
    const prompt = {
      hook_event_name: 'UserPromptSubmit',
      session_id: 's',
      cwd: folder,
      prompt: 'x',
    };
    const broken = await put(folder, 'broken.db', 'this is no database, '.repeat(500));
    const open = (path: string) => () => MemoryStore.open({ path });
    for (const [memory, input] of [
      [open(join(folder, 'a.db')), '{"hook_event'],
      [open(join(folder, 'a.db')), '[]'],
      [open(join(folder, 'a.db')), { session_id: 1 }],
      [open(broken), prompt],
      [open('/proc/nowhere/memory.db'), prompt],
      [() => Promise.reject(new Error('no module')), prompt],
      [() => new Promise<MemoryStore>(() => undefined), prompt],
    ] as const) {
      expect(await handleHook(memory, input, options)).toEqual({ exitCode: 0, stdout: '' });
    }
    const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(7);
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
      'unknown',
      'unknown',
      'unknown',
      ...Array.from({ length: 4 }, () => 'UserPromptSubmit'),
    ]);
    expect(await readFile(broken, 'utf8')).toMatch(/^this is no database/);
  });
});
