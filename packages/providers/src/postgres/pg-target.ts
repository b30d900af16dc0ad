/** Which server, and which of its schemas. */
export interface PgTarget {
  readonly connectionString: string;
  readonly schema: string;
  readonly maxConnections: number;
  /** Whether a commit waits for the disk. */
  readonly isDurable: boolean;
  /** How long to wait for a server that is away, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** How long a transaction may do nothing before the server ends it, in milliseconds. */
  readonly idleTransactionTimeoutMs?: number | undefined;
  /** How long a statement may wait for its answer, in milliseconds. Default: no limit. */
  readonly queryTimeoutMs?: number | undefined;
}
