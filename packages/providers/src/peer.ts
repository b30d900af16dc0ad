import { CodedError, hasErrorMark, isOutOfFiles, messageOf } from './errors.ts';
import { StorageError } from './storage/storage-error.ts';

/** An optional package is needed and not installed. The message holds the command to install it. */
export class PeerError extends CodedError<'peer-missing'> {
  constructor(name: string, cause: unknown) {
    super('PeerError', 'peer-missing', `the package '${name}' is missing: npm install ${name}`, {
      cause,
      context: { package: name },
    });
  }

  /** Whether a value is a `PeerError`, from this or any other installed copy of the package. */
  static isInstance(value: unknown): value is PeerError {
    return hasErrorMark(value, 'PeerError');
  }
}

/**
 * Loads an optional package when it is first needed.
 *
 * @param name - The package, as npm knows it.
 * @param load - Must be a function with a literal `import()`, so that bundlers see it.
 * @throws PeerError if the package is not installed; StorageError `io` if too many files are open to load it.
 *   Errors from inside it are passed on.
 */
export async function importPeer<Module>(
  name: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (isMissing(error, name)) throw new PeerError(name, error);
    if (!isOutOfFiles(error)) throw error;
    const message = `cannot load the package '${name}': ${messageOf(error)}`;
    throw new StorageError('io', message, { cause: error, context: { package: name } });
  }
}

function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
  return missing && error.message.includes(`'${name}`);
}
