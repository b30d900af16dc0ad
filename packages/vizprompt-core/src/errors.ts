import { CodedError, StorageError } from '@vizprompt/providers';
import { type ErrorDetails, hasErrorMark, isError } from '@vizprompt/providers/internal';

/**
 * Why a call of VizPrompt failed.
 *
 * - `project-not-found`: no project there, and none was to be made
 * - `node-not-found`, `flow-not-found`: no such node or flow in the project
 * - `node-invalid`, `flow-invalid`, `config-invalid`: a file that cannot be understood
 * - `cycle`: an edge that would close a circle; `exists`: an id, an alias or an edge that is taken
 * - `invalid-input`: an argument that makes no sense
 * - `too-large`: a text beyond the limits of the project
 * - `locked`: another process kept the project to itself; `conflict`: a file changed meanwhile
 * - `read-only`: the project was opened to be read
 * - `import-unreadable`: a source that holds no conversations; `closed`: the project is closed
 */
export type VizPromptErrorCode =
  | 'project-not-found'
  | 'node-not-found'
  | 'flow-not-found'
  | 'node-invalid'
  | 'flow-invalid'
  | 'config-invalid'
  | 'cycle'
  | 'exists'
  | 'invalid-input'
  | 'too-large'
  | 'locked'
  | 'conflict'
  | 'read-only'
  | 'import-unreadable'
  | 'closed';

/** The one error of `@vizprompt/core`; errors of the storage and of models are passed on. */
export class VizPromptError extends CodedError<VizPromptErrorCode> {
  constructor(code: VizPromptErrorCode, message: string, details?: ErrorDetails) {
    super('VizPromptError', code, message, details);
  }

  /** Checks whether a value is a `VizPromptError`, from this or any other installed copy. */
  static isInstance(value: unknown): value is VizPromptError {
    return hasErrorMark(value, 'VizPromptError');
  }
}

/** A place in a file of the project. */
export interface FilePlace {
  /** The key of the file, such as `flows/00/00.yaml`. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
}

/** Returns a place as text: `flows/00/00.yaml:12:5`. */
export function formatPlace({ file, line, column }: FilePlace): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** Returns a file that cannot be understood, with the place where. */
export function invalidFile(
  code: 'node-invalid' | 'flow-invalid' | 'config-invalid',
  place: FilePlace,
  problem: string,
  cause?: unknown,
): VizPromptError {
  return new VizPromptError(code, `${formatPlace(place)}: ${problem}`, {
    cause,
    context: { ...place, problem },
  });
}

/** A file that was left out, or understood with doubt; the rest of the project is open. */
export interface ProjectProblem extends FilePlace {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** Creates the problem of a file from the error of reading it. */
export function problemOf(file: string, error: unknown): ProjectProblem {
  if (!isError(error)) throw error;
  const context: Readonly<Record<string, unknown>> = VizPromptError.isInstance(error)
    ? error.context
    : {};
  const number = (key: string): number | undefined =>
    typeof context[key] === 'number' ? context[key] : undefined;
  const [line, column] = [number('line'), number('column')];
  return {
    severity: 'error',
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    message: typeof context['problem'] === 'string' ? context['problem'] : error.message,
  };
}

/** Checks whether an error concerns one file alone: unreadable, too large or invalid. */
export function isUnreadable(error: unknown): error is Error {
  if (StorageError.isInstance(error)) return error.code === 'io' || error.code === 'too-large';
  if (!VizPromptError.isInstance(error)) return false;
  return error.code === 'node-invalid' || error.code === 'flow-invalid';
}
