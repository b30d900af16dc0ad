import { CodedError, hasErrorMark, isError, isOutOfFiles, messageOf } from './errors.ts';
import { StorageError } from './storage/storage-error.ts';

/** An optional package is needed and not installed. The message holds the command to install it. */
export class PeerError extends CodedError<'peer-missing'> {
  constructor(name: string, cause: unknown) {
    super('PeerError', 'peer-missing', `the package '${name}' is missing: npm install ${name}`, {
      cause,
      context: { package: name },
    });
  }

  /** Checks whether a value is a `PeerError`, from this or any other installed copy of the package. */
  static isInstance(value: unknown): value is PeerError {
    return hasErrorMark(value, 'PeerError');
  }
}

/**
 * Converts what the import of an optional package threw. The import is a literal `await import()` in a `try` of its own:
 * bundlers take it for one that may fail, and build without the package.
 *
 * @param name - The package, as npm knows it.
 * @returns PeerError if the package is not installed; StorageError `io` if too many files are open to load it; else the
 *   error from inside it as it is.
 *
 * @example
 * ```ts
 * try {
 *   return await import('ollama');
 * } catch (error) {
 *   throw toPeerError(error, 'ollama');
 * }
 * ```
 */
export function toPeerError(error: unknown, name: string): unknown {
  if (isMissing(error, name)) return new PeerError(name, error);
  if (!isOutOfFiles(error)) return error;
  const message = `cannot load the package '${name}': ${messageOf(error)}`;
  return new StorageError('io', message, { cause: error, context: { package: name } });
}

/** The packages that a message asks for: in quotes by Node, Bun, Deno and bundlers, in these words by Plug'n'Play. */
const ASKED_FOR = /(?:['"]|^Required package: )((?:@[^/'"\s]+\/)?[^/'"\s]+)/gm;

function isMissing(error: unknown, name: string): boolean {
  if (!isError(error) || !('code' in error)) return false;
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
  return missing && [...error.message.matchAll(ASKED_FOR)].some(([, asked]) => asked === name);
}
