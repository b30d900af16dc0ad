import { readdirSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { StorageError } from '../storage/storage-error.ts';
import {
  inParallel,
  makeFolder,
  removeFile,
  renameOver,
  syncFiles,
  syncFolder,
  writeTemp,
} from './durable.ts';
import { isMissing } from './file-error.ts';
import { keyPath } from './key-paths.ts';
import { isTempName, sweepTemp, tempName } from './temp-files.ts';

/** One change of a batch: the new content of a file, or `null` to delete it. */
export interface BatchChange {
  readonly key: string;
  readonly data: Uint8Array | null;
  /** The time of change that the file gets, in seconds: by it a torn write is told from an edit. */
  readonly changeTime: number;
}

const HEADER_BYTES = 8;
const BLOCK_BYTES = 1 << 20;

/**
 * Writes a batch to a temporary file, on the disk when the promise resolves. Each change is the
 * length of its JSON head and of its data as two unsigned 32-bit integers (little endian), the head
 * and the data; a CRC-32 over all of it ends the file.
 *
 * @returns The path of the file.
 */
export async function prepareBatch(
  folder: string,
  changes: readonly BatchChange[],
): Promise<string> {
  await makeFolder(folder);
  const path = join(folder, tempName());
  const file = await open(path, 'wx');
  try {
    let checksum = 0;
    for (const block of blocksOf(changes)) {
      checksum = crc32(block, checksum);
      await file.appendFile(block);
    }
    const end = Buffer.alloc(4);
    end.writeUInt32LE(checksum, 0);
    await file.appendFile(end);
    await file.sync();
  } catch (error) {
    await removeFile(path);
    throw error;
  } finally {
    await file.close();
  }
  return path;
}

/** The JSON head of a record. */
interface BatchHead {
  readonly key: string;
  readonly changeTime: number;
  readonly isDeleted: boolean;
}

/** The records of a batch, gathered into blocks that are worth a write. */
function* blocksOf(changes: readonly BatchChange[]): Generator<Buffer> {
  let block: Uint8Array[] = [];
  let size = 0;
  for (const { key, data, changeTime } of changes) {
    const head = Buffer.from(JSON.stringify({ key, changeTime, isDeleted: data === null }));
    const lengths = Buffer.alloc(HEADER_BYTES);
    lengths.writeUInt32LE(head.length, 0);
    lengths.writeUInt32LE(data?.length ?? 0, 4);
    block.push(lengths, head, data ?? new Uint8Array());
    size += HEADER_BYTES + head.length + (data?.length ?? 0);
    if (size < BLOCK_BYTES) continue;
    yield Buffer.concat(block);
    block = [];
    size = 0;
  }
  yield Buffer.concat(block);
}

/** Makes a prepared batch valid: from here on it will be applied, whatever happens. */
export async function commitBatch(folder: string, prepared: string): Promise<string> {
  const journal = join(folder, `${Date.now()}-${process.pid}.journal`);
  await renameOver(prepared, journal);
  await syncFolder(folder);
  return journal;
}

/** Writes the files of a committed batch, brings them to the disk and drops the journal. */
export async function applyBatch(
  root: string,
  journal: string,
  changes: readonly BatchChange[],
): Promise<(string | null)[]> {
  const versions = Array.from<string | null>({ length: changes.length }).fill(null);
  const paths: string[] = [];
  await inParallel([...changes.entries()], async ([index, { key, data, changeTime }]) => {
    const path = keyPath(root, key);
    paths.push(path);
    if (data === null) {
      await removeFile(path);
      return;
    }
    const temp = await writeTemp(dirname(path), data, { sync: false, changeTime });
    await renameOver(temp.path, path);
    versions[index] = temp.version;
  });
  await syncFiles(root, paths);
  await removeFile(journal);
  return versions;
}

/**
 * Applies the batches that a dead process left committed. The caller holds the store's commit
 * lock. A file that was changed by another program since is left as it is.
 */
export async function recoverBatches(root: string, folder: string): Promise<void> {
  for (const name of journalNames(folder)) {
    const journal = join(folder, name);
    const unfinished: BatchChange[] = [];
    for (const change of parseBatch(journal, await readFile(journal))) {
      if (await isUnfinished(root, change, journal)) unfinished.push(change);
    }
    await applyBatch(root, journal, unfinished);
  }
}

/** The committed batches that wait in a folder, oldest first. */
export function journalNames(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  for (const name of names) if (isTempName(name)) sweepTemp(join(folder, name), name);
  return names.filter((name) => name.endsWith('.journal')).toSorted();
}

function parseBatch(journal: string, bytes: Buffer): BatchChange[] {
  const end = bytes.length - 4;
  if (end < 0 || crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) {
    throw new StorageError(
      'corrupt',
      `${journal} is damaged: the batch in it was acknowledged but cannot be read. ` +
        'Restore the files from a backup, then delete it',
      { context: { journal } },
    );
  }
  const changes: BatchChange[] = [];
  for (let at = 0; at < end;) {
    const headEnd = at + HEADER_BYTES + bytes.readUInt32LE(at);
    const dataEnd = headEnd + bytes.readUInt32LE(at + 4);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the checksum vouches for it
    const head = JSON.parse(bytes.toString('utf8', at + HEADER_BYTES, headEnd)) as BatchHead;
    const data = head.isDeleted ? null : bytes.subarray(headEnd, dataEnd);
    changes.push({ key: head.key, changeTime: head.changeTime, data });
    at = dataEnd;
  }
  return changes;
}

/** Whether a change did not reach its file, or only in part. */
async function isUnfinished(root: string, change: BatchChange, journal: string): Promise<boolean> {
  const path = keyPath(root, change.key);
  try {
    const { mtimeMs } = await stat(path);
    const { mtimeMs: committedMs } = await stat(journal);
    const isOlder = mtimeMs <= committedMs;
    const isOurs = Math.abs(mtimeMs - change.changeTime * 1000) < 0.01;
    if (!isOlder && !isOurs) return false;
    return change.data === null || Buffer.compare(change.data, await readFile(path)) !== 0;
  } catch (error) {
    if (isMissing(error)) return change.data !== null;
    throw error;
  }
}
