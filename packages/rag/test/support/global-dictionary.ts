import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDictionary } from '../../src/dictionary/open-dictionary.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the compiled dictionary lies. */
    dictionaryFolder: string;
  }
}

/** Compiles the dictionary once for all test files, and again when what compiles it changes. */
export async function setup(project: TestProject): Promise<void> {
  const cacheFolder = join(tmpdir(), `vizprompt-dictionary-${await hashOfCompiler()}`);
  await openDictionary({ cacheFolder });
  project.provide('dictionaryFolder', cacheFolder);
}

async function hashOfCompiler(): Promise<string> {
  const folder = join(import.meta.dirname, '../../src/dictionary');
  const hash = createHash('sha256');
  for (const file of (await readdir(folder)).toSorted()) {
    hash.update(file).update(await readFile(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}
