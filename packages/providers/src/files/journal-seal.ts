import { createHmac, type Hmac } from 'node:crypto';

/**
 * Begins the seal of a batch at an offset of a journal: an HMAC that takes the records, and whose digest
 * only this user of this machine can compute.
 */
export type JournalSeal = (offset: number) => Hmac;

/**
 * Creates the seal of the journal of one folder. It covers the path of the folder, so that no copy of a
 * journal is valid in another place, and the offset, so that no batch is valid twice.
 *
 * @param key - A secret of this user, which is stored outside of every project.
 * @param root - The real path of the folder.
 */
export function journalSeal(key: Buffer, root: string): JournalSeal {
  return (offset) =>
    createHmac('sha256', key).update(JSON.stringify(['vizprompt batch', root, offset]));
}
