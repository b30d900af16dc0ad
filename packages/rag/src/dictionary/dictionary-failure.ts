import { messageOf } from '@vizprompt/providers';
import { RagError } from '../errors.ts';
import { hasErrorCode, reasonOf } from '../files/file-failure.ts';
import { cacheVariable } from './cache-folder.ts';
import type { DictionaryOptions } from './dictionary-options.ts';

/** The file of the dictionary is there, and the system does not let it be read. */
export function cannotRead(path: string, cause: unknown, options: DictionaryOptions): RagError {
  const message = `cannot read the dictionary ${path}: ${reasonOf(cause)}; let it be read, or ${otherPlace(options)}`;
  return failure(message, path, cause);
}

/** The system does not let it be written. */
export function cannotWrite(path: string, cause: unknown, options: DictionaryOptions): RagError {
  const reason = hasErrorCode(cause, 'EEXIST', 'ENOTDIR')
    ? 'there is a file where its folder should be'
    : reasonOf(cause);
  const message = `cannot write the dictionary ${path}: ${reason}; ${otherPlace(options)}`;
  return failure(message, path, cause);
}

/** It could be written, as far as was seen before, and its compilation failed. */
export function cannotCompile(path: string, cause: unknown, options: DictionaryOptions): RagError {
  const message = `cannot compile the dictionary into ${path}: ${messageOf(cause)}; if it cannot be written, ${otherPlace(options)}`;
  return failure(message, path, cause);
}

/** What names another place than that which was chosen. */
function otherPlace({ dictionary, cacheFolder }: DictionaryOptions): string {
  if (dictionary !== undefined) return 'name another file as dictionary';
  if (cacheFolder !== undefined) return 'name another cacheFolder';
  return `set ${cacheVariable()} to another folder, or name a cacheFolder`;
}

function failure(message: string, path: string, cause: unknown): RagError {
  return new RagError('dictionary-failed', message, { cause, context: { path } });
}
