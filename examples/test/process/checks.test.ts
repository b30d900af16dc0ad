// The checks of Markdown find what they are there for.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url));
const FENCE = '```';

/** Returns a repository with these files. */
async function repository(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  const all = { 'docs/ja/snippets.json': '{}', ...files };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await run('git', ['init', '-q'], { cwd: folder });
  return folder;
}

/** Returns the problems that a check finds. */
async function problemsOf(cwd: string, script: string, ...args: string[]): Promise<string[]> {
  const program = join(scripts, script);
  return run(process.execPath, [program, ...args], { cwd }).then(
    () => [],
    (error: unknown) => (error as { readonly stderr: string }).stderr.trim().split('\n'),
  );
}

describe('the check of links', () => {
  it('finds what is not there: files, headings, tests, addresses', async () => {
    const page = [
      '# A page',
      '## 日本語の見出し, with `code` and a [link](b.md)',
      '## Twice\n## Twice',
      '[a](#a-page) [b](#日本語の見出し-with-code-and-a-link) [c](#twice-1) [d](b.md#there)',
      '[e](folder) [f](folder#readme) [g](folder#inside) [h](b.md "title") ![i](<b.md>)',
      '[bad](nothing.md)',
      '[bad](b.md#not-there)',
      '[bad](empty#inside)',
      '[bad](../../outside.md)',
      '[bad](https://)',
      '[reference]: nowhere.md',
      '<a href="no.html">x</a>',
      '`some/test/gone.test.ts`',
      '`[code](is-no-link.md)`',
      `${FENCE}md\n[neither](is-this.md)\n# nor this\n${FENCE}`,
      '[bad](#nor-this)',
    ].join('\n');
    const cwd = await repository({
      'a.md': page,
      'b.md': '# There\n',
      'folder/README.md': '# Inside\n',
      'empty/x.txt': '',
      'ノート/家.md': '[bad](猫.md) [a](../b.md)\n',
    });
    expect(await problemsOf(cwd, 'check-links.mjs')).toEqual([
      'a.md:7: nothing.md is not there',
      "a.md:8: b.md#not-there has no heading '#not-there'",
      "a.md:9: empty#inside has no README.md for '#inside'",
      'a.md:10: ../../outside.md leads out of the repository',
      'a.md:11: https:// is no address',
      "a.md:20: #nor-this has no heading '#nor-this'",
      'a.md:12: nowhere.md is not there',
      'a.md:13: no.html is not there',
      'ノート/家.md:1: 猫.md is not there',
      'a.md:14: there is no test some/test/gone.test.ts',
    ]);
    await writeFile(join(cwd, 'a.md'), '[a](b.md#there)\n');
    await writeFile(join(cwd, 'ノート/家.md'), '[a](../b.md)\n');
    expect(await problemsOf(cwd, 'check-links.mjs')).toEqual([]);
  });
});

describe('the check of snippets', () => {
  const block = (mark: string, code: string, language = 'ts'): string =>
    `${mark === '' ? '' : `<!-- ${mark} -->\n\n`}${FENCE}${language}\n${code}\n${FENCE}\n`;

  it('finds code without a mark, and code that differs; and writes it', async () => {
    const cwd = await repository({
      'a.ts': 'const x = 1;\n  // #region two\n  const y = 2;\n\n    f(y);\n  // #endregion two\n',
      'b.yaml': 'a: 1\n# #region b\nb: 2\n# #endregion b\nc: 3\n',
      'page.md': [
        block('', 'unmarked();'),
        block('snippet: a.ts#two', 'const y = 3;'),
        block('snippet: b.yaml#b', 'b: 2', 'yaml'),
        block('in: b.yaml', 'b: 2\n# #endregion b', 'yaml'),
        block('in: b.yaml', 'b: 4', 'yaml'),
        block('not run: an outline', '{ … }', 'json'),
        block('not run: ', '{ … }', 'json'),
        block('', 'anything goes', 'text'),
        block('', 'ls', 'sh'),
      ].join('\n'),
    });
    const problems = await problemsOf(cwd, 'sync-snippets.mjs');
    expect(problems.map((problem) => problem.split(': ').slice(0, 2).join(': '))).toEqual([
      'page.md:1: a block of ts has no mark',
      'page.md:7: differs from a.ts#two',
      'page.md:26: these lines do not stand in b.yaml',
      'page.md:38: why is it not run?',
    ]);
    await problemsOf(cwd, 'sync-snippets.mjs', '--write');
    expect(await readFile(join(cwd, 'page.md'), 'utf8')).toContain(
      `${FENCE}ts\nconst y = 2;\n\n  f(y);\n${FENCE}`,
    );
    expect(await problemsOf(cwd, 'sync-snippets.mjs')).toHaveLength(3);
  });

  it('fails for a region or a file that is not there', async () => {
    const cwd = await repository({
      'a.ts': '',
      'page.md': block('snippet: a.ts#gone', 'x'),
    });
    const [, ...problems] = await problemsOf(cwd, 'sync-snippets.mjs');
    expect(problems.join('\n')).toContain("page.md:3: a.ts has no region 'gone'");
  });
});

describe('the check of options', () => {
  const source = [
    'export interface Options extends Omit<Base, "a" | "b">, Other {',
    '  /** The file. Default: `~/.猫/a.db`. Not together with {@link Other}. */',
    '  readonly path?: string | undefined;',
    '  /** How long to wait, in milliseconds.',
    '   * Default: 10,000.',
    '   *',
    '   * @example',
    '   * ```ts',
    '   * wait({ waitMs: 1 });',
    '   * ```',
    '   */',
    '  readonly waitMs?: number;',
    "  readonly mode: 'a' | 'b';",
    '  /** What is shown. */',
    '  readonly context?: {',
    '    /** At most. Default: 40. */',
    '    readonly turns?: number;',
    '  };',
    '  done(): void;',
    '}',
  ].join('\n');
  const page = '# 表\n\n<!-- options: a.ts#Options -->\n\nBehind it.\n';

  it('finds tables that differ from their types, and writes them', async () => {
    const cwd = await repository({ 'a.ts': source, 'page.md': page });
    expect((await problemsOf(cwd, 'sync-options.mjs')).join()).toContain('page.md: a table of');
    expect(await problemsOf(cwd, 'sync-options.mjs', '--write')).toEqual([]);
    expect(await problemsOf(cwd, 'sync-options.mjs')).toEqual([]);
    const written = await readFile(join(cwd, 'page.md'), 'utf8');
    expect(
      written.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '-').split('\n').slice(4, -3),
    ).toEqual([
      '| `Options` | type | default | what |',
      '| - | - | - | - |',
      '| `path` | `string` | `~/.猫/a.db` | The file. Not together with `Other`. |',
      '| `waitMs` | `number` | 10,000 | How long to wait, in milliseconds. |',
      "| `mode` | `'a' \\| 'b'` | needed | |",
      '| `context` | object | | What is shown. |',
      '| `context.turns` | `number` | 40 | At most. |',
      '| `done` | function | needed | |',
      '| all of `Base` but `a`, `b` | | | |',
      '| all of `Other` | | | |',
    ]);
    expect(written).toMatch(/\|\n\nBehind it\.\n$/);
    await writeFile(join(cwd, 'a.ts'), source.replace('10,000', '20,000'));
    expect(await problemsOf(cwd, 'sync-options.mjs')).toHaveLength(1);
  });

  it('fails for a type that is not there', async () => {
    const cwd = await repository({ 'a.ts': '', 'page.md': page });
    const problems = await problemsOf(cwd, 'sync-options.mjs');
    expect(problems.join('\n')).toContain('a.ts has no interface Options');
  });
});
