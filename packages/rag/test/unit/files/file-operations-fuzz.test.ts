import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { RagError } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/search-index.ts';
import { FileOperationsService } from '../../../src/files/file-operations-service.ts';

const SECRET = 'これは外にある秘密';

/** Everything outside of the areas, by its path. */
function outsideOf(folder: string): readonly string[] {
  return below(folder)
    .filter((path) => !/novels\/(?:灯台|島)\/(?:settings|contents)(?:\/|$)/.test(path))
    .toSorted();
}

/** Everything below a folder. `readdirSync` would follow links, as Node 22 does with `recursive`. */
function below(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...below(path)] : [path];
  });
}

const IN_AREA = /^(?:灯台|島)\/(?:settings|contents)\//;

/** Returns the harm that a call did, with any path. */
async function harmOf(
  files: FileOperationsService,
  path: string,
  kind: string,
): Promise<string | undefined> {
  try {
    if (kind === 'read') {
      return (await files.readFile(path)).includes(SECRET) ? `read ${path}` : undefined;
    }
    if (kind === 'list') {
      const listed = await files.listFiles(path);
      return listed.find((file) => !IN_AREA.test(file.path))?.path;
    }
    const written = await files.writeFile(path, 'written', { overwrite: kind === 'overwrite' });
    const isThere = readFileSync(join(files.root, written.path), 'utf8') === 'written';
    const isRight = IN_AREA.test(written.path) && /\.(?:md|txt)$/i.test(written.path);
    return isThere && isRight ? undefined : `wrote ${path} as ${written.path}`;
  } catch (error) {
    return RagError.isInstance(error) ? undefined : String(error);
  }
}

it('nothing outside of the areas is read or written, whatever the path', async () => {
  const folder = temporaryFolder();
  const root = join(folder, 'novels');
  for (const name of ['novels/灯台/settings/人物', 'novels/島', 'outside/settings']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const secrets = [
    'outside/a.md',
    'outside/settings/a.md',
    'novels/a.md',
    'novels/灯台/a.md',
    'a.md',
  ];
  for (const name of secrets) writeFileSync(join(folder, name), SECRET);
  writeFileSync(join(folder, 'novels/灯台/settings/a.md'), 'inside');
  symlinkSync(join(folder, 'outside'), join(root, '灯台/settings/out'));
  symlinkSync(join(folder, 'outside/a.md'), join(root, '灯台/settings/out.md'));
  symlinkSync('../../..', join(root, '灯台/settings/up'));
  symlinkSync('.', join(root, '灯台/settings/here'));
  symlinkSync(join(folder, 'outside'), join(root, '外'));
  const files = await FileOperationsService.open({ root });
  const before = outsideOf(folder);

  const segment = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        '灯台',
        '島',
        '外',
        'settings',
        'contents',
        '人物',
        'out',
        'up',
        'here',
        'out.md',
        'a.md',
        'b.txt',
        '..',
        '.',
        '',
        'novels',
        'outside',
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'CON',
        'nul.txt',
        'a.md.',
        'a.md ',
        'a:b.md',
        'C:',
        '..\\..',
        'a\u0000.md',
        '%2e%2e',
        '．．',
        '‥',
        'ガ.md'.normalize('NFD'),
        'ガ.md'.normalize('NFC'),
        '\ud800.md',
        '~',
        '.git',
        '..;',
        '...',
        'A.MD',
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
  );
  const separator = fc.constantFrom('/', '/', '/', '/', '\\', '//', '\u2215', '\uff0f');
  const path = fc
    .array(fc.tuple(segment, separator), { minLength: 1, maxLength: 7 })
    .map((parts) =>
      parts.map(([name, mark], at) => (at < parts.length - 1 ? name + mark : name)).join(''),
    );
  const absolute = path.map((relative) => `${root}/${relative}`);
  const likely = path.map((relative) => `灯台/settings/${relative}`);

  await fc.assert(
    fc.asyncProperty(
      fc.oneof(path, absolute, { weight: 3, arbitrary: likely }),
      fc.constantFrom('read', 'write', 'overwrite', 'list'),
      async (target, kind) => {
        expect(await harmOf(files, target, kind)).toBe(undefined);
      },
    ),
    { numRuns: runs(300) },
  );
  expect(outsideOf(folder)).toEqual(before);
  for (const name of secrets) expect(readFileSync(join(folder, name), 'utf8')).toBe(SECRET);
});
