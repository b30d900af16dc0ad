import { createHash } from 'node:crypto';
import { type FileStore, StorageError } from '@vizprompt/providers';
import type { NodeFilePart, VizNode } from './node.ts';

/** A file that goes with a node. */
export interface NewAttachment {
  readonly data: Uint8Array;
  /** IANA media type, such as `image/png`. */
  readonly mediaType: string;
  readonly fileName?: string | undefined;
}

/** Keeps the folder of the binary files out of git, itself included. */
export const IGNORE_FILE = 'attachments/.gitignore';

/** The key of a file that is stored by its content. */
const KEY = /^attachments\/([0-9a-f]{2})\/\1[0-9a-f]{62}$/;

/** Returns the key under which a content is stored: its SHA-256 in hexadecimal. */
export function attachmentKey(data: Uint8Array): string {
  return keyOfHash(createHash('sha256').update(data).digest('hex'));
}

/** Returns the key of the content that has a SHA-256, in hexadecimal. */
export function keyOfHash(hash: string): string {
  return `attachments/${hash.slice(0, 2)}/${hash}`;
}

/** Returns the keys of the files that nodes hold, each once, in their order. Other paths are not among them. */
export function attachmentKeys(
  nodes: Iterable<Pick<VizNode, 'promptParts' | 'responseParts'>>,
): readonly string[] {
  const keys = new Set<string>();
  for (const { promptParts, responseParts } of nodes) {
    for (const part of [...promptParts, ...responseParts]) {
      if (part.type === 'file' && part.path !== undefined && KEY.test(part.path))
        keys.add(part.path);
    }
  }
  return [...keys].toSorted();
}

/** Stores files under the SHA-256 of their content, each content once. */
export async function storeAttachments(
  files: FileStore,
  attachments: readonly NewAttachment[],
): Promise<NodeFilePart[]> {
  const parts: NodeFilePart[] = [];
  for (const { data, mediaType, fileName } of attachments) {
    parts.push({
      type: 'file',
      path: await storeAttachment(files, data),
      mediaType,
      ...(fileName === undefined ? {} : { fileName }),
      size: data.length,
    });
  }
  return parts;
}

/** Stores a file under the SHA-256 of its content, and gives its key. */
export async function storeAttachment(files: FileStore, data: Uint8Array): Promise<string> {
  const key = attachmentKey(data);
  await createOnce(files, IGNORE_FILE, '*\n');
  await createOnce(files, key, data);
  return key;
}

async function createOnce(
  files: FileStore,
  key: string,
  content: string | Uint8Array,
): Promise<void> {
  try {
    await files.write(key, content, { ifVersion: null });
  } catch (error) {
    if (!StorageError.isInstance(error) || error.code !== 'conflict') throw error;
  }
}
