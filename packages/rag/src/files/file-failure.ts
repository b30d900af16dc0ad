import { messageOf } from '@vizprompt/providers';
import { hasCode, isError } from '@vizprompt/providers/internal';
import { RagError } from '../errors.ts';

/** Returns an error of the file system as one of this package; those that are one already stay. */
export function fileFailure(error: unknown, path: string): RagError {
  if (RagError.isInstance(error)) return error;
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return notFound(path, error);
  if (hasCode(error, 'ELOOP', 'EMLINK')) return linkError(path, error);
  const message = `${path} cannot be read or written: ${reasonOf(error)}`;
  return new RagError('file-failed', message, { cause: error, context: { path } });
}

/**
 * Returns the message of the file system, without the path that it was asked for: that is one of an open folder
 * (`/proc/self/fd/21/…`) or of a temporary file, which means nothing to the user.
 */
export function reasonOf(error: unknown): string {
  const isOfSystem = isError(error) && 'syscall' in error;
  return isOfSystem ? messageOf(error).replace(/, \w+ '.*$/s, '') : messageOf(error);
}

export function notFound(path: string, cause?: unknown): RagError {
  return new RagError('file-not-found', `there is no ${path}`, { cause, context: { path } });
}

/** Returns a symbolic link that is not followed. */
export function linkError(path: string, cause?: unknown): RagError {
  const message = `${path} is a symbolic link that leads out of the files of its project, or that was to be written through: put the file itself there`;
  return new RagError('path-invalid', message, { cause, context: { path, isLink: true } });
}

/** Checks whether an error is one of {@link linkError}. */
export function isLinkError(error: unknown): boolean {
  return RagError.isInstance(error) && error.context['isLink'] === true;
}

/** Returns a path that leads to something else than what it should. */
export function pathGone(path: string, why: string, cause?: unknown): RagError {
  return new RagError('path-invalid', `${path} cannot be used: ${why}`, {
    cause,
    context: { path },
  });
}
