import { Buffer } from 'node:buffer';
import type { FilePart } from '../models/message.ts';

/** The bytes of a file in base64 (RFC 4648); `undefined` for a file that is only an address. */
export function base64Of({ data }: FilePart): string | undefined {
  if (data instanceof URL) return undefined;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

/** A file as an address: its own, or one that holds the bytes (RFC 2397). */
export function urlOf(file: FilePart): string {
  return file.data instanceof URL
    ? file.data.href
    : `data:${file.mediaType};base64,${base64Of(file) ?? ''}`;
}
