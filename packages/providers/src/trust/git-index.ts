import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { readPlainFile } from '../files/plain-file.ts';
import { StorageError } from '../storage/storage-error.ts';

const HEADER_BYTES = 12;
/** Ten times the index of the largest repositories. */
const MAX_BYTES = 1 << 30;
/** Times, modes, sizes and ids before the hash of an entry. */
const FIXED_BYTES = 40;
const FLAGS_BYTES = 2;
const EXTENDED = 0x4000;
/** SHA-1 and SHA-256. */
const HASH_BYTES = [20, 32] as const;

/**
 * Checks whether git tracks a file, by the index of the repository around it. Git itself is not run: its
 * configuration, which may have come with the repository, can name programs.
 */
export function isTrackedByGit(path: string): boolean {
  const folder = realpathSync.native(dirname(resolve(path)));
  const file = join(folder, basename(path));
  for (let at = folder; ; at = dirname(at)) {
    const index = indexOf(at);
    if (index !== undefined && isInIndex(index, relative(at, file).split(sep).join('/')))
      return true;
    if (dirname(at) === at) return false;
  }
}

/** Returns the index of a work tree, if a folder is the root of one. */
function indexOf(folder: string): string | undefined {
  const git = join(folder, '.git');
  const stats = statSync(git, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return join(git, 'index');
  if (!stats?.isFile()) return undefined;
  // A linked work tree or a submodule.
  const [, target] = /^gitdir: (.+)$/m.exec(readIfPlain(git)?.toString() ?? '') ?? [];
  return target === undefined ? undefined : join(resolve(folder, target.trimEnd()), 'index');
}

function isInIndex(index: string, name: string): boolean {
  const own = readIfPlain(index);
  if (!own) return false;
  const wanted = Buffer.from(name);
  const all = [own, ...sharedIndexes(index).map((file) => readIfPlain(file) ?? Buffer.alloc(0))];
  return all.some((bytes) => HASH_BYTES.some((hashBytes) => hasEntry(bytes, hashBytes, wanted)));
}

/** Returns an index that git cannot read either tracks nothing. */
function readIfPlain(path: string): Buffer | undefined {
  try {
    return readPlainFile(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (StorageError.isInstance(error)) return undefined;
    throw error;
  }
}

/** A split index has most of its entries in files next to it. */
function sharedIndexes(index: string): readonly string[] {
  const folder = dirname(index);
  const names = readdirSync(folder).filter((name) => name.startsWith('sharedindex.'));
  return names.map((name) => join(folder, name));
}

/** Reads the entries of versions 2, 3 and 4; a name of version 4 begins with some of the one before. */
function hasEntry(bytes: Buffer, hashBytes: number, wanted: Buffer): boolean {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return false;
  const version = bytes.readUInt32BE(4);
  let left = bytes.readUInt32BE(8);
  let name = Buffer.alloc(0);
  for (let at = HEADER_BYTES; left > 0; left--) {
    const start = at;
    at += FIXED_BYTES + hashBytes;
    if (at + FLAGS_BYTES > bytes.length) return false;
    const isExtended = version >= 3 && (bytes.readUInt16BE(at) & EXTENDED) !== 0;
    at += isExtended ? FLAGS_BYTES * 2 : FLAGS_BYTES;
    let kept = 0;
    if (version === 4) {
      const { value, end } = readOffset(bytes, at);
      kept = Math.max(0, name.length - value);
      at = end;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0) return false;
    name = Buffer.concat([name.subarray(0, kept), bytes.subarray(at, end)]);
    if (name.equals(wanted)) return true;
    // Entries of the older versions are padded to eight bytes, with one NUL at least.
    at = version === 4 ? end + 1 : start + Math.ceil((end - start + 1) / 8) * 8;
  }
  return false;
}

/** Git's variable-length number, in which every byte but the last has the highest bit. */
function readOffset(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at < bytes.length) {
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at };
}
