// #region storage
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StorageError, type FileStore, type StoredFile } from '@vizprompt/providers';

/** Returns the files of another store, encrypted by AES-256-GCM. Names, sizes and times are not. */
export function encryptedFiles(files: FileStore, secret: Uint8Array): FileStore {
  const read: FileStore['read'] = async (key) => {
    const file = await files.read(key);
    return file && asStored(key, unseal(key, file.data, secret), file.version);
  };
  return {
    ...files,
    read,
    write: async (key, content, condition) =>
      files.write(key, seal(key, bytesOf(key, content), secret), condition),
    writeMany: async (changes) =>
      files.writeMany(
        changes.map((change) => {
          const { key, content } = change;
          if (content === null) return change;
          return { ...change, content: seal(key, bytesOf(key, content), secret) };
        }),
      ),
    async append(key, content) {
      for (;;) {
        const before = await read(key);
        const whole = Buffer.concat([before?.data ?? Buffer.of(), bytesOf(key, content)]);
        const sealed = seal(key, whole, secret);
        try {
          return await files.write(key, sealed, { ifVersion: before?.version ?? null });
        } catch (error) {
          if (!StorageError.isInstance(error) || error.code !== 'conflict') throw error;
        }
      }
    },
    async *list(prefix) {
      for await (const file of files.list(prefix)) yield { ...file, size: file.size - ADDED };
    },
  };
}
// #endregion storage

// #region sealing
/** Bytes that are added: a nonce of 12 and a tag of 16. */
const ADDED = 28;

function seal(key: string, bytes: Uint8Array, secret: Uint8Array): Uint8Array {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(key));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function unseal(key: string, sealed: Uint8Array, secret: Uint8Array): Uint8Array {
  try {
    const cipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, 12));
    cipher.setAAD(Buffer.from(key)).setAuthTag(sealed.subarray(-16));
    return Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()]);
  } catch (cause) {
    const message = `'${key}' was not written with this key, or was changed since`;
    throw new StorageError('corrupt', message, { cause, context: { key } });
  }
}

function bytesOf(key: string, content: string | Uint8Array): Uint8Array {
  if (typeof content !== 'string') return content;
  if (content.isWellFormed()) return Buffer.from(content);
  throw new StorageError('invalid-text', `the text for '${key}' holds a lone surrogate`);
}

function asStored(key: string, data: Uint8Array, version: string): StoredFile {
  return {
    data,
    version,
    get text() {
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
      } catch (cause) {
        throw new StorageError('not-text', `'${key}' is not UTF-8 text`, { cause });
      }
    },
  };
}
// #endregion sealing
