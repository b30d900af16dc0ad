import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findInstalled } from '@vizprompt/providers/internal';
import { RagError } from '../errors.ts';
import { DICTIONARY_VARIABLE } from './dictionary-file.ts';

/** The files of the dictionary that are used. Its own trie is not: words are read with their facts. */
const FILES = [
  'cc',
  'tid',
  'tid_map',
  'tid_pos',
  'unk',
  'unk_char',
  'unk_invoke',
  'unk_map',
  'unk_pos',
] as const;

/** A file of the dictionary. */
export type SourceFile = (typeof FILES)[number];

/**
 * Finds the folder of the dictionary in the package kuromoji, wherever it was installed.
 *
 * @throws RagError with the code `dictionary-failed` if it is not installed.
 */
export function findSource(): string {
  const manifest = findInstalled('kuromoji/package.json', import.meta.url);
  if (manifest) return join(dirname(manifest), 'dict');
  throw new RagError(
    'dictionary-failed',
    'cannot find the dictionary: the package kuromoji is not installed. Fix: npm install kuromoji; or compile it ' +
      `with \`dialogoi dictionary --out FILE\` where it is, and name the file by ${DICTIONARY_VARIABLE}`,
  );
}

/** Identifies a dictionary, without reading it: gzip ends with a checksum and a length. */
export function hashSource(folder: string): string {
  const hash = createHash('sha256');
  const trailer = Buffer.alloc(8);
  for (const file of FILES) {
    const handle = openSource(folder, file);
    try {
      readSync(handle, trailer, 0, 8, fstatSync(handle).size - 8);
    } finally {
      closeSync(handle);
    }
    hash.update(file).update(trailer);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Returns the bytes of a file of the dictionary, unpacked. */
export function readSource(folder: string, file: SourceFile): Buffer {
  const bytes = readFileSync(pathOf(folder, file));
  // In one piece: thousands of small ones would be put together at the end.
  const chunkSize = Math.min(
    Math.max(bytes.readUInt32LE(bytes.length - 4), 1 << 14),
    LARGEST_PIECE,
  );
  return gunzipSync(bytes, { chunkSize });
}

/** A file is at most some 42 MB; gzip says the size at its end. */
const LARGEST_PIECE = 1 << 26;

function openSource(folder: string, file: SourceFile): number {
  const path = pathOf(folder, file);
  try {
    return openSync(path, 'r');
  } catch (cause) {
    const context = { path };
    throw new RagError('dictionary-failed', `cannot read the dictionary ${path}`, {
      cause,
      context,
    });
  }
}

function pathOf(folder: string, file: SourceFile): string {
  return join(folder, `${file}.dat.gz`);
}
