import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../src/diff/unified-diff.ts';
import { randomRuns, temporaryFolder } from '../support/open-store.ts';

interface Change {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly path?: string;
}

const CHANGES: Readonly<Record<string, Change>> = {
  'keeps tabs': { before: 'a\n\tb\n\t\tc\n', after: 'a\n\tb\n\t\tC\n\td\n' },
  'no line feed at the end of either': { before: 'a\nb', after: 'a\nc' },
  'a line feed added at the end': { before: 'a\nb', after: 'a\nb\n' },
  'a line feed taken from the end': { before: 'a\nb\n', after: 'a\nb' },
  'carriage returns': { before: 'a\r\nb\r\nc\r\n', after: 'a\r\nB\r\nc\r\n' },
  'carriage returns become line feeds': { before: 'a\r\nb\r\n', after: 'a\nb\n' },
  'a lone carriage return in a line': { before: 'a\rb\nc\n', after: 'a\rx\nc\n' },
  'a new file': { before: undefined, after: 'a\nb\n' },
  'a new file without a line feed at its end': { before: undefined, after: '新しい' },
  'a new empty file': { before: undefined, after: '' },
  'a deleted file': { before: 'a\nb\n', after: undefined },
  'a deleted empty file': { before: '', after: undefined },
  'a file that becomes empty': { before: 'a\nb\n', after: '' },
  'an empty file that is filled': { before: '', after: 'a\n' },
  'a new file in a folder': { before: undefined, after: 'x\n', path: 'src/deep/a b.ts' },
  'a name with spaces': { before: 'a\n', after: 'b\n', path: 'my file.txt' },
  'a Japanese name': { before: 'あ\n', after: 'い\n', path: '設定/認証 メモ.md' },
  'a name with quotes': { before: 'a\n', after: 'b\n', path: 'the "best".txt' },
  'changes far apart': {
    before: Array.from({ length: 60 }, (_, line) => `${line}\n`).join(''),
    after: Array.from({ length: 60 }, (_, line) => (line % 25 === 3 ? 'x\n' : `${line}\n`)).join(
      '',
    ),
  },
  'lines that look like a diff': {
    before: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n',
    after: '--- a/y\n+++ b/x\n@@ -1 +1 @@\n\\ No newline at end of file\n',
  },
  'separators of Unicode': { before: 'a\u2028b\u0085c\n', after: 'a\u2028B\u0085c\n\f\v\n' },
  'a text that is wholly another': {
    before: Array.from({ length: 5000 }, (_, line) => `old ${line}\n`).join(''),
    after: Array.from({ length: 5000 }, (_, line) => `new ${line}\n`).join(''),
  },
};

/** Applies a change with the real program; what the file holds then. */
async function applied(program: 'git' | 'patch', change: Change): Promise<string | undefined> {
  const { before, after, path = 'file.txt' } = change;
  const folder = await temporaryFolder();
  return applyIn(folder, program, unifiedDiff({ path, before, after }), path, before);
}

function applyIn(
  folder: string,
  program: 'git' | 'patch',
  diff: string,
  path: string,
  before: string | undefined,
): string | undefined {
  const file = join(folder, path);
  if (before !== undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);
  }
  const args =
    program === 'git'
      ? ['apply', '--whitespace=nowarn', '-']
      : ['-p1', '--binary', '--force', '--fuzz=0', '--no-backup-if-mismatch'];
  if (diff === '') return before;
  const { status, stderr, stdout } = spawnSync(program, args, { cwd: folder, input: diff });
  if (status !== 0) throw new Error(`${program}: ${String(stderr)}${String(stdout)}\n${diff}`);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

for (const program of ['git', 'patch'] as const) {
  describe(`diffs that ${program} applies`, () => {
    it.each(Object.keys(CHANGES))('%s', async (name) => {
      const change = CHANGES[name];
      if (!change) throw new Error(name);
      expect(await applied(program, change)).toBe(change.after);
    });
  });
}

it('makes diffs of any two texts that git turns one into the other by', async () => {
  expect(execFileSync('git', ['--version']).toString()).toContain('git');
  const folder = await temporaryFolder();
  const line = fc.constantFrom('', 'a', '\tb', 'c ', 'あ', '-- x', '++ y', '\\ z', 'd\r', '🐈');
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
    .map(([lines, isEnded]) => lines.join('\n') + (isEnded ? '\n' : ''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      rmSync(join(folder, 'f'), { force: true });
      const diff = unifiedDiff({ path: 'f', before, after });
      expect(applyIn(folder, 'git', diff, 'f', before)).toBe(after);
    }),
    { numRuns: randomRuns(40) },
  );
});
