import { lstatSync, type Stats } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RagError } from '../errors.ts';
import { fileFailure } from './file-failure.ts';
import type { DirectoryHandle } from './directory-handle.ts';

/** A file as a list has it, or a folder that could not be read. */
export interface ListedFile {
  /** Relative to the root of all projects; that of a folder ends in `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly modified: Date;
  /** Why the files of a folder are not in the list. */
  readonly problem?: string;
}

/** Replaces bytes of a name that are no UTF-8. */
const UNREADABLE = '\u{fffd}';
/** Folders within each other, at most. */
const MAX_DEPTH = 16;
/** After this many names, the event loop gets a turn. */
const TURN = 256;

/**
 * Returns the files below a folder whose names end in one of the extensions, sorted. A folder in it that cannot be read
 * is an entry with its problem.
 */
export async function listFolder(
  folder: DirectoryHandle,
  extensions: readonly string[],
): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  const endings = extensions.map((extension) => extension.toLowerCase());
  await collect(folder, 0);
  return files.toSorted((a, b) => comparePaths(a.path, b.path));

  async function collect(held: DirectoryHandle, depth: number): Promise<void> {
    for (const [at, { name }] of held.entries().entries()) {
      if (at % TURN === TURN - 1) await nextTurn();
      if (name.startsWith('.')) continue;
      const stats = statOf(held, name);
      const path = held.titleOf(name);
      if (!stats && name.includes(UNREADABLE)) files.push(unnamedFile(path));
      if (stats?.isDirectory() && depth < MAX_DEPTH)
        await enter(held, name, depth + 1, stats.mtime);
      if (!stats?.isFile() || !endings.some((ending) => hasEnding(name, ending))) continue;
      files.push({ path, bytes: stats.size, modified: stats.mtime });
    }
  }

  async function enter(
    held: DirectoryHandle,
    name: string,
    depth: number,
    modified: Date,
  ): Promise<void> {
    try {
      using below = held.descend(name);
      await collect(below, depth);
    } catch (error) {
      if (!RagError.isInstance(error)) throw error;
      // It went, or became something else, since it was looked at.
      if (error.code === 'file-not-found' || error.code === 'path-invalid') return;
      files.push(unreadFolder(held.titleOf(name), modified, error));
    }
  }
}

/** Returns the entry of a folder whose files are not known. */
export function unreadFolder(path: string, modified: Date, error: RagError): ListedFile {
  return { path: `${path}/`, bytes: 0, modified, problem: error.message };
}

/** Returns the entry of what cannot be opened by its name. */
function unnamedFile(path: string): ListedFile {
  const problem = `${path} has a name that is no UTF-8: rename it`;
  return { path, bytes: 0, modified: new Date(0), problem };
}

function hasEnding(name: string, ending: string): boolean {
  return name.length > ending.length && name.toLowerCase().endsWith(ending);
}

/** Nothing if it is gone by now; one that cannot be looked at is a problem of its folder. */
function statOf(folder: DirectoryHandle, name: string): Stats | undefined {
  try {
    return lstatSync(folder.at(name), { throwIfNoEntry: false });
  } catch (error) {
    throw fileFailure(error, folder.titleOf(name));
  }
}

/** Made by the first call: it loads tables, for some milliseconds. */
let collator: Intl.Collator | undefined;

/** As people count: `第2章` before `第10章`; equal ones by their code units, so that the order is fixed. */
export function comparePaths(a: string, b: string): number {
  collator ??= new Intl.Collator('ja', { numeric: true });
  return collator.compare(a, b) || (a < b ? -1 : Number(a > b));
}
