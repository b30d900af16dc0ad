import type { Migration } from '../storage/database.ts';

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
export interface ValueRow extends CheckpointKey {
  readonly channel: string;
  readonly type: string;
  readonly value: Uint8Array;
}

/** A row of `langgraph_write`. */
export interface WriteRow extends ValueRow {
  readonly task: string;
  readonly idx: number;
  readonly path: string;
}
