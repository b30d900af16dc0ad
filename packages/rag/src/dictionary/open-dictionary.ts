import { join } from 'node:path';
import { RagError } from '../errors.ts';
import { Dictionary } from './dictionary.ts';
import {
  cannotRead,
  defaultCacheFolder,
  DICTIONARY_FORM,
  DICTIONARY_VARIABLE,
  type DictionaryOptions,
  isForeignFile,
  readDictionary,
  type TableBytes,
} from './dictionary-file.ts';
import { findSource, hashSource } from './source.ts';

/** A dictionary that is open, and where it lies. */
export interface OpenDictionary {
  readonly dictionary: Dictionary;
  readonly path: string;
}

/**
 * Opens the compiled dictionary. If it is missing, corrupt or of an older format, it is compiled first,
 * in another process, which takes seconds; several processes may do so at once.
 *
 * @throws RagError with the code `dictionary-failed` if it cannot be read, compiled or written,
 * or if another file is at the place that was named.
 */
export async function openDictionary(options: DictionaryOptions = {}): Promise<OpenDictionary> {
  const named = options.dictionary ?? fromEnvironment(options);
  const path = named ?? dictionaryPath(options.cacheFolder);
  if (named !== undefined && isForeignFile(path)) {
    throw new RagError(
      'dictionary-failed',
      `${path} is there and is no dictionary: name another file, or delete it`,
      { context: { path } },
    );
  }
  const tables = read(path, options) ?? (await compile(path, options));
  return { dictionary: new Dictionary(tables), path };
}

function fromEnvironment({ cacheFolder }: DictionaryOptions): string | undefined {
  return cacheFolder === undefined ? process.env[DICTIONARY_VARIABLE] || undefined : undefined;
}

function dictionaryPath(folder = defaultCacheFolder()): string {
  return join(folder, `ipadic-${hashSource(findSource())}-v${DICTIONARY_FORM.version}.bin`);
}

function read(path: string, options: DictionaryOptions): TableBytes | undefined {
  try {
    return readDictionary(path);
  } catch (cause) {
    throw cannotRead(path, cause, options);
  }
}

async function compile(path: string, options: DictionaryOptions): Promise<TableBytes> {
  // The compiler is not needed again, and takes memory.
  const { compileElsewhere } = await import('./compile-elsewhere.ts');
  await compileElsewhere({ source: findSource(), path }, options);
  const tables = read(path, options);
  if (tables) return tables;
  throw new RagError(
    'dictionary-failed',
    `the dictionary ${path} is truncated or corrupt: delete it to recompile it`,
    {
      context: { path },
    },
  );
}
