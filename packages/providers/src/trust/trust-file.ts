import { realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CodedError, type ErrorDetails, hasErrorMark, messageOf } from '../errors.ts';
import { makeFolder, placeFile } from '../files/durable.ts';
import { configFolder, isWithin, readPrivateFile } from '../files/user-folder.ts';
import { isJsonObject } from '../json/json-value.ts';
import { lockFolder } from '../sqlite/sqlite-lock.ts';

/** The consent of a user. */
export interface TrustRecord {
  /** The real path of the folder or file. */
  readonly place: string;
  /** The texts of the uses. */
  readonly uses: readonly string[];
  /** When, ISO 8601. */
  readonly time: string;
  /** The folder or file itself, where a memory was consented to: another one in its place asks again. */
  readonly identity?: string | undefined;
}

const VERSION = 1;

/** Returns the file of what this user consented to, which is outside of every project. */
export function trustFile(): string {
  return join(configFolder(), 'trust');
}

/** Returns the real path of a folder or file, or its absolute path if there is none. */
export function realPlace(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    return resolve(place);
  }
}

/** Returns an identity that another folder or file in its place does not have; file systems reuse numbers. */
export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino}-${stats.birthtimeNs}`;
}

/**
 * Reads what this user consented to. A link, and a file that another user wrote or could have written,
 * count as none; so does one inside of the place that is asked for, as it may have come with it.
 */
export function readTrust(place?: string): readonly TrustRecord[] {
  const path = trustFile();
  if (place !== undefined && isWithin(place, realPlace(dirname(path)))) return [];
  const file = readPrivateFile(path);
  if (file === undefined || file === 'foreign') return [];
  try {
    const root: unknown = JSON.parse(file.data.toString());
    if (!isJsonObject(root) || root['version'] !== VERSION) return [];
    const trusted: unknown = root['trusted'];
    return Array.isArray(trusted) ? trusted.filter(isRecord) : [];
  } catch {
    return [];
  }
}

/**
 * Changes what this user consented to, while no other process does.
 *
 * @throws TrustError with the code `trust-unwritable`.
 */
export async function changeTrust(
  change: (records: readonly TrustRecord[]) => readonly TrustRecord[],
): Promise<void> {
  const path = trustFile();
  const folder = dirname(path);
  if (readPrivateFile(path) === 'foreign') {
    throw unwritable(path, 'it is a link, belongs to another user, or others may write it');
  }
  const locks = lockFolder(folder);
  try {
    await makeFolder(folder, 0o700);
    const lock = await locks.lock('trust');
    try {
      const trusted = change(readTrust());
      const text = `${JSON.stringify({ version: VERSION, trusted }, undefined, 2)}\n`;
      await placeFile(path, Buffer.from(text), { mode: 0o600 });
    } finally {
      await lock.release();
    }
  } catch (cause) {
    throw unwritable(path, messageOf(cause), cause);
  } finally {
    await locks.close();
  }
}

function unwritable(path: string, why: string, cause?: unknown): TrustError {
  const message = `cannot record consent in ${path}: ${why}. Set XDG_CONFIG_HOME to a folder of yours`;
  return new TrustError('trust-unwritable', message, { cause, context: { path } });
}

function isRecord(value: unknown): value is TrustRecord {
  if (!isJsonObject(value)) return false;
  const { place, uses, time, identity } = value;
  if (identity !== undefined && typeof identity !== 'string') return false;
  const isListed = Array.isArray(uses) && uses.every((use) => typeof use === 'string');
  return typeof place === 'string' && isListed && typeof time === 'string';
}

/**
 * Why something from elsewhere was not done.
 *
 * - `untrusted`: the user of this machine has not consented to it
 * - `trust-unwritable`: consent cannot be recorded
 */
export type TrustErrorCode = 'untrusted' | 'trust-unwritable';

/** The error of consent that is missing. */
export class TrustError extends CodedError<TrustErrorCode> {
  constructor(code: TrustErrorCode, message: string, details?: ErrorDetails) {
    super('TrustError', code, message, details);
  }

  /** Checks whether a value is a `TrustError`, from this or any other installed copy of the package. */
  static isInstance(value: unknown): value is TrustError {
    return hasErrorMark(value, 'TrustError');
  }
}

/** Something that a folder or a file from elsewhere would cause, and that its user has to consent to. */
export interface TrustUse {
  /**
   * - `address`: what is asked of a model goes to a server that is not the provider's own
   * - `key`: the value of an environment variable goes to a server
   * - `package`: a package is loaded, which is a program with all rights
   * - `command`: a program is started
   * - `path`: a file outside of the folder is read or written
   * - `memory`: what is said is stored in the folder, and its contents are sent to models
   */
  readonly kind: 'address' | 'key' | 'package' | 'command' | 'path' | 'memory';
  /** The use, canonical: the same use has the same text. */
  readonly text: string;
  /** Where it is said, such as `config.yaml: providers.openai`. */
  readonly source: string;
}

/** The request of a folder or a file. */
export interface TrustRequest {
  /**
   * The folder or file, as a path. Its real path is what is trusted. Absent where there is none, as on a
   * database: then only consent that a program gives counts.
   */
  readonly place?: string | undefined;
  readonly uses: readonly TrustUse[];
}

/**
 * How consent is given by a program: `true` for everything, `false` for nothing, or a function that is
 * asked. Absent: what is recorded outside of every project (`grantTrust`, `vizprompt trust`) counts.
 */
export type TrustOption = boolean | ((request: TrustRequest) => boolean | Promise<boolean>);
