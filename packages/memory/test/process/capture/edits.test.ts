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

/** A real repository, in which each edit is made and committed as in the log. */
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
      for (let step = 0; step < 12; step++) {
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
});
