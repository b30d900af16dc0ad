import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { OWN_FILES, READERS } from '../support/border/readers.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** Functions that read or open what is at a path. */
const READS =
  /^(?:readFile|readFileSync|createReadStream|open|openSync|opendir|opendirSync|readdir|readdirSync|copyFile|copyFileSync|cp|cpSync|readPlainFile|usePlainFile|readNamedFile|streamPlainFile|readPrivateFile|openPromise|sqliteDatabase|openStorage|localFileStore|readOnlyFileStore|openSqlite|openReadOnly|loadSqlite)$/;

/** Returns the source files that read, as `package/file.ts`. */
function readingFiles(): string[] {
  return ['cli', 'memory', 'providers', 'rag', 'talktable', 'vizprompt-core', 'workflow'].flatMap(
    (name) => {
      const folder = join(ROOT, 'packages', name, 'src');
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !path.startsWith('testing'))
        .filter((path) => isReading(readFileSync(join(folder, path), 'utf8')))
        .map((path) => `${name}/${basename(path)}`);
    },
  );
}

/** By what it imports; a type, or a name that it passes on, reads nothing. */
function isReading(source: string): boolean {
  const imports = source.matchAll(
    /(?:^import|\bconst)\s*\{([^}]*)\}\s*(?:from|= (?:exportsOf\()?await import\()/gm,
  );
  const names = [...imports].flatMap(([, list = '']) => list.split(','));
  return names.some((name) => {
    const [, given = '', own] = /^\s*(\w+)(?:\s*(?:as|:)\s*(\w+))?\s*$/.exec(name) ?? [];
    return READS.test(given) && new RegExp(`\\b${own ?? given}\\b[(<)]`).test(source);
  });
}

/** Returns the first cells of the table of what files may cause. */
function rows(): string[] {
  const text = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');
  const [, table = ''] = /### Rights to cause\n([\s\S]*?)\n\n[^|]*\n\n(?=[^|])/.exec(text) ?? [];
  return [...table.matchAll(/^\| ([^|]+?) +\|/gm)]
    .map(([, cell = '']) => cell)
    .filter((cell) => cell !== 'file' && !/^-+$/.test(cell));
}

describe('the table of files that a folder may bring', () => {
  it('knows every source file that reads files', () => {
    const known = [...Object.keys(READERS), ...Object.keys(OWN_FILES)];
    // One that is new belongs to a row of docs/security.md, or is none that a folder brings.
    expect([...new Set(readingFiles())].toSorted()).toEqual(known.toSorted());
  });

  it('has a row for each file that they read, and no other', () => {
    expect(rows().length).toBeGreaterThan(15);
    expect(rows().toSorted()).toEqual([...new Set(Object.values(READERS).flat())].toSorted());
  });
});
