import { createHash } from 'node:crypto';
import { StorageError, type FileStore } from '@vizprompt/providers';
import type { NodeFilePart } from './node.ts';

/** A file that goes with a node. */
export interface NewAttachment {
  readonly data: Uint8Array;
  /** IANA media type, such as `image/png`. */
  readonly mediaType: string;
  readonly fileName?: string;
}

/** Keeps the folder of the binary files out of git, itself included. */
export const IGNORE_FILE = 'attachments/.gitignore';

/** Stores files under the SHA-256 of their content, each content once. */
export async function storeAttachments(
  files: FileStore,
  attachments: readonly NewAttachment[],
): Promise<NodeFilePart[]> {
  const parts: NodeFilePart[] = [];
  if (attachments.length > 0) await createOnce(files, IGNORE_FILE, '*\n');
  for (const { data, mediaType, fileName } of attachments) {
    const hash = createHash('sha256').update(data).digest('hex');
    const path = `attachments/${hash.slice(0, 2)}/${hash}`;
    await createOnce(files, path, data);
    parts.push({
      type: 'file',
      path,
      mediaType,
      ...(fileName === undefined ? {} : { fileName }),
      size: data.length,
    });
  }
  return parts;
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
