import { linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { indexPlace } from '../../../src/indexing/index-place.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rag-index-place-'));
  mkdirSync(join(folder, 'project'));
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(folder, 'outside', 'file'), 'precious');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the place of an index', () => {
  it('is in the project', () => {
    const root = join(folder, 'project');
    expect(indexPlace({ root })).toBe(join(root, '.vizprompt', 'rag'));
  });

  const own = (): string => join(folder, 'project', '.vizprompt');
  it.each<[string, () => void]>([
    ['a link to a folder', () => symlinkSync(join(folder, 'outside'), own())],
    ['a file', () => writeFileSync(own(), '')],
    [
      'a folder with a link',
      () => {
        mkdirSync(own());
        symlinkSync(join(folder, 'outside'), join(own(), 'rag'));
      },
    ],
    [
      'a folder with a hard link',
      () => {
        mkdirSync(join(own(), 'rag'), { recursive: true });
        linkSync(join(folder, 'outside', 'file'), join(own(), 'rag', 'manifest.json'));
      },
    ],
  ])('is refused where .vizprompt is %s', (_, place) => {
    place();
    expect(() => indexPlace({ root: join(folder, 'project') })).toThrow(
      /Remove it, or name another/,
    );
    expect(readdirSync(join(folder, 'outside'))).toEqual(['file']);
  });
});
