import { messageOf, isError } from '../errors.ts';
import { StorageError, type StorageErrorCode } from '../storage/storage-error.ts';

function codeOf(error: unknown): string {
  return isError(error) && 'code' in error ? String(error.code) : '';
}

/** Checks whether a transaction lost against another and can be run again. */
export function isConflict(error: unknown): boolean {
  return /^(?:40001|40P01)$/.test(codeOf(error));
}

/** Checks whether a statement such as `VACUUM` was refused for being in a transaction. */
export function needsNoTransaction(error: unknown): boolean {
  return codeOf(error) === '25001';
}

/** An error that asking again does not change, with what to do about it. */
interface Refusal {
  /** Matches the SQLSTATE and the message, as `CODE message`. */
  readonly pattern: RegExp;
  readonly code: StorageErrorCode;
  readonly hint?: string;
}

/**
 * Requests that servers and poolers refuse. Poolers use one SQLSTATE for most of them (PgBouncer 08P01, PgCat 58000),
 * so the message identifies them.
 *
 * Sources: PgBouncer `src/client.c`, `src/objects.c`, `src/server.c`, `src/janitor.c`; PgCat `src/client.rs`;
 * PostgreSQL `src/backend/utils/errcodes.txt`.
 */
const REFUSALS: readonly Refusal[] = [
  {
    pattern: /unsupported (?:options )?startup parameter/i,
    code: 'unsupported',
    hint:
      'The pooler takes no such parameter from a client: remove it from the connection string and set it for the ' +
      'role (ALTER ROLE … SET …), or name it in ignore_startup_parameters of pgbouncer.ini',
  },
  {
    pattern: /transaction blocks not allowed in statement pooling mode/i,
    code: 'unsupported',
    hint:
      'A storage needs transactions: use pool_mode = transaction or session for this database, or connect to the ' +
      'server itself',
  },
  {
    pattern:
      /query_wait_timeout|query read timeout|could not get connection from the pool|unable to check ?out (?:process|connection)|max client connections reached|too many clients/i,
    code: 'connection',
    hint:
      'No connection became free: raise the pool of the pooler (default_pool_size) or max_connections of the server, ' +
      'or lower maxConnections. A storage that holds locks keeps one connection for them',
  },
  {
    pattern:
      /no such (?:user|database)|authentication failed|login rejected|database "[^"]*" is disabled|SSL (?:connection is )?required|tenant or user not found|password must be a string/i,
    code: 'connection',
  },
  {
    pattern: /^25006 |cannot execute .* (?:in a read-only transaction|during recovery)/i,
    code: 'unsupported',
    hint: 'This server or role only reads: connect to the primary, as a role that may write',
  },
  {
    pattern: /cannot use serializable mode in a hot standby/i,
    code: 'unsupported',
    hint: 'The server was a primary when the storage was opened and is a replica now: open the storage again',
  },
  {
    pattern: /^57014 .*statement timeout|pool statement timeout/i,
    code: 'busy',
    hint: 'statement_timeout of the role, the database, the connection string or the pooler ended it: raise it',
  },
  {
    pattern: /^(?:55P03 |57014 )/,
    code: 'busy',
  },
  {
    pattern:
      /^ERR_STRING_TOO_LONG |^54000 |invalid memory alloc request size|^ERR_BUFFER_TOO_LARGE /i,
    code: 'too-large',
    hint: 'Read the value in pieces, as by substr(column, from, count)',
  },
  {
    pattern: /^XX00[12] /,
    code: 'corrupt',
    hint: 'Restore a backup, or rebuild the index that is named (REINDEX)',
  },
];

function refusalOf(error: unknown): Refusal | undefined {
  const words = `${codeOf(error)} ${messageOf(error)}`;
  return REFUSALS.find(({ pattern }) => pattern.test(words));
}

/** Checks whether the server is away, going or coming, rather than refusing. */
export function isConnectionLoss(error: unknown): boolean {
  if (refusalOf(error)) return false;
  if (
    /^(?:08|57P0[1235]|25P0[34]|ECONN|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)/.test(codeOf(error))
  ) {
    return true;
  }
  return isError(error) && /connection terminated|client (?:has|was)/i.test(error.message);
}

/** Checks whether a connection still waits for the answer to a statement that was given up. */
export function isUnanswered(error: Error): boolean {
  return error.message === 'Query read timeout';
}

const CODES: readonly (readonly [RegExp, StorageErrorCode])[] = [
  [/^23/, 'constraint'],
  [/^(?:28|3D000|53300|ENOTFOUND|EAI_AGAIN)/, 'connection'],
  [/^(?:53|58)/, 'io'],
  [/^40/, 'busy'],
];

/**
 * Returns the error of the SDK for anything that pg threw; other errors stay as they are.
 *
 * @param server - Host, port and database: never the password.
 */
export function toStorageError(error: unknown, server: string, sql?: string): unknown {
  if (StorageError.isInstance(error)) return error;
  const pgCode = codeOf(error);
  // The error of Node holds the whole string, the password included.
  if (pgCode === 'ERR_INVALID_URL') return badConnectionString();
  const refusal = refusalOf(error);
  const isLoss = isConnectionLoss(error);
  if (!refusal && !isLoss && !/^[0-9A-Z]{5}$|^E[A-Z]/.test(pgCode)) return error;
  const known = refusal?.code ?? CODES.find(([pattern]) => pattern.test(pgCode))?.[1];
  const statement = sql === undefined ? '' : ` in "${sql.replace(/\s+/g, ' ').slice(0, 200)}"`;
  const text = messageOf(error) || pgCode;
  const hint = refusal?.hint ? `. ${refusal.hint}` : '';
  return new StorageError(
    isLoss ? 'connection' : (known ?? 'sql'),
    `PostgreSQL at ${server}: ${text}${statement}${hint}`,
    { cause: error, context: { server, ...(pgCode ? { pgCode } : {}) } },
  );
}

/** Returns the error for a connection that could not be made, also for what has no code, as a refused TLS. */
export function toConnectError(error: unknown, server: string): StorageError {
  const known = toStorageError(error, server);
  if (StorageError.isInstance(known)) return known;
  return new StorageError('connection', `PostgreSQL at ${server}: ${messageOf(error)}`, {
    cause: error,
    context: { server },
  });
}

/** Returns the error for an invalid connection string. */
export function badConnectionString(): StorageError {
  return new StorageError(
    'connection',
    "the connection string of PostgreSQL cannot be read: expected 'postgres://USER:PASSWORD@HOST:PORT/DATABASE', " +
      'with special characters of user and password percent-encoded',
  );
}
