// The README of a package says what each code of its errors means, and names no other.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../../../packages', import.meta.url));

/** Where the codes of each package are declared. */
const SOURCES = {
  memory: ['errors.ts'],
  providers: [
    'models/llm-error.ts',
    'config/json-text.ts',
    'peer.ts',
    'storage/storage-error.ts',
    'trust/trust-file.ts',
    'vector/vector-error.ts',
  ],
  rag: ['errors.ts'],
  talktable: ['errors.ts'],
  'vizprompt-core': ['errors.ts', 'bridge/chat-error.ts'],
  workflow: ['errors.ts'],
};

/** Returns the members of a type `…ErrorCode`, or the one code of a class of errors. */
async function declaredIn(file: string): Promise<readonly string[]> {
  const source = await readFile(file, 'utf8');
  const types = /ErrorCode =((?:\s+\|? ?'[^']+')+);|CodedError<('[^']+')>/.exec(source) ?? [];
  return Array.from((types[1] ?? types[2] ?? '').matchAll(/'([^']+)'/g), ([, code = '']) => code);
}

/** Reads the first column of the tables whose heading there is `code`. */
async function namedIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8');
  return Array.from(text.matchAll(/^\| code +\|.*\n((?:\|.*\n)+)/gm), ([, rows = '']) => rows)
    .flatMap((rows) => rows.split('\n').map((row) => row.split('|')[1] ?? ''))
    .flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code));
}

it.each(Object.entries(SOURCES))(
  'the codes of errors are in the README of %s',
  async (name, files) => {
    const folder = join(packages, name);
    const declared = await Promise.all(files.map((file) => declaredIn(join(folder, 'src', file))));
    expect(declared.every((codes) => codes.length > 0)).toBe(true);
    const named = await namedIn(join(folder, 'README.md'));
    expect(named.toSorted()).toEqual(declared.flat().toSorted());
  },
);
