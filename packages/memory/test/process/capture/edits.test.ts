import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';
import { Random } from '../../support/capture/random.ts';

const LINES = [
  '\tif (a) {',
  'const 税率 = 0.1;',
  '  return x;\r',
  '',
  '// 🛒 $& $1',
  'done();',
  '\t\t}',
];

/** A real repository, in which each edit is made and committed as the log tells it. */
class Repository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    this.git('init', '-q');
    this.git('config', 'core.autocrlf', 'false');
  }

  git(...words: string[]): string {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
    return execFileSync('git', [...identity, ...words], { cwd: this.folder, encoding: 'utf8' });
  }

  commit(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text);
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'step');
    return this.git('rev-parse', 'HEAD').trim();
  }
}

describe('the texts of edits', () => {
  for (const [version, hasOriginal] of [
    ['that tell the text before', true],
    ['that do not, and are replayed', false],
  ] as const) {
    it(`are those of the real files, in logs ${version}`, async () => {
      const random = new Random(hasOriginal ? 1 : 2);
      const repository = new Repository(await newFolder());
      const log = new ClaudeLog(`git ${version}`, repository.folder).user('go');
      const name = 'src.ts';
      const path = join(repository.folder, name);
      const revisions: string[] = [];
      let text = '';
      for (let step = 0; step < 25; step++) {
        const before = text;
        const id = `toolu_${step}`;
        const original = hasOriginal ? { originalFile: before } : {};
        if (step === 0 || random.below(8) === 0) {
          const body = Array.from({ length: 12 }, () => random.pick(LINES)).join('\n');
          text = random.below(2) === 0 ? body : `${body}\n`;
          log.call(id, 'Write', { file_path: path, content: text });
          const type = step === 0 ? 'create' : 'update';
          log.result(id, { type, filePath: path, content: text, structuredPatch: [], ...original });
        } else {
          const edits = Array.from({ length: 1 + random.below(3) }, () => {
            const lines = text.split('\n');
            const at = random.below(lines.length);
            const old_string = lines.slice(at, at + 1 + random.below(2)).join('\n') || 'absent';
            const new_string = random.pick([`${old_string}!`, 'new\n\tlines $`', 'x']);
            const replace_all = random.below(2) === 0;
            const next = replace_all
              ? text.split(old_string).join(new_string)
              : text.replace(old_string, () => new_string);
            const isThere = text.includes(old_string);
            if (isThere) text = next;
            return isThere ? { old_string, new_string, replace_all } : undefined;
          }).filter((edit) => edit !== undefined);
          const [only] = edits;
          if (!only) continue;
          if (edits.length > 1) {
            log.call(id, 'MultiEdit', { file_path: path, edits });
            log.result(id, {
              filePath: path,
              edits,
              ...(hasOriginal ? { originalFileContents: before } : {}),
            });
          } else {
            log.call(id, 'Edit', { file_path: path, ...only });
            log.result(id, {
              filePath: path,
              oldString: only.old_string,
              newString: only.new_string,
              replaceAll: only.replace_all,
              ...original,
            });
          }
        }
        revisions.push(repository.commit(name, text));
      }
      const store = await openMemory();
      const report = await store.importTranscript(
        await put(await newFolder(), 'a.jsonl', log.toString()),
      );
      expect(report).toMatchObject({ unknownTexts: 0, refused: [] });
      const events = await onlyEvents(store);
      const edits = events.filter(({ type }) => type === 'file_edit');
      expect(edits).toHaveLength(revisions.length);
      const scratch = new Repository(await newFolder());
      for (const [index, { data }] of edits.entries()) {
        if (!('diff' in data)) throw new Error('no edit');
        expect(data.new_content).toBe(repository.git('show', `${revisions[index]}:${name}`));
        // The diff takes the real file from one revision to the next.
        if (data.diff === '') continue;
        execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
          cwd: scratch.folder,
          input: data.diff,
        });
        expect(readFileSync(join(scratch.folder, name), 'utf8')).toBe(data.new_content);
      }
    });
  }

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

  it('come from what was read before, where the result does not tell them', async () => {
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
