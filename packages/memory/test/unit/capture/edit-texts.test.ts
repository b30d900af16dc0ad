import { describe, expect, it } from 'vitest';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

describe('the texts of edits', () => {
  it('say that the text before is not known, and keep what the call says', async () => {
    const log = new ClaudeLog('unknown').user('go');
    const change = { file_path: '/home/ann/shop/a.ts', old_string: 'one', new_string: 'two' };
    log.call('toolu_1', 'Edit', change);
    log.result('toolu_1', { filePath: change.file_path, oldString: 'one', newString: 'two' });
    const store = await openMemory();
    const report = await store.importTranscript(
      await put(await newFolder(), 'a.jsonl', log.toString()),
    );
    expect(report.unknownTexts).toBe(1);
    const [, , edit, call] = await onlyEvents(store);
    expect(edit).toMatchObject({
      type: 'file_edit',
      data: { success: true, diff: '' },
      meta: { old_text: 'unknown', new_text: 'unknown' },
    });
    expect(edit?.data).not.toHaveProperty('new_content');
    expect(call).toMatchObject({ type: 'tool_use', data: { tool: 'Edit', parameters: change } });
  });

  it('come from earlier reads, where the result does not have them', async () => {
    const log = new ClaudeLog('read').user('go').call('toolu_1', 'Read', { file_path: '/w/a' });
    const file = { filePath: '/w/a', content: 'one\n', numLines: 2, startLine: 1, totalLines: 2 };
    log.result('toolu_1', { type: 'text', file });
    log.call('toolu_2', 'Edit', { file_path: '/w/a', old_string: 'one', new_string: 'two' });
    log.result('toolu_2', { filePath: '/w/a', oldString: 'one', newString: 'two' });
    const store = await openMemory();
    await store.importTranscript(await put(await newFolder(), 'a.jsonl', log.toString()));
    const edits = (await onlyEvents(store)).filter(({ data }) => 'file_path' in data);
    expect(edits.map(({ data }) => data)).toMatchObject([
      { old_content: 'one\n', new_content: 'two\n' },
      { old_content: 'one\n', new_content: 'two\n' },
    ]);
  });

  it('lose the end of a deleted line only where the counts of the patch say so', async () => {
    const log = new ClaudeLog('delete').user('go');
    for (const [id, oldLines] of [
      ['toolu_1', 3],
      ['toolu_2', 2],
    ] as const) {
      log.call(id, 'Edit', { file_path: `/w/${id}`, old_string: 'b\nc', new_string: '' });
      log.result(id, {
        filePath: `/w/${id}`,
        oldString: 'b\nc',
        newString: '',
        originalFile: 'a\nb\nc\nd\n',
        structuredPatch: [
          { oldStart: 1, oldLines: oldLines + 1, newStart: 1, newLines: 2, lines: [] },
        ],
      });
    }
    const store = await openMemory();
    await store.importTranscript(await put(await newFolder(), 'a.jsonl', log.toString()));
    const edits = (await onlyEvents(store)).filter(({ type }) => type === 'file_edit');
    expect(edits.map(({ data }) => 'new_content' in data && data.new_content)).toEqual([
      'a\nd\n',
      'a\n\nd\n',
    ]);
  });

  it('are not claimed for an edit that failed', async () => {
    const log = new ClaudeLog('failed').user('go');
    log.call('toolu_1', 'Write', { file_path: '/w/a', content: 'new' });
    log.result(
      'toolu_1',
      'Error: File has not been read yet.',
      'File has not been read yet.',
      true,
    );
    const store = await openMemory();
    await store.importTranscript(await put(await newFolder(), 'a.jsonl', log.toString()));
    const edit = (await onlyEvents(store)).find(({ type }) => type === 'file_edit');
    expect(edit?.data).toMatchObject({
      success: false,
      error_message: 'Error: File has not been read yet.',
    });
    expect(edit?.data).not.toHaveProperty('new_content');
  });
});
