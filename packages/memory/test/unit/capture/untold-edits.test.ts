import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { handleHook } from '../../../src/hooks/index.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

const lines = (...values: readonly JsonObject[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

async function importedOnce(text: string) {
  const store = await openMemory();
  const path = await put(await newFolder(), 'log.jsonl', text);
  await store.importTranscript(path, { closed: true });
  const again = await store.importTranscript(path, { closed: true });
  expect(again).toMatchObject({ added: 0 });
  const events = await onlyEvents(store);
  return events.filter(({ type }) => type !== 'user_message');
}

describe('an edit that never got a result keeps all of its input', () => {
  it('of Claude Code', async () => {
    const input = {
      file_path: '/w/a.ts',
      edits: [
        { old_string: 'こ', new_string: '😀', replace_all: true },
        { old_string: 'b', new_string: 'c' },
      ],
    };
    const log = new ClaudeLog('untold').user('go').call('toolu_1', 'MultiEdit', input);

    const [intention, call, ...more] = await importedOnce(log.toString());

    expect(intention).toMatchObject({ type: 'code_intention', data: { file_path: '/w/a.ts' } });
    expect(call).toMatchObject({
      type: 'tool_use',
      data: { tool: 'MultiEdit', parameters: input },
      meta: { no_result: true },
    });
    expect(more).toEqual([]);
  });

  it('of Codex', async () => {
    const input =
      '*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n+new\n*** Delete File: b\n*** End Patch\n';
    const timestamp = '2026-03-01T09:00:00.000Z';
    const call = { type: 'custom_tool_call', name: 'apply_patch', input, call_id: 'call_1' };
    const meta = { id: '019c4b43-0000-7000-8000-000000000009', timestamp, cwd: '/w' };

    const events = await importedOnce(
      lines(
        { timestamp, type: 'session_meta', payload: meta },
        { timestamp, type: 'response_item', payload: call },
      ),
    );

    expect(events.map(({ type }) => type)).toEqual([
      'code_intention',
      'code_intention',
      'tool_use',
    ]);
    expect(JSON.stringify(events[2])).toContain(JSON.stringify(input).slice(1, -1));
  });
});

describe('a hook before an edit that never ends', () => {
  const change = { file_path: '', old_string: '1', new_string: '2', replace_all: true };

  async function begun(transcript: string | undefined) {
    const store = await openMemory();
    const folder = await newFolder();
    const file = await put(folder, 'a.ts', '1 1');
    const log = new ClaudeLog('hook-untold', folder);
    const toolInput = { ...change, file_path: file };
    const hook = (event: string, more: JsonObject = {}) =>
      handleHook(
        store,
        JSON.stringify({
          hook_event_name: event,
          session_id: log.session,
          cwd: folder,
          ...(transcript === undefined ? {} : { transcript_path: join(folder, transcript) }),
          ...more,
        }),
        { stateFolder: join(folder, 'state'), logFile: join(folder, 'hooks.log') },
      );
    const call = { tool_name: 'Edit', tool_use_id: 'toolu_1', tool_input: toolInput };
    await hook('PreToolUse', call);
    return { store, file, hook, call, toolInput };
  }

  it.each([undefined, 'never-written.jsonl'])('keeps its input (%s)', async (transcript) => {
    const { store, hook, toolInput } = await begun(transcript);
    await hook('SessionEnd', { reason: 'exit' });

    const events = await onlyEvents(store);
    expect(events.map(({ type }) => type)).toEqual(['code_intention', 'tool_use']);
    expect(events[1]).toMatchObject({
      data: { tool: 'Edit', parameters: toolInput },
      meta: { no_result: true },
    });
  });

  it('says nothing of it once the edit has ended', async () => {
    const { store, hook, file, call } = await begun(undefined);
    await writeFile(file, '2 2');
    await hook('PostToolUse', { ...call, tool_response: { filePath: file } });
    await hook('SessionEnd', { reason: 'exit' });

    const events = await onlyEvents(store);
    expect(events.map(({ type }) => type)).toEqual(['code_intention', 'file_edit']);
  });
});
