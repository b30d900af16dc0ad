import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { SectionFile, writeSections, type FileForm } from '../binary/section-file.ts';
import { RagError } from '../errors.ts';
import { hasCode, makeFolders } from '@vizprompt/providers/internal';

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
