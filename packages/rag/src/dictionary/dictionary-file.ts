import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { hasCode, makeFolders } from '@vizprompt/providers/internal';
import { type FileForm, SectionFile, writeSections } from '../binary/section-file.ts';
import { RagError } from '../errors.ts';
import { reasonOf } from '../files/file-failure.ts';

/** A table of a dictionary; numbers are in the order of bytes of the machine, as files do not travel. */
export type Table = Uint8Array | Uint16Array | Int16Array | Uint32Array;

/** Tables by name. */
export type Tables = Readonly<Record<string, Table>>;

/** The bytes of tables by name. */
export type TableBytes = ReadonlyMap<string, Uint8Array>;

/** Files that hold a compiled dictionary. */
export const DICTIONARY_FORM: FileForm = {
  magic: 'VZRAGDIC',
  version: 2,
  damaged(path, problem, cause) {
    return new RagError('dictionary-failed', `cannot read the dictionary ${path}: ${problem}`, {
      cause,
      context: { path },
    });
  },
};

/** Writes tables into a file, which is either complete afterwards or as it was before. */
export function writeDictionary(
  path: string,
  tables: Tables,
  form: FileForm = DICTIONARY_FORM,
): void {
  const temporary = temporaryBeside(path);
  makeFolders(dirname(path));
  const sections = Object.entries(tables).map(([name, { buffer, byteOffset, byteLength }]) => {
    return { name, bytes: new Uint8Array(buffer, byteOffset, byteLength), isResident: true };
  });
  try {
    writeSections(temporary, form, sections);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Returns a name that no other process writes under. */
export function temporaryBeside(path: string): string {
  return `${path}.${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
}

/**
 * Reads tables as they are in the file, or nothing if the file is missing, corrupt, or of another form.
 *
 * @throws the error of the file system if it is there and cannot be read.
 */
export function readDictionary(
  path: string,
  form: FileForm = DICTIONARY_FORM,
): TableBytes | undefined {
  let file: SectionFile;
  try {
    file = new SectionFile(path, form);
  } catch (error) {
    if (RagError.isInstance(error) || hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
  const tables = new Map(file.names.map((name) => [name, file.section(name)]));
  file.close();
  return tables;
}

/** Checks whether there is a file that is not a dictionary, not even a corrupt one. */
export function isForeignFile(path: string, { magic }: FileForm = DICTIONARY_FORM): boolean {
  const head = Buffer.alloc(magic.length);
  try {
    const file = openSync(path, 'r');
    try {
      const length = readSync(file, head, 0, head.length, 0);
      const isEmpty = head.every((byte) => byte === 0);
      return !isEmpty && head.toString('latin1', 0, length) !== magic.slice(0, length);
    } finally {
      closeSync(file);
    }
  } catch {
    // A file that is missing or cannot be read is reported by its reader.
    return false;
  }
}

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
