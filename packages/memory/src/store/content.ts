import { hash as hashOnce } from 'node:crypto';
import { TextCache } from '../text-cache.ts';

/** A text by its content, as it is before it is stored. */
export interface Content {
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  /** UTF-8. */
  readonly bytes: Uint8Array;
}

/** The SHA-256 of bytes. */
export function hashOf(bytes: Uint8Array): string {
  return hashOnce('sha256', bytes);
}

const recent = new TextCache<Content>();

/** Makes the content of a text. */
export function contentOf(text: string): Content {
  const known = recent.get(text);
  if (known) return known;
  const bytes = Buffer.from(text, 'utf8');
  const content = { hash: hashOf(bytes), bytes };
  recent.set(text, content);
  return content;
}

/** The text of a content. */
export function textOfContent({ bytes }: Content): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
