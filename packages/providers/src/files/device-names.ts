import { StorageError } from '../storage/storage-error.ts';

/** Names of devices beyond those that no key may have: Windows drops what comes after a dot, and spaces before that. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

/**
 * Refuses to write a file that would be lost in a device. Elsewhere it is a file as any other.
 *
 * @throws StorageError with the code `invalid-key`.
 */
export function assertNoDevice(key: string, platform: string = process.platform): void {
  if (platform !== 'win32' || typeof key !== 'string') return;
  const device = key.split('/').find((segment) => DEVICE.test(segment));
  if (device === undefined) return;
  const message = `${JSON.stringify(key)} cannot be written: '${device}' is a device of Windows`;
  throw new StorageError('invalid-key', message, { context: { key } });
}
