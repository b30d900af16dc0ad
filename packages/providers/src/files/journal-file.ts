import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync as fdatasyncCallback,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { isMissing } from '../storage/file-error.ts';
import { makeFolder, placeFile } from './durable.ts';

const fdatasync = promisify(fdatasyncCallback);

/** One change of a batch: the new content of a file, or `null` to delete it. */
export interface BatchChange {
  readonly key: string;
  readonly data: Uint8Array | null;
  /**
   * The time of change that the file gets, in seconds. A file that is younger was written by
   * another process since.
   */
  readonly changeTime: number;
}

/** The JSON head of a record. */
interface BatchHead {
  readonly key: string;
  readonly changeTime: number;
  readonly isDeleted: boolean;
}

/** Lengths of head and data, before each record. */
const LENGTHS_BYTES = 8;
/** Length, checksum and seal of the records, before each batch. */
const PREAMBLE_BYTES = 40;
/** The same of version 0.1, without a seal. */
const UNSEALED_BYTES = 8;
/** Set in the length of a batch that has a seal. */
const SEALED = 0x8000_0000;
const BLOCK_BYTES = 1 << 20;
/** From this size on, to copy a file into a block takes longer than a write of its own. */
const LARGE_BYTES = 1 << 16;
/** The file is never smaller: writing over what is there costs the disk a third of growing. */
const JOURNAL_BYTES: number = 1 << 18;
/**
 * With more bytes of batches it is emptied, and is no larger afterwards: a batch that changes one long file waits for
 * nothing but itself.
 */
export const FULL_BYTES: number = 1 << 24;
/** Where the row ends: a length of 0. */
const NOTHING = Buffer.alloc(UNSEALED_BYTES);

/**
 * Writes a batch into a journal, on the disk when the promise resolves.
 *
 * A journal is a row of batches. Each begins with the length of its records, the highest bit set,
 * their CRC-32 and their seal of 32 bytes; the row ends where the length is 0 or the checksum does not
 * fit. Each record is the length of its JSON head and of its data, the head and the data. All numbers
 * are unsigned 32-bit integers, little endian.
 *
 * @param seal - Proves to this user on this machine that the batch is theirs.
 * @param offset - Where the row ends so far.
 * @returns The preamble of the batch, and where the row ends now.
 */
export async function writeJournal(
  journal: string,
  changes: readonly BatchChange[],
  { seal, offset }: { readonly seal: JournalSeal; readonly offset: number },
): Promise<{ readonly preamble: Buffer; readonly end: number }> {
  if (!existsSync(journal)) await makeJournal(journal);
  const file = openSync(journal, 'r+');
  try {
    let checksum = 0;
    const mac = seal(offset);
    let end = offset + PREAMBLE_BYTES;
    for (const block of blocksOf(changes)) {
      writeSync(file, block, 0, block.length, end);
      checksum = crc32(block, checksum);
      mac.update(block);
      end += block.length;
      if (block.length >= BLOCK_BYTES) await nextTurn();
    }
    writeSync(file, NOTHING, 0, NOTHING.length, end);
    const preamble = Buffer.alloc(PREAMBLE_BYTES);
    preamble.writeUInt32LE(SEALED + end - offset - PREAMBLE_BYTES, 0);
    preamble.writeUInt32LE(checksum, 4);
    mac.digest().copy(preamble, UNSEALED_BYTES);
    writeSync(file, preamble, 0, PREAMBLE_BYTES, offset);
    await fdatasync(file);
    return { preamble, end };
  } catch (error) {
    // A batch that is not durable must not be taken for one.
    writeSync(file, NOTHING, 0, NOTHING.length, offset);
    throw error;
  } finally {
    closeSync(file);
  }
}

async function makeJournal(journal: string): Promise<void> {
  await makeFolder(dirname(journal));
  await placeFile(journal, Buffer.alloc(JOURNAL_BYTES));
}

/** Returns the records of a batch, gathered into blocks that are worth a write. */
function* blocksOf(changes: readonly BatchChange[]): Generator<Uint8Array> {
  let block: Uint8Array[] = [];
  let size = 0;
  for (const { key, data, changeTime } of changes) {
    const head = Buffer.from(JSON.stringify({ key, changeTime, isDeleted: data === null }));
    const lengths = Buffer.alloc(LENGTHS_BYTES);
    lengths.writeUInt32LE(head.length, 0);
    lengths.writeUInt32LE(data?.length ?? 0, 4);
    block.push(lengths, head);
    size += LENGTHS_BYTES + head.length;
    const isLarge = data !== null && data.length >= LARGE_BYTES;
    if (data && !isLarge) {
      block.push(data);
      size += data.length;
    }
    if (size < BLOCK_BYTES && !isLarge) continue;
    yield Buffer.concat(block);
    if (isLarge) yield data;
    block = [];
    size = 0;
  }
  if (block.length > 0) yield Buffer.concat(block);
}

/** Returns the preamble of the first batch of a journal; `undefined` if there is none. */
export function firstPreamble(journal: string): Buffer | undefined {
  const preamble = Buffer.alloc(PREAMBLE_BYTES);
  try {
    const file = openSync(journal, 'r');
    try {
      readSync(file, preamble, 0, PREAMBLE_BYTES, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return preamble.readUInt32LE(0) === 0 ? undefined : preamble;
}

/** Takes all batches out of a journal. */
export function emptyJournal(journal: string): void {
  const file = openSync(journal, 'r+');
  try {
    writeSync(file, NOTHING, 0, NOTHING.length, 0);
    if (fstatSync(file).size > FULL_BYTES) ftruncateSync(file, FULL_BYTES);
  } finally {
    closeSync(file);
  }
}

/** Overwrites a journal that is empty: the contents of its batches are still in it. */
export async function wipeJournal(journal: string): Promise<void> {
  if (!existsSync(journal)) return;
  const file = openSync(journal, 'r+');
  try {
    const { size } = fstatSync(file);
    const zeros = Buffer.alloc(BLOCK_BYTES);
    for (let at = 0; at < size; at += BLOCK_BYTES) {
      writeSync(file, zeros, 0, Math.min(BLOCK_BYTES, size - at), at);
    }
    await fdatasync(file);
    if (size > JOURNAL_BYTES) ftruncateSync(file, JOURNAL_BYTES);
  } finally {
    closeSync(file);
  }
}

/** Returns the last change of each file. */
export function lastOfEach(changes: readonly BatchChange[]): BatchChange[] {
  return [...new Map(changes.map((change) => [change.key, change])).values()];
}

/** The content of a journal, the oldest first. A batch that was not written whole is none. */
export interface JournalContent {
  /** The batches that this user wrote on this machine. */
  readonly own: readonly BatchChange[];
  /**
   * The rest, from the first batch on that has no seal of this user: written by version 0.1, by another
   * user or on another machine, or brought along by a copy of the folder. `'unreadable'` if its records
   * make no sense; `undefined` if there is none.
   */
  readonly foreign: readonly BatchChange[] | 'unreadable' | undefined;
  /** The batches that are foreign, as a journal of their own; all that comes after their beginning if they make no sense. */
  readonly rest: Buffer;
}

/** Reads a journal, and distinguishes the batches of this user from others by their seals. */
export function readJournal(journal: string, seal: JournalSeal): JournalContent {
  const bytes = readFileSync(journal);
  const own: BatchChange[] = [];
  const foreign: BatchChange[] = [];
  let isForeign = false;
  let restStart = 0;
  let at = 0;
  while (at + UNSEALED_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const isSealed = length >= SEALED;
    const start = at + (isSealed ? PREAMBLE_BYTES : UNSEALED_BYTES);
    const end = start + length - (isSealed ? SEALED : 0);
    const records = bytes.subarray(start, end);
    if (records.length === 0 || end > bytes.length) break;
    if (crc32(records) !== bytes.readUInt32LE(at + 4)) break;
    const given = bytes.subarray(at + UNSEALED_BYTES, start);
    isForeign ||= !isSealed || !timingSafeEqual(seal(at).update(records).digest(), given);
    if (!isForeign) {
      own.push(...parseRecords(records));
      restStart = end;
    } else {
      try {
        foreign.push(...parseRecords(records));
      } catch {
        return { own, foreign: 'unreadable', rest: bytes.subarray(restStart) };
      }
    }
    at = end;
  }
  // The bytes after it are of batches that are done, or that were never written whole.
  const rest = isForeign
    ? Buffer.concat([bytes.subarray(restStart, at), NOTHING])
    : Buffer.alloc(0);
  return { own, foreign: isForeign ? foreign : undefined, rest };
}

function parseRecords(records: Buffer): BatchChange[] {
  const changes: BatchChange[] = [];
  for (let at = 0; at < records.length;) {
    const headEnd = at + LENGTHS_BYTES + records.readUInt32LE(at);
    const dataEnd = headEnd + records.readUInt32LE(at + 4);
    const head: unknown = JSON.parse(records.toString('utf8', at + LENGTHS_BYTES, headEnd));
    if (!isHead(head) || dataEnd > records.length) throw new RangeError('no record of a journal');
    const data = head.isDeleted ? null : records.subarray(headEnd, dataEnd);
    changes.push({ key: head.key, changeTime: head.changeTime, data });
    at = dataEnd;
  }
  return changes;
}

function isHead(value: unknown): value is BatchHead {
  if (typeof value !== 'object' || value === null) return false;
  const { key, changeTime, isDeleted } = value as Partial<Record<keyof BatchHead, unknown>>;
  return (
    typeof key === 'string' && typeof changeTime === 'number' && typeof isDeleted === 'boolean'
  );
}

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

/** A seal that no journal has, for a reader to whom the owner of a batch does not matter. */
export const NO_SEAL: JournalSeal = () => createHmac('sha256', '');
