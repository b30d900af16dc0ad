import { join } from 'node:path';
import { RagError } from '../errors.ts';
import { defaultCacheFolder } from './cache-folder.ts';
import type { DictionaryOptions } from './dictionary-options.ts';
import { Dictionary } from './dictionary.ts';
import { DICTIONARY_FORM, readDictionary, type TableBytes } from './dictionary-file.ts';
import { findSource, hashSource } from './source.ts';

/** A dictionary that is open, and where it lies. */
export interface OpenDictionary {
  readonly dictionary: Dictionary;
  readonly path: string;
}

/**
 * Opens the compiled dictionary. If it is missing, torn or of an older format, it is compiled first,
 * in another process, which takes seconds; several processes may do so at once.
 *
 * @throws RagError with the code `dictionary-failed` if it cannot be compiled or written.
 */
export async function openDictionary(options: DictionaryOptions = {}): Promise<OpenDictionary> {
  const path = options.dictionary ?? dictionaryPath(options.cacheFolder);
  const tables = readDictionary(path) ?? (await compile(path, options));
  return { dictionary: new Dictionary(tables), path };
}

function dictionaryPath(folder = defaultCacheFolder()): string {
  return join(folder, `ipadic-${hashSource(findSource())}-v${DICTIONARY_FORM.version}.bin`);
}

async function compile(
  path: string,
  { onProgress = () => {}, signal }: DictionaryOptions,
): Promise<TableBytes> {
  // What compiles is not needed again, and takes memory.
  const { compileElsewhere } = await import('./compile-elsewhere.ts');
  await compileElsewhere({ source: findSource(), path }, onProgress, signal);
  const tables = readDictionary(path);
  if (tables) return tables;
  throw new RagError('dictionary-failed', `the dictionary ${path} was compiled, but is torn`, {
    context: { path },
  });
}
