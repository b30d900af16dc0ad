import { join } from 'node:path';
import { RagError } from '../errors.ts';
import { defaultCacheFolder } from './cache-folder.ts';
import { compileElsewhere } from './compile-elsewhere.ts';
import type { DictionaryOptions } from './dictionary-options.ts';
import { Dictionary } from './dictionary.ts';
import { FORMAT } from './format.ts';
import { readSections } from './section-file.ts';
import { findSource, hashSource } from './source.ts';

/** A dictionary that is open, and where it lies. */
export interface OpenDictionary {
  readonly dictionary: Dictionary;
  readonly path: string;
  /** Tells its source from others. */
  readonly hash: string;
}

/**
 * Opens the compiled dictionary. If it is missing, torn or of an older format, it is compiled first,
 * in another process, which takes seconds; several processes may do so at once.
 *
 * @throws RagError with the code `dictionary-failed` if it cannot be compiled or written.
 */
export async function openDictionary(options: DictionaryOptions = {}): Promise<OpenDictionary> {
  const { signal, onProgress = () => {} } = options;
  const source = findSource();
  const hash = hashSource(source);
  const path = options.dictionary ?? dictionaryPath(hash, options.cacheFolder);
  let sections = readSections(path, FORMAT);
  if (!sections) {
    await compileElsewhere({ source, path }, onProgress, signal);
    sections = readSections(path, FORMAT);
  }
  if (!sections) {
    throw new RagError('dictionary-failed', `the dictionary ${path} was compiled, but is torn`, {
      context: { path },
    });
  }
  return { dictionary: new Dictionary(sections), path, hash };
}

function dictionaryPath(hash: string, folder = defaultCacheFolder()): string {
  return join(folder, `ipadic-${hash}-v${FORMAT}.bin`);
}
