import { hash as hashOnce } from 'node:crypto';
import { promisify } from 'node:util';
import type { SqlExecutor, SqlParameter, Statement } from '@vizprompt/providers';
import { damageOf, type Dialect, inParts, StoredRow } from '@vizprompt/providers/internal';
import { TextCache } from '../text-cache.ts';
import type { MemoryContext } from './memory-context.ts';
import { listOf } from './sql.ts';

/** A text by its content, as it is before it is stored. */
export interface Content {
  /** SHA-256 of the bytes, hexadecimal. */
  readonly hash: string;
  /** UTF-8. */
  readonly bytes: Uint8Array;
}

/** Returns the SHA-256 of bytes. */
function hashOf(bytes: Uint8Array): string {
  return hashOnce('sha256', bytes);
}

const recentContents = new TextCache<Content>();

/** Makes the content of a text. */
export function contentOf(text: string): Content {
  const known = recentContents.get(text);
  if (known) return known;
  const bytes = Buffer.from(text, 'utf8');
  const content = { hash: hashOf(bytes), bytes };
  recentContents.set(text, content);
  return content;
}

/** A text as it is stored: once for each content. */
export interface Blob {
  /** SHA-256 of the UTF-8 bytes, hexadecimal. */
  readonly hash: string;
  /** UTF-8 bytes before compression. */
  readonly size: number;
  readonly encoding: 'raw' | 'deflate';
  readonly data: Uint8Array;
}

/** Shorter contents gain nothing. */
const COMPRESS_FROM = 128;
/** Makes the stored form of a content. */
export async function toBlob({ hash, bytes }: Content): Promise<Blob> {
  const size = bytes.length;
  if (size < COMPRESS_FROM) return { hash, size, encoding: 'raw', data: bytes };
  const known = recentBlobs.get(hash);
  if (known) return known;
  const packed = await deflated(bytes);
  const blob: Blob = {
    hash,
    size,
    encoding: packed ? 'deflate' : 'raw',
    // A copy: the bytes may be part of many others, which would be cached with them.
    data: packed ?? Buffer.from(bytes),
  };
  remember(blob);
  return blob;
}

/**
 * The last blobs by their hashes: an edit has the texts of its intention, and begins with what the edit
 * before made of the file.
 */
const recentBlobs = new Map<string, Blob>();
const RECENT_BYTES = 4_194_304;
let recentBytes = 0;

function remember(blob: Blob): void {
  // Texts that are compressed side by side may be the same.
  if (blob.data.length > RECENT_BYTES / 16 || recentBlobs.has(blob.hash)) return;
  recentBlobs.set(blob.hash, blob);
  recentBytes += blob.data.length;
  for (const [hash, { data }] of recentBlobs) {
    if (recentBytes <= RECENT_BYTES) break;
    recentBlobs.delete(hash);
    recentBytes -= data.length;
  }
}

/**
 * Returns the statement that stores a blob, if it is not there. On a server it also locks one that is there, so
 * that it is not swept away before the event that needs it is committed.
 */
export function putBlob(dialect: Dialect, tenant: string, blob: Blob): Statement {
  const params: readonly SqlParameter[] = [tenant, blob.hash, blob.size, blob.encoding, blob.data];
  return {
    sql: `INSERT INTO memory_blobs (tenant, hash, size, encoding, data) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (tenant, hash) DO ${dialect === 'sqlite' ? 'NOTHING' : 'UPDATE SET size = excluded.size'}`,
    params,
  };
}

/** A row of `memory_blobs`. */
export interface BlobRow {
  readonly hash: string;
  readonly size: number;
  readonly encoding: string;
  readonly data: Uint8Array;
}

/**
 * Returns the text of a stored blob.
 *
 * @throws StorageError `corrupt` with the place, if it is not what its hash says.
 */
export function textOfBlob(row: BlobRow): string {
  const stored = new StoredRow('memory_blobs', row.hash);
  const size = stored.whole('size', row.size);
  const encoding = stored.oneOf('encoding', row.encoding, ENCODINGS);
  if (!(row.data instanceof Uint8Array)) stored.fail('data', 'expected bytes');
  const bytes = encoding === 'raw' ? row.data : inflatedBlob(stored, row.data, size);
  if (bytes.length !== size) stored.fail('size', `expected ${bytes.length}, got ${size}`);
  if (hashOf(bytes) !== row.hash) stored.fail('data', 'expected the bytes of its hash');
  return Buffer.from(bytes).toString('utf8');
}

const ENCODINGS: readonly Blob['encoding'][] = ['raw', 'deflate'];

function inflatedBlob(stored: StoredRow, data: Uint8Array, size: number): Uint8Array {
  try {
    return inflated(data, size);
  } catch {
    return stored.fail('data', 'expected deflated bytes of the size of the row');
  }
}

/** Returns the same; `undefined` if it is damaged. */
export function readableText(row: BlobRow): string | undefined {
  try {
    return textOfBlob(row);
  } catch (error) {
    if (!damageOf(error)) throw error;
    return undefined;
  }
}

/** How many blobs one query asks for. */
const READ_AT_ONCE = 200;

/**
 * Returns the texts of hashes. Those that are not stored are absent.
 *
 * @param onDamaged - Receives the hashes of those that are damaged.
 */
export async function readBlobs(
  database: SqlExecutor,
  tenant: string,
  hashes: Iterable<string>,
  onDamaged: (hash: string) => void,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(hashes)];
  const texts = new Map<string, string>();
  for (const some of inParts(wanted, READ_AT_ONCE)) {
    const rows = await database.query<BlobRow>(
      `SELECT hash, size, encoding, data FROM memory_blobs
       WHERE tenant = ? AND hash IN ${listOf(some)}`,
      [tenant, ...some],
    );
    for (const row of rows) {
      const text = readableText(row);
      if (text === undefined) onDamaged(row.hash);
      else texts.set(row.hash, text);
    }
  }
  return texts;
}

/** How many contents one transaction looks at. */
const SWEPT_AT_ONCE = 200;

/** Columns of `memory_events` that refer to contents. */
export const HASH_COLUMNS = ['old_hash', 'new_hash', 'diff_hash', 'lines_hash'] as const;

/** The contents that an event refers to. */
export type Hashes = { readonly [Column in (typeof HASH_COLUMNS)[number]]: string | null };

/** Returns the contents that an event refers to. */
export function hashesOf(row: Hashes): string[] {
  return HASH_COLUMNS.map((column) => row[column]).filter((hash) => hash !== null);
}

const UNUSED = HASH_COLUMNS.map(
  (column) => `NOT EXISTS (SELECT 1 FROM memory_events WHERE ${column} = memory_blobs.hash)`,
).join(' AND ');

const SWEEP = `DELETE FROM memory_blobs WHERE tenant = ? AND hash = ? AND ${UNUSED}
  RETURNING OCTET_LENGTH(data) AS bytes`;

type SweptContext = Pick<MemoryContext, 'database' | 'tenant'>;

/** Deletes those of some contents that no event refers to any more. Returns how many bytes they took. */
export async function sweepBlobs(
  { database, tenant }: SweptContext,
  hashes: Iterable<string>,
): Promise<number> {
  const candidates = [...new Set(hashes)].toSorted();
  let bytes = 0;
  for (const some of inParts(candidates, SWEPT_AT_ONCE)) {
    const deleted = await database.batchRows(
      some.flatMap((hash) => {
        const params = [tenant, hash];
        // Locked first: the deletion then sees the events of those who held the lock before.
        const lock = {
          sql: 'UPDATE memory_blobs SET size = size WHERE tenant = ? AND hash = ?',
          params,
        };
        const sweep = { sql: SWEEP, params };
        return database.dialect === 'sqlite' ? [sweep] : [lock, sweep];
      }),
    );
    bytes += deleted.flat().reduce((sum, row) => sum + Number(row['bytes']), 0);
  }
  return bytes;
}

/** Deletes the contents of events that are gone, which a process left that was killed before it could delete them. */
export async function sweepAllBlobs(context: SweptContext): Promise<void> {
  const { database, tenant } = context;
  const sql = `SELECT hash FROM memory_blobs WHERE tenant = ? AND ${UNUSED}`;
  const rows = await database.query<{ hash: string }>(sql, [tenant]);
  await sweepBlobs(
    context,
    rows.map(({ hash }) => hash),
  );
}

/** Checks whether a content is a list of lines of a transcript, as JSON. */
export async function holdsLines(database: SqlExecutor, hash: string): Promise<boolean> {
  const sql = 'SELECT 1 AS one FROM memory_events WHERE lines_hash = ? LIMIT 1';
  return (await database.query(sql, [hash])).length > 0;
}

/** Reads all blobs, a page at a time. */
export async function* blobPages(
  { database, tenant }: Pick<MemoryContext, 'database' | 'tenant'>,
  size: number,
): AsyncGenerator<readonly BlobRow[], void, undefined> {
  let last = '';
  for (;;) {
    const rows = await database.query<BlobRow>(
      `SELECT hash, size, encoding, data FROM memory_blobs
       WHERE tenant = ? AND hash > ? ORDER BY hash LIMIT ?`,
      [tenant, last, size],
    );
    if (rows.length > 0) yield rows;
    last = rows.at(-1)?.hash ?? last;
    if (rows.length < size) return;
  }
}

/**
 * Returns the hash of a text, and the statements that store it and move the events of a blob to it. The blob is left to
 * {@link sweepBlobs}.
 *
 * @param redactions - How many secrets were removed from it.
 */
export async function replaceBlob(
  { database, tenant }: Pick<MemoryContext, 'database' | 'tenant'>,
  hash: string,
  text: string,
  redactions = 0,
): Promise<{ readonly hash: string; readonly put: Statement; readonly moves: Statement[] }> {
  const blob = await toBlob(contentOf(text));
  return {
    hash: blob.hash,
    put: putBlob(database.dialect, tenant, blob),
    moves: HASH_COLUMNS.map((column) => ({
      sql: `UPDATE memory_events SET ${column} = ?, redactions = redactions + ?
        WHERE ${column} = ? AND COALESCE(tenant, '') = ?`,
      params: [blob.hash, redactions, hash, tenant],
    })),
  };
}

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
