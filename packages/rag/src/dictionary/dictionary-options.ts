import { homedir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { RagError } from '../errors.ts';
import { hasCode } from '@vizprompt/providers/internal';
import { reasonOf } from '../files/file-failure.ts';

/** Names the compiled dictionary where no option does. */
export const DICTIONARY_VARIABLE = 'VIZPROMPT_DICTIONARY';

/** Options of opening the dictionary. */
export interface DictionaryOptions {
  /**
   * The compiled file itself, such as an {@link AnalyzerSpec} names. It is made when missing, as any
   * other. Where it is there, neither the package kuromoji nor a folder that can be written is needed. Default:
   * without a `cacheFolder` the environment variable `VIZPROMPT_DICTIONARY`, else a file in `cacheFolder` whose
   * name contains dictionary and format.
   */
  readonly dictionary?: string | undefined;
  /**
   * Where compiled dictionaries lie. Default: `$XDG_CACHE_HOME/vizprompt`, `~/.cache/vizprompt`, or
   * `%LOCALAPPDATA%\vizprompt` on Windows.
   */
  readonly cacheFolder?: string | undefined;
  /** Receives how far the compilation has come, from 0 to 1, if there must be one. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Ends the compilation. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the default folder of compiled dictionaries, and of indexes of projects that cannot be written:
 * `$XDG_CACHE_HOME/vizprompt`, `~/.cache/vizprompt`, or `%LOCALAPPDATA%\vizprompt` on Windows. Files
 * there may be deleted at any time.
 */
export function defaultCacheFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = environment;
  if (platform === 'win32' && local) return join(local, 'vizprompt');
  return join(xdg || join(homedir(), '.cache'), 'vizprompt');
}

/** Returns the variable that moves it. */
function cacheVariable(platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME';
}

/** The file of the dictionary is there, and the system does not let it be read. */
export function cannotRead(path: string, cause: unknown, options: DictionaryOptions): RagError {
  const message = `cannot read the dictionary ${path}: ${reasonOf(cause)}; let it be read, or ${otherPlace(options)}`;
  return failure(message, path, cause);
}

/** The system does not let it be written. */
export function cannotWrite(path: string, cause: unknown, options: DictionaryOptions): RagError {
  const reason = hasCode(cause, 'EEXIST', 'ENOTDIR')
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

/** Names another place than the chosen one. */
function otherPlace({ dictionary, cacheFolder }: DictionaryOptions): string {
  if (dictionary !== undefined) return 'name another file as dictionary';
  if (cacheFolder !== undefined) return 'name another cacheFolder';
  if (process.env[DICTIONARY_VARIABLE]) return `name another file by ${DICTIONARY_VARIABLE}`;
  return `set ${cacheVariable()} to another folder, or name a cacheFolder`;
}

function failure(message: string, path: string, cause: unknown): RagError {
  return new RagError('dictionary-failed', message, { cause, context: { path } });
}
