import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readFileParts } from '../../../src/capture/import/read-file.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, put } from '../../support/capture/open-memory.ts';

describe('a log that is read in parts', () => {
  it('is cut where its short lines change a long text', async () => {
    const content = `first\n${'長い text\n'.repeat(40_000)}`;
    const input = { file_path: '/w/a.md', content };
    const log = new ClaudeLog('long text').call('toolu_w', 'Write', input);
    log.result('toolu_w', { type: 'create', filePath: '/w/a.md', content });
    let [first = ''] = content.split('\n');
    for (let turn = 0; turn < 20; turn++) {
      const change = { old_string: first, new_string: `turn ${turn}` };
      log.call(`toolu_${turn}`, 'Edit', { file_path: '/w/a.md', ...change });
      const { old_string: oldString, new_string: newString } = change;
      log.result(`toolu_${turn}`, { filePath: '/w/a.md', oldString, newString });
      first = newString;
    }
    const path = await put(await newFolder(), 'a.jsonl', log.toString());
    const { size: bytes, mtimeMs: modifiedMs } = await stat(path);

    const sizes: number[] = [];
    let edits = 0;
    for await (const { drafts } of readFileParts({ path, bytes, modifiedMs }, { closed: true })) {
      const made = drafts.flatMap(({ data }) =>
        'new_content' in data ? [data.new_content ?? ''] : [],
      );
      sizes.push(made.reduce((sum, text) => sum + text.length, 0));
      edits += drafts.filter(({ type }) => type === 'file_edit').length;
    }

    expect(edits).toBe(21);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(20 * content.length);
    // The most that is held at once: two million characters, and the event that goes beyond them.
    expect(Math.max(...sizes)).toBeLessThan((1 << 21) + 3 * content.length);
  });
});
