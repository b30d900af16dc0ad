import { promisify } from 'node:util';

/** Shorter texts are compressed at once; longer ones next to the event loop. */
const SYNC_UP_TO = 65_536;

/** Takes two thirds of the time of the default, for two percent more bytes. */
const LEVEL = 4;

/** The lookahead of deflate, in bytes, which it has no room for otherwise. */
const LOOK_AHEAD = 262;

/** Smallest buffer that zlib writes to, with which no size needs to be checked. */
export const LEAST_ROOM = 64;

/** Bytes that one deflated byte gives at most: two times two bits for 258 each. Source: zlib.net/zlib_tech.html. */
export const MOST_INFLATED = 1032;

/** Loaded when it is first needed: most hooks, which are processes of their own, compress nothing. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** Returns bytes deflated (RFC 1951), or `undefined` where that saves nothing. */
export async function deflated(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const { length } = bytes;
  const { deflateRaw, deflateRawSync } = zlib();
  const packed =
    length > SYNC_UP_TO
      ? await promisify(deflateRaw)(bytes, { level: LEVEL })
      : deflateRawSync(bytes, { level: LEVEL, ...roomFor(length) });
  // A copy: what is compressed is at the beginning of 16 KiB, and would be cached with all of them.
  return packed.length < length ? Buffer.from(packed) : undefined;
}

/** Short inputs cannot use more: making room takes as long as compressing some of them. */
function roomFor(bytes: number): { readonly windowBits: number; readonly memLevel: number } {
  const windowBits = Math.min(15, Math.max(9, 32 - Math.clz32(bytes + LOOK_AHEAD)));
  return { windowBits, memLevel: Math.min(8, Math.max(1, windowBits - 6)) };
}

/**
 * Returns the bytes that were deflated.
 *
 * @param size - How many they are.
 * @throws Error if these are no deflated bytes, or give more than that.
 */
export function inflated(data: Uint8Array, size: number): Uint8Array {
  if (size > MOST_INFLATED * data.length + LEAST_ROOM)
    throw new RangeError('the size is too large');
  return zlib().inflateRawSync(data, {
    maxOutputLength: Math.max(1, size),
    // With one byte more than is written: zlib makes another chunk where one is full.
    chunkSize: Math.max(LEAST_ROOM, size + 1),
  });
}
