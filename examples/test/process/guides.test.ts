import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseTalkConfig } from '@vizprompt/talktable/config';
import { describe, expect, it, onTestFinished } from 'vitest';
import { outputOf } from '../support/program.ts';
import { printedPattern, readGuide, type GuideStep } from '../support/guide-steps.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../', import.meta.url));
const guides = join(repository, 'docs/guides');

/** A home of its own, in which the command lines are on the `PATH`. */
class Reader {
  readonly folder: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(folder: string, language: string) {
    this.folder = join(folder, 'work');
    const { PATH = '', XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
    this.#env = {
      PATH: `${join(folder, 'bin')}${delimiter}${PATH}`,
      HOME: folder,
      LANG: language,
      XDG_CACHE_HOME, // a dictionary takes long to compile
      OPENAI_API_KEY: 'none',
    };
  }

  static async make(language: string): Promise<Reader> {
    const folder = await mkdtemp(join(tmpdir(), 'vizprompt-guide-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'bin'));
    await mkdir(join(folder, 'work'));
    for (const tool of ['vizprompt', 'dialogoi', 'ptta', 'talktable']) {
      const file = join(repository, 'packages/cli/dist/bin', `${tool}.cjs`);
      const script = join(folder, 'bin', tool);
      await writeFile(script, `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`);
      await chmod(script, 0o755);
    }
    return new Reader(folder, language);
  }

  /** Does a step, and gives what was printed. */
  async do(step: GuideStep): Promise<string> {
    if (step.type === 'file') {
      await mkdir(dirname(join(this.folder, step.name)), { recursive: true });
      await writeFile(join(this.folder, step.name), step.text);
      return '';
    }
    if (step.type === 'program') {
      return outputOf(this.folder, step.file.replace(/^examples\//, ''), [], this.#env);
    }
    const args = ['-c', `exec 2>&1; ${step.words}`];
    // A command may fail, as the guide shows it to do.
    const { stdout } = await run('bash', args, { cwd: this.folder, env: this.#env }).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    return stdout;
  }
}

/** Returns the packages to install for an import: the package, and that of the provider after an entry. */
function packagesOf(name: string): readonly string[] {
  const [scope = '', base = '', entry = ''] = name.split('/');
  const own = name.startsWith('@') ? `${scope}/${base}` : scope;
  return ['openai', 'ollama'].includes(entry) ? [own, entry] : [own];
}

const pages = (await readdir(guides, { recursive: true }))
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.md'))
  .toSorted();
const texts = new Map<string, string>();
for (const page of pages) texts.set(page, await readFile(join(guides, page), 'utf8'));

describe('what the guides show is what happens', () => {
  const walks = [...texts]
    .map(([page, text]) => ({ page, steps: readGuide(text) }))
    .filter(({ steps }) => steps.length > 0);
  it.each(walks)('$page', async ({ page, steps }) => {
    const reader = await Reader.make(page.startsWith('ja/') ? 'ja_JP.UTF-8' : 'C.UTF-8');
    for (const step of steps) {
      const printed = await reader.do(step);
      if (step.type === 'file' || step.printed === undefined) continue;
      expect(printed).toMatch(printedPattern(step.printed));
    }
  });
});

describe('the guides', () => {
  it('show a config of a talk that talktable takes', async () => {
    const steps = readGuide(texts.get('talks.md') ?? '');
    const file = steps.find((step) => step.type === 'file');
    const { participants } = await parseTalkConfig(file?.text ?? '');
    expect(participants).toHaveLength(2);
  });

  it('show every program that is written for them', async () => {
    const folder = 'examples/snippets/guides';
    const programs = await readdir(join(repository, folder));
    const shown = [...texts.values()].join('\n');
    expect(programs.filter((name) => !shown.includes(`${folder}/${name}#`))).toEqual([]);
  });

  it('name every package that their programs import', () => {
    const missing = [...texts].flatMap(([page, text]) => {
      const installs = [...text.matchAll(/npm install ([^`\n]+)/g)];
      const named = installs.flatMap(([, names = '']) => names.split(/\s+/)).map(withoutVersion);
      return [...text.matchAll(/^import .* from '([^.'][^']*)';$/gm)]
        .map(([, name = '']) => name)
        .filter(
          (name) =>
            !name.startsWith('node:') && !packagesOf(name).every((one) => named.includes(one)),
        )
        .map((name) => `${page}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('are read in one go: none has more than 180 lines with something on them', () => {
    const long = [...texts].filter(([, text]) => text.split('\n').filter(Boolean).length > 180);
    expect(long.map(([page]) => page)).toEqual([]);
  });

  it('have a first page in Japanese each, and are in both indexes', () => {
    for (const page of pages.filter((name) => !name.includes('/') && name !== 'README.md')) {
      expect(pages).toContain(`ja/${page}`);
      expect(texts.get('README.md')).toContain(`(${page})`);
      expect(texts.get('ja/README.md')).toContain(`(${page})`);
    }
  });
});

/** `undici@7` is `undici`. */
function withoutVersion(name: string): string {
  return name.replace(/(?<=.)@[^/]*$/, '');
}
