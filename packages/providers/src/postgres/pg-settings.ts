/** Settings that decide what SQL means and how values look, whatever role, database or connection string say. */
const FIXED: readonly (readonly [name: string, value: string])[] = [
  ['standard_conforming_strings', 'on'],
  ['bytea_output', 'hex'],
  // Doubles come back exactly; from PostgreSQL 12 on any positive number means that.
  ['extra_float_digits', '3'],
  // A statement with the lists of many words is estimated to be expensive, and compiling it takes longer than running it.
  ['jit', 'off'],
];

/**
 * Returns the statement that every transaction in a schema begins with. Its settings end with the transaction:
 * through a pooler the next one may run on another connection, and this one may serve another client.
 *
 * Temporary tables, which may remain from another client of a pooler, come last in the search path. While the schema is
 * missing, new objects would go to the system catalogue, which refuses them.
 */
export function settingsOf(target: PgTarget): string {
  const { schema, isDurable, idleTransactionTimeoutMs: idleMs } = target;
  const settings = [['search_path', `"${schema}", pg_catalog, pg_temp`] as const, ...FIXED];
  if (!isDurable) settings.push(['synchronous_commit', 'off']);
  if (idleMs !== undefined) settings.push(['idle_in_transaction_session_timeout', String(idleMs)]);
  return selectSettings(settings);
}

/** Returns a statement that sets parameters until the end of the transaction. */
export function selectSettings(settings: readonly (readonly [string, string])[]): string {
  return `SELECT ${settings.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', ')}`;
}

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
