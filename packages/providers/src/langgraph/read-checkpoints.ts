import type {
  Checkpoint,
  CheckpointPendingWrite,
  CheckpointTuple,
  SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import type * as Checkpoints from '@langchain/langgraph-checkpoint';
import { messageOf } from '../errors.ts';
import { toPeerError } from '../peer.ts';
import type { Database, Migration } from '../storage/database.ts';
import { placeholders } from '../storage/sql-statements.ts';
import { StoredRow } from '../storage/stored-row.ts';

/** The place where the value of a channel is stored. */
interface Place {
  /** The checkpoint that changed it. */
  readonly id: string;
  /** The version of the channel since then. */
  readonly version: string;
}

/** The dependencies for reading checkpoints. */
export interface Reading {
  readonly library: Library;
  readonly database: Database;
  readonly serde: SerializerProtocol;
}

/** Values in one statement, far fewer than either database takes. */
const CHUNK = 1000;

/**
 * Reads checkpoints of one thread and namespace, in the order of their rows, without those that were deleted in the meantime.
 *
 * @throws StorageError `corrupt` with the place, if a row is not what was written.
 */
export async function readCheckpoints(
  reading: Reading,
  rows: readonly CheckpointRow[],
): Promise<CheckpointTuple[]> {
  const [first] = rows;
  if (!first) return [];
  const places = rows.map(placesOf);
  const [values, writes] = await Promise.all([
    readValues(reading.database, first, places),
    readWrites(
      reading.database,
      first,
      rows.map(({ id }) => id),
    ),
  ]);
  const isWhole = places.every((each) =>
    [...each].every(([channel, { id }]) => values.has(valueKey(id, channel))),
  );
  const present = isWhole ? undefined : await presentIds(reading.database, rows);
  const pairs = rows.flatMap((row, at) => {
    const isDeleted = present?.has(row.id) === false;
    return isDeleted ? [] : [[row, places[at] ?? new Map<string, Place>()] as const];
  });
  return Promise.all(
    pairs.map(async ([row, own]) => {
      const checkpoint = await readCheckpoint(reading, row, own, values);
      const pending = inOrder(writes.get(row.id) ?? []).map(
        async (write): Promise<CheckpointPendingWrite> => [
          write.task,
          write.channel,
          await load(reading.serde, 'langgraph_write', write),
        ],
      );
      return {
        config: configOf(row),
        checkpoint,
        metadata: await load(reading.serde, 'langgraph_checkpoint', {
          ...row,
          type: row.metadata_type,
          value: row.metadata,
        }),
        ...(row.parent === null ? {} : { parentConfig: configOf({ ...row, id: row.parent }) }),
        pendingWrites: await Promise.all(pending),
      };
    }),
  );
}

/** Returns the ids of checkpoints that are still there: a thread may be deleted between two statements. */
async function presentIds(
  database: Database,
  rows: readonly CheckpointRow[],
): Promise<ReadonlySet<string>> {
  const found = await database.query<Pick<CheckpointRow, 'id'>>(
    `SELECT id FROM langgraph_checkpoint WHERE thread = ? AND ns = ?
      AND id IN (${placeholders(rows.length)})`,
    [rows[0]?.thread ?? '', rows[0]?.ns ?? '', ...rows.map(({ id }) => id)],
  );
  return new Set(found.map(({ id }) => id));
}

async function readCheckpoint(
  reading: Reading,
  row: CheckpointRow,
  places: ReadonlyMap<string, Place>,
  values: ReadonlyMap<string, ValueRow>,
): Promise<Checkpoint> {
  const { serde } = reading;
  const checkpoint = await load<Checkpoint>(serde, 'langgraph_checkpoint', {
    ...row,
    value: row.checkpoint,
  });
  for (const [channel, { id }] of places) {
    const value = values.get(valueKey(id, channel));
    if (!value) {
      const stored = new StoredRow('langgraph_checkpoint', row.id);
      return stored.fail('places', `the value of the channel '${channel}' is missing`);
    }
    // oxlint-disable-next-line no-await-in-loop -- nothing is waited for: a serializer is async by its type
    checkpoint.channel_values[channel] = await load(serde, 'langgraph_value', value);
  }
  if (checkpoint.v < 4 && row.parent !== null) await addSends(reading, row, row.parent, checkpoint);
  return checkpoint;
}

/** Checkpoints before version 4 have what was sent to the next step among the writes of their parent. */
async function addSends(
  { library, database, serde }: Reading,
  key: CheckpointKey,
  parent: string,
  checkpoint: Checkpoint,
): Promise<void> {
  const { TASKS, maxChannelVersion } = library;
  const writes = await readWrites(database, key, [parent]);
  const sends = inOrder(writes.get(parent) ?? []).filter(({ channel }) => channel === TASKS);
  checkpoint.channel_values[TASKS] = await Promise.all(
    sends.map((write) => load(serde, 'langgraph_write', write)),
  );
  const versions = Object.values(checkpoint.channel_versions);
  checkpoint.channel_versions[TASKS] = versions.length > 0 ? maxChannelVersion(...versions) : 1;
}

/** Returns the configuration that names a checkpoint. */
export function configOf({ thread, ns, id }: CheckpointKey): {
  configurable: { thread_id: string; checkpoint_ns: string; checkpoint_id: string };
} {
  return { configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: id } };
}

/** Returns where the values of a checkpoint are. */
export function placesOf({
  id,
  places,
}: Pick<CheckpointRow, 'id' | 'places'>): ReadonlyMap<string, Place> {
  const stored = new StoredRow('langgraph_checkpoint', id);
  return new Map(
    Object.entries(stored.object('places', places)).map(([channel, place]) => {
      const [writer, version] = Array.isArray(place) ? place : [];
      return [
        channel,
        { id: stored.text('places', writer), version: stored.text('places', version) },
      ];
    }),
  );
}

/** Returns the JSON of places, which {@link placesOf} reads. */
export function placesJson(places: ReadonlyMap<string, Place>): string {
  const entries = [...places].map(([channel, { id, version }]) => [channel, [id, version]]);
  return JSON.stringify(Object.fromEntries(entries));
}

async function readValues(
  database: Database,
  { thread, ns }: CheckpointKey,
  places: readonly ReadonlyMap<string, Place>[],
): Promise<ReadonlyMap<string, ValueRow>> {
  const pairs = new Map<string, readonly [string, string]>();
  for (const each of places) {
    for (const [channel, { id }] of each) pairs.set(valueKey(id, channel), [id, channel]);
  }
  const all = [...pairs.values()];
  const values = new Map<string, ValueRow>();
  for (let at = 0; at < all.length; at += CHUNK) {
    const some = all.slice(at, at + CHUNK);
    // oxlint-disable-next-line no-await-in-loop -- one statement, but for checkpoints with very many channels
    const rows = await database.query<ValueRow>(
      `SELECT * FROM langgraph_value WHERE thread = ? AND ns = ?
        AND (id, channel) IN (VALUES ${some.map(() => '(?, ?)').join(', ')})`,
      [thread, ns, ...some.flat()],
    );
    for (const row of rows) values.set(valueKey(row.id, row.channel), row);
  }
  return values;
}

async function readWrites(
  database: Database,
  { thread, ns }: CheckpointKey,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly WriteRow[]>> {
  const rows = await database.query<WriteRow>(
    `SELECT * FROM langgraph_write WHERE thread = ? AND ns = ?
      AND id IN (${placeholders(ids.length)})`,
    [thread, ns, ...ids],
  );
  const writes = new Map<string, WriteRow[]>();
  for (const row of rows) {
    const others = writes.get(row.id);
    if (others) others.push(row);
    else writes.set(row.id, [row]);
  }
  return writes;
}

/** Returns the order in which a run applies the writes of one step. */
function inOrder(writes: readonly WriteRow[]): readonly WriteRow[] {
  return writes.toSorted(
    (a, b) => byCodePoint(a.path, b.path) || byCodePoint(a.task, b.task) || a.idx - b.idx,
  );
}

/** Compares as `compareWritesSortKeys`, which versions of LangGraph's package before 1.2 do not have. */
function byCodePoint(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Deserializes a value, of the type that the caller vouches for. */
async function load<Value>(
  serde: SerializerProtocol,
  table: string,
  { id, type, value }: Pick<ValueRow, 'id' | 'type' | 'value'>,
): Promise<Value> {
  try {
    return await serde.loadsTyped(type, value);
  } catch (error) {
    return new StoredRow(table, id).fail('value', `cannot be deserialized: ${messageOf(error)}`);
  }
}

function valueKey(id: string, channel: string): string {
  return `${id}\n${channel}`;
}

/** The package that defines checkpoints. */
export type Library = typeof Checkpoints;

/** @throws PeerError if @langchain/langgraph-checkpoint is not installed. */
export async function loadLibrary(): Promise<Library> {
  try {
    return await import('@langchain/langgraph-checkpoint');
  } catch (error) {
    throw toPeerError(error, '@langchain/langgraph-checkpoint');
  }
}

/** The name of the tables' migrations. */
export const COMPONENT = 'langgraph';

/**
 * The tables of checkpoints. The value of a channel is stored once, with the checkpoint that changed it; checkpoints that
 * still have it name that one in `places`. Savers that store values by the number of their version mix up branches: both
 * sides of a fork count on from the same number (https://github.com/langchain-ai/langgraphjs/issues/1812).
 */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'checkpoints, values and writes',
    async up(tx, dialect) {
      const bytes = dialect === 'postgres' ? 'BYTEA' : 'BLOB';
      await tx.execute(`CREATE TABLE langgraph_checkpoint (
        thread TEXT NOT NULL, ns TEXT NOT NULL, id TEXT NOT NULL, parent TEXT, places TEXT NOT NULL,
        type TEXT NOT NULL, checkpoint ${bytes} NOT NULL, metadata_type TEXT NOT NULL, metadata ${bytes} NOT NULL,
        PRIMARY KEY (thread, ns, id))`);
      await tx.execute(`CREATE TABLE langgraph_value (
        thread TEXT NOT NULL, ns TEXT NOT NULL, id TEXT NOT NULL, channel TEXT NOT NULL,
        type TEXT NOT NULL, value ${bytes} NOT NULL, PRIMARY KEY (thread, ns, id, channel))`);
      await tx.execute(`CREATE TABLE langgraph_write (
        thread TEXT NOT NULL, ns TEXT NOT NULL, id TEXT NOT NULL, task TEXT NOT NULL, idx INTEGER NOT NULL,
        channel TEXT NOT NULL, path TEXT NOT NULL, type TEXT NOT NULL, value ${bytes} NOT NULL,
        PRIMARY KEY (thread, ns, id, task, idx))`);
    },
  },
];

/** The place of a checkpoint: its thread, its namespace and its id. */
export interface CheckpointKey {
  readonly thread: string;
  readonly ns: string;
  readonly id: string;
}

/** A row of `langgraph_checkpoint`. */
export interface CheckpointRow extends CheckpointKey {
  readonly parent: string | null;
  readonly places: string;
  readonly type: string;
  readonly checkpoint: Uint8Array;
  readonly metadata_type: string;
  readonly metadata: Uint8Array;
}

/** A row of `langgraph_value`. */
interface ValueRow extends CheckpointKey {
  readonly channel: string;
  readonly type: string;
  readonly value: Uint8Array;
}

/** A row of `langgraph_write`. */
interface WriteRow extends ValueRow {
  readonly task: string;
  readonly idx: number;
  readonly path: string;
}
