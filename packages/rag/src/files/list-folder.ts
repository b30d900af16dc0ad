import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { RagError } from '../errors.ts';
import { comparePaths } from './compare-paths.ts';
import { hasErrorCode } from './file-failure.ts';
import type { HeldFolder } from './held-folder.ts';

/** A file as a list has it. */
export interface ListedFile {
  /** Relative to the root of all projects. */
  readonly path: string;
  readonly bytes: number;
  readonly modified: Date;
}

/** Folders within each other, at most. */
const MAX_DEPTH = 16;

/** The files below a folder whose names end in one of the extensions, sorted. */
export async function listFolder(
  folder: HeldFolder,
  extensions: readonly string[],
): Promise<readonly ListedFile[]> {
  const files: ListedFile[] = [];
  const endings = extensions.map((extension) => extension.toLowerCase());
  await collect(folder, 0);
  return files.toSorted((a, b) => comparePaths(a.path, b.path));

  async function collect(held: HeldFolder, depth: number): Promise<void> {
    for (const { name } of await held.entries()) {
      if (name.startsWith('.')) continue;
      const stats = await statOf(held, name);
      const path = held.titleOf(name);
      if (stats?.isDirectory() && depth < MAX_DEPTH) await enter(held, name, depth + 1);
      if (!stats?.isFile() || !endings.some((ending) => hasEnding(name, ending))) continue;
      files.push({ path, bytes: stats.size, modified: stats.mtime });
    }
  }

  async function enter(held: HeldFolder, name: string, depth: number): Promise<void> {
    try {
      await using below = await held.descend(name);
      await collect(below, depth);
    } catch (error) {
      // It went, or became something else, since it was looked at.
      const codes = ['file-not-found', 'path-invalid'];
      if (!RagError.isInstance(error) || !codes.includes(error.code)) throw error;
    }
  }
}

function hasEnding(name: string, ending: string): boolean {
  return name.length > ending.length && name.toLowerCase().endsWith(ending);
}

async function statOf(folder: HeldFolder, name: string): Promise<Stats | undefined> {
  try {
    return await lstat(folder.at(name));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
