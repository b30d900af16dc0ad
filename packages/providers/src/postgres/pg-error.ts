import { messageOf } from '../errors.ts';
import { StorageError, type StorageErrorCode } from '../storage/storage-error.ts';

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether a transaction lost against another and can be run again. */
export function isConflict(error: unknown): boolean {
  return /^(?:40001|40P01)$/.test(codeOf(error));
}

/** Whether the server is away, going or coming, rather than refusing. */
export function isConnectionLoss(error: unknown): boolean {
  if (/^(?:08|57P0[123]|ECONN|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)/.test(codeOf(error))) {
    return true;
  }
  return error instanceof Error && /connection terminated|client has/i.test(error.message);
}

const CODES: readonly (readonly [RegExp, StorageErrorCode])[] = [
  [/^23/, 'constraint'],
  [/^(?:28|3D000|53300|ENOTFOUND|EAI_AGAIN)/, 'connection'],
  [/^(?:53|58)/, 'io'],
  [/^(?:40|55P03)/, 'busy'],
];

/**
 * The error of the SDK for anything that pg threw; other errors stay as they are.
 *
 * @param server - Host, port and database: never the password.
 */
export function toStorageError(error: unknown, server: string, sql?: string): unknown {
  if (StorageError.isInstance(error)) return error;
  const pgCode = codeOf(error);
  const isLoss = isConnectionLoss(error);
  if (!isLoss && !/^[0-9A-Z]{5}$|^E[A-Z]/.test(pgCode)) return error;
  const known = CODES.find(([pattern]) => pattern.test(pgCode))?.[1];
  const statement = sql === undefined ? '' : ` in "${sql.replace(/\s+/g, ' ').slice(0, 200)}"`;
  const text = messageOf(error) || pgCode;
  return new StorageError(
    isLoss ? 'connection' : (known ?? 'sql'),
    `PostgreSQL at ${server}: ${text}${statement}`,
    { cause: error, context: { server, ...(pgCode ? { pgCode } : {}) } },
  );
}
