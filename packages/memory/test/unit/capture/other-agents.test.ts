import { objectAt, objectOf, parseJson, textAt } from '@vizprompt/providers/internal';
import { describe, expect, it } from 'vitest';
import type { MemoryEvent } from '../../../src/index.ts';
import { codexLog, copilotLog, geminiLog } from '../../support/capture/other-logs.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

async function imported(text: string, name = 'log.jsonl') {
  const store = await openMemory();
  const report = await store.importTranscript(await put(await newFolder(), name, text));
  const events = await onlyEvents(store);
  const [session] = await store.listSessions();
  return { report, events, session };
}

const types = (events: readonly MemoryEvent[]) => events.map(({ type }) => type).join(' ');

describe('a rollout of Codex', () => {
  it('becomes events, each text once, patches applied', async () => {
    const { report, events, session } = await imported(codexLog);
    expect(types(events)).toBe(
      'user_message thinking tool_use assistant_message ' +
        'code_intention code_intention code_intention file_edit file_edit file_edit ' +
        'code_intention file_edit assistant_message',
    );
    expect(session).toMatchObject({
      id: '019c4b43-0000-7000-8000-000000000001',
      workspace_path: '/home/ann/shop',
      metadata: { agent: 'codex', branch: 'main', agent_version: '0.140.0' },
    });
    expect(events[2]?.data).toMatchObject({
      tool: 'exec_command',
      parameters: { cmd: 'ls' },
      success: false,
      duration_ms: 500,
    });
    expect(events[4]?.data).toMatchObject({ reason: 'I patch it.', action: 'create' });
    const [added, updated, deleted, again] = events.filter(({ type }) => type === 'file_edit');
    expect(added?.data).toMatchObject({
      file_path: '/home/ann/shop/docs/new.md',
      new_content: '# 新しい\ntext\n',
    });
    // Its text is not in the log, the difference is.
    expect(updated?.data).toMatchObject({
      success: true,
      diff: expect.stringContaining('-\treturn 1;\n+\treturn 2;\n'),
    });
    expect(updated?.meta).toMatchObject({ old_text: 'unknown' });
    expect(deleted?.data).toMatchObject({ action: 'delete', old_content: 'bye\n' });
    // The folder changed in between, and the text is that of the patch before.
    expect(again?.data).toMatchObject({
      file_path: '/home/ann/shop/docs/new.md',
      old_content: '# 新しい\ntext\n',
      new_content: '# 新しい\nmore text\n',
    });
    expect(report).toMatchObject({ emptyThoughts: 1, unknownTexts: 1, unknown: {} });
    expect(report.kept).toMatchObject({ token_count: 1, 'message:user:context': 1 });
  });

  it('reads patches given to a shell', async () => {
    const script = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+b\n*** End Patch\nEOF";
    const head = codexLog.split('\n')[0] ?? '';
    const line = (payload: object) =>
      JSON.stringify({ timestamp: '2026-03-01T10:00:00Z', type: 'response_item', payload });
    const { events } = await imported(
      [
        head,
        line({
          type: 'function_call',
          name: 'shell',
          call_id: 'call_9',
          arguments: JSON.stringify({ command: ['bash', '-lc', script] }),
        }),
        line({ type: 'function_call_output', call_id: 'call_9', output: 'Success.' }),
      ].join('\n'),
    );
    expect(types(events)).toBe('code_intention file_edit');
    expect(events[1]?.data).toMatchObject({ file_path: '/home/ann/shop/a', new_content: 'b\n' });
  });
});

describe('a chat of Gemini CLI', () => {
  it('becomes events, although each message is written again when it grows', async () => {
    const { report, events, session } = await imported(geminiLog);
    expect(types(events)).toBe(
      'user_message thinking assistant_message tool_use code_intention file_edit tool_use',
    );
    expect(events[1]?.data).toEqual({ content: 'Read it first.', context: 'Plan' });
    expect(events[5]?.data).toMatchObject({ old_content: 'one\n', new_content: 'two\n' });
    expect(events[6]?.data).toMatchObject({ tool: 'run_shell_command', success: false });
    expect(session).toMatchObject({
      workspace_path: '/home/ann/shop',
      metadata: { agent: 'gemini', source_id: 'gem-1', title: '値引き' },
    });
    expect(report.kept).toMatchObject({ $rewindTo: 1, info: 1 });
  });

  it('is the same as a single object, as older versions write it', async () => {
    const [head, ...rest] = geminiLog
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const messages = rest.filter((line) => 'id' in line);
    const { events } = await imported(JSON.stringify({ ...head, messages }, null, 2), 'chat.json');
    const { events: lines } = await imported(geminiLog);
    expect(events.map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
  });
});

describe('the events of Copilot CLI', () => {
  it('are the same in its JSON output, which says thoughts twice', async () => {
    const lines = copilotLog.split('\n').flatMap((text): string[] => {
      const line = objectOf(parseJson(text));
      const content = textAt(objectAt(line, 'data'), 'reasoningText');
      if (content === undefined) return [text];
      const own = { ...line, id: 'own', type: 'assistant.reasoning', data: { content } };
      return [text, JSON.stringify({ ...own, ephemeral: true })];
    });
    const idle = { type: 'assistant.idle', id: 'i', data: {}, ephemeral: true };
    const result = { type: 'result', sessionId: 's', exitCode: 0 };
    const text = [...lines, JSON.stringify(idle), JSON.stringify(result), ''].join('\n');
    const [log, printed] = [await imported(copilotLog), await imported(text)];
    expect(types(printed.events)).toBe(types(log.events));
    expect(printed.report).toMatchObject({ unknown: {}, passing: { 'assistant.reasoning': 1 } });
  });

  it('become events', async () => {
    const { report, events, session } = await imported(copilotLog);
    expect(types(events)).toBe(
      'user_message thinking assistant_message code_intention code_intention ' +
        'file_edit file_edit tool_use assistant_message',
    );
    expect(events[6]?.data).toMatchObject({
      file_path: '/home/ann/shop/a.py',
      old_content: 'x = 1\n',
      new_content: 'x = 2\n',
    });
    expect(events[7]?.data).toMatchObject({ tool: 'bash', success: false });
    expect(session).toMatchObject({
      workspace_path: '/home/ann/shop',
      metadata: { branch: 'main' },
    });
    expect(report).toMatchObject({ unknown: { 'quantum.leap': 1 }, kept: { 'hook.end': 1 } });
  });
});

describe('a folder', () => {
  it('may hold logs of all programs, and other files', async () => {
    const folder = await newFolder();
    await put(folder, 'a/codex.jsonl', codexLog);
    await put(folder, 'b/gemini.jsonl', geminiLog);
    await put(folder, 'c/copilot.jsonl', copilotLog);
    await put(folder, 'package.json', '{"name":"x"}');
    await put(folder, 'empty.jsonl', '');
    const store = await openMemory();
    const seen: number[] = [];
    const report = await store.importTranscript(folder, {
      onProgress: ({ bytes, totalBytes }) => seen.push(bytes / totalBytes),
    });
    expect(report).toMatchObject({ files: 3, sessions: { length: 3 } });
    expect(report.skippedFiles.map(({ file }) => file.split('/').at(-1))).toEqual([
      'empty.jsonl',
      'package.json',
    ]);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    await expect(store.importTranscript(`${folder}/nothing`)).rejects.toMatchObject({
      code: 'invalid-input',
    });
  });
});
