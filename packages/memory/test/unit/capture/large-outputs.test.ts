import { join } from 'node:path';
import { objectOf, textAt } from '@vizprompt/providers/internal';
import { describe, expect, it } from 'vitest';
import { wholeOutput } from '../../../src/capture/tool-output.ts';
import { handleHook } from '../../../src/hooks/index.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

const MAX = 20_000;
const LONG = `beginning 始${'あ"\n'.repeat(20_000)}終 the end`;

describe('what is larger than a store takes', () => {
  it('is stored by its beginning and end, and counted', async () => {
    const store = await openMemory({ maxContentBytes: MAX });
    const log = new ClaudeLog('large').user('start').call('toolu_1', 'Bash', { command: 'x' });
    log.result('toolu_1', { stdout: LONG, stderr: '' }).text(LONG).text('after');
    const path = await put(await newFolder(), 'a.jsonl', log.toString());
    const report = await store.importTranscript(path, { closed: true });
    expect(report.refused).toEqual([]);
    const events = await onlyEvents(store);
    expect(events.map(({ type }) => type)).toEqual([
      'user_message',
      'tool_use',
      'assistant_message',
      'assistant_message',
    ]);
    for (const event of events.slice(1, 3)) {
      const text = JSON.stringify(event.data);
      expect(text).toContain('beginning 始');
      expect(text).toContain('終 the end');
      expect(text).toMatch(/… \d+ characters left out …/);
      expect(Buffer.byteLength(text)).toBeLessThan(MAX);
      expect(event.meta?.['cut_characters']).toBeGreaterThan(60_000);
    }
    expect((await store.importTranscript(path, { closed: true })).added).toBe(0);
    expect(await store.search('beginning')).toHaveLength(2);
  });

  it('is an edit without the texts, where these are of a file', async () => {
    const store = await openMemory({ maxContentBytes: MAX });
    const input = { file_path: '/w/a.md', content: LONG };
    const log = new ClaudeLog('file').user('write').call('toolu_1', 'Write', input);
    log.result('toolu_1', { type: 'create', filePath: '/w/a.md', content: LONG });
    const path = await put(await newFolder(), 'a.jsonl', log.toString());
    expect((await store.importTranscript(path, { closed: true })).refused).toEqual([]);
    const edit = (await onlyEvents(store)).find(({ type }) => type === 'file_edit');
    expect(edit?.data).toMatchObject({ action: 'create', file_path: '/w/a.md', success: true });
    expect(edit?.data).not.toHaveProperty('new_content');
    expect(edit?.meta).toMatchObject({ new_text: 'unknown' });
  });

  it('is cut by hooks, too', async () => {
    const store = await openMemory({ maxContentBytes: MAX });
    const folder = await newFolder();
    await handleHook(
      store,
      {
        hook_event_name: 'PostToolUse',
        session_id: '00000000-0000-4000-8000-000000000001',
        cwd: folder,
        tool_name: 'Bash',
        tool_input: { command: 'x' },
        tool_use_id: 'toolu_1',
        tool_response: { stdout: LONG },
      },
      { stateFolder: join(folder, 'state') },
    );
    const [event] = await onlyEvents(store);
    expect(event).toMatchObject({ type: 'tool_use' });
    expect(JSON.stringify(event?.data)).toContain('終 the end');
  });

  it('is counted where lines that are no event are too long', async () => {
    const store = await openMemory({ maxContentBytes: MAX });
    const folder = await newFolder();
    const log = new ClaudeLog('lines').user('start');
    log.raw({ type: 'mystery', payload: 'x'.repeat(30_000) }).text('the answer');
    const path = await put(folder, 'a.jsonl', log.toString());
    const facts = { session_id: log.session, cwd: folder };
    const call = { ...facts, hook_event_name: 'Stop', transcript_path: path };
    await handleHook(store, call, { stateFolder: join(folder, 'state') });
    const events = await onlyEvents(store);
    const answer = events.find(({ data }) => 'content' in data && data.content === 'the answer');
    expect(answer?.meta).toMatchObject({ cut_lines: 1 });
  });
});

it('reads the beginning and the end of an output of more than 16 MiB in a file', async () => {
  const folder = await newFolder();
  await put(folder, 'tool-results/x.txt', `${'始'.repeat(6 << 20)}終`);
  const details = { stdout: 'first', persistedOutputPath: '/elsewhere/tool-results/x.txt' };
  const text = textAt(objectOf(wholeOutput(details, folder)), 'stdout') ?? '';
  expect(text).toMatch(/始\n… 2097155 bytes left out …\n始/);
  expect([text.at(0), text.at(-1), text.includes('\ufffd')]).toEqual(['始', '終', false]);
});

describe('an output that Gemini CLI saved in a file', () => {
  const NEW =
    'Output too large. Showing first 8,000 and last 32,000 characters. For full output see: ';
  const OLD =
    'Tool output was too large and has been truncated.\nThe full output has been saved to: ';
  const output = (text: string) => [
    { functionResponse: { id: 'a', name: 'run_shell_command', response: { output: text } } },
  ];

  /** Imports a chat with an output, in a folder of a project. */
  async function imported(text: string, { chat = 'chats/session-1.jsonl' } = {}): Promise<string> {
    const folder = await newFolder();
    await put(folder, 'p/tool-outputs/session-s/run_1.txt', 'the whole new one');
    await put(folder, 'p/call-1.output', 'the whole old one');
    await put(folder, 'secret.txt', 'a secret');
    const call = { id: 'c', name: 'run_shell_command', args: {}, status: 'success' };
    const lines = [
      { sessionId: 's', projectHash: 'h', startTime: '2026-11-01T00:00:00.000Z', kind: 'main' },
      { id: 'u', timestamp: '2026-11-01T00:00:01.000Z', type: 'user', content: [{ text: 'run' }] },
      {
        id: 'g',
        timestamp: '2026-11-01T00:00:02.000Z',
        type: 'gemini',
        content: 'I run it.',
        toolCalls: [{ ...call, result: output(text) }],
      },
    ];
    const log = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const store = await openMemory();
    await store.importTranscript(await put(folder, `p/${chat}`, log), { closed: true });
    const use = (await onlyEvents(store)).find(({ type }) => type === 'tool_use');
    return JSON.stringify(use?.data);
  }

  it.each([
    ['today', `${NEW}/home/ann/.gemini/tmp/p/tool-outputs/session-s/run_1.txt\n1\n2`, 'new'],
    ['on Windows', `${NEW}C:\\ann\\p\\tool-outputs\\session-s\\run_1.txt\n1\n2`, 'new'],
    ['by older versions', `${OLD}/home/ann/.gemini/tmp/p/call-1.output\nTo read\n1`, 'old'],
  ])('is stored whole as it is written %s', async (_, text, which) => {
    expect(await imported(text)).toContain(`"output":"the whole ${which} one"`);
    const subagent = await imported(text, { chat: 'chats/s/child.jsonl' });
    expect(subagent).toContain(`"output":"the whole ${which} one"`);
  });

  it.each([
    ['the file is gone', `${NEW}/p/tool-outputs/session-s/run_2.txt\n1\n2`],
    ['a command prints that head later', `1\n${NEW}/p/tool-outputs/session-s/run_1.txt\n2`],
    ['the file is elsewhere', `${NEW}/p/tool-outputs/session-s/../../../secret.txt\n1`],
    ['it has no line of its own', `${NEW}/p/tool-outputs/session-s/run_1.txt`],
  ])('is stored as it is where %s', async (_, text) => {
    expect(await imported(text)).toContain(JSON.stringify(text));
  });
});

it('has what subagents of Claude Code saved, from the folder of the session', async () => {
  const folder = await newFolder();
  const head = '<persisted-output>\nOutput too large (305.6KB). Full output saved to: ';
  const cut = `${head}/home/ann/.claude/projects/p/s/tool-results/b0.txt\n\nPreview (first 2KB):\n1\n…`;
  const own = { isSidechain: true, agentId: 'a1', sessionId: 's', cwd: '/w', version: '2.1.332' };
  const messageOf = (type: string, uuid: string, content: readonly object[]) => ({
    ...own,
    type,
    uuid,
    timestamp: '2026-11-01T00:00:01.000Z',
    message: { role: type, content },
  });
  const log = [
    messageOf('user', 'u1', [{ type: 'text', text: 'count' }]),
    messageOf('assistant', 'u2', [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }]),
    messageOf('user', 'u3', [{ type: 'tool_result', tool_use_id: 't1', content: cut }]),
  ];
  const lines = log.map((line) => `${JSON.stringify(line)}\n`).join('');
  await put(folder, 'p/s/tool-results/b0.txt', 'the whole one');
  const store = await openMemory();
  await store.importTranscript(await put(folder, 'p/s/subagents/agent-a1.jsonl', lines), {
    closed: true,
  });
  const use = (await onlyEvents(store)).find(({ type }) => type === 'tool_use');
  expect(use?.data).toMatchObject({ tool: 'Bash', result: 'the whole one' });
});
