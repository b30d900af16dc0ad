/** A server, and one of its schemas. */
export interface PgTarget {
  readonly connectionString: string;
  readonly schema: string;
  readonly maxConnections: number;
  /** True if a commit waits for the disk. */
  readonly isDurable: boolean;
  /** Maximum time to wait for an unreachable server, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Maximum time that a transaction may be idle before the server ends it, in milliseconds. */
  readonly idleTransactionTimeoutMs?: number | undefined;
  /** Maximum time that a statement waits for its answer, in milliseconds. Default: no limit. */
  readonly queryTimeoutMs?: number | undefined;
}
