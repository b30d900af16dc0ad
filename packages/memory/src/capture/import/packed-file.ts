import { readFile } from 'node:fs/promises';
import zlib from 'node:zlib';
import { messageOf } from '@vizprompt/providers';

/** Decompresses bytes, as Node.js does since 22.15. */
type Unpack = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, unpacked: Uint8Array) => void,
) => void;

/** The content of a compressed file, or why it cannot be read. */
export type Unpacked = { readonly bytes: Uint8Array } | { readonly reason: string };

/** Checks for a rollout that Codex has compressed, as it does with old ones. */
export function isPacked(path: string): boolean {
  return /\.jsonl\.zst$/i.test(path);
}

/**
 * Decompresses a rollout.
 *
 * @param maxBytes - Larger contents are refused: few bytes may unpack to a disk full of them.
 */
export async function unpackFile(path: string, maxBytes: number): Promise<Unpacked> {
  const unpack: unknown = Reflect.get(zlib, 'zstdDecompress');
  if (!isUnpack(unpack)) return { reason: 'it is compressed: Node.js 22.15 and later read it' };
  const packed = await readFile(path);
  return new Promise((resolve) => {
    unpack(packed, { maxOutputLength: maxBytes }, (error, bytes) => {
      const reason = `it cannot be decompressed: ${messageOf(error)}`;
      resolve(error === null ? { bytes } : { reason });
    });
  });
}

function isUnpack(value: unknown): value is Unpack {
  return typeof value === 'function';
}
