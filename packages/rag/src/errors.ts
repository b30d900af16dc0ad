import { CodedError } from '@vizprompt/providers';
import { hasErrorMark, type ErrorDetails } from '@vizprompt/providers/internal';

/**
 * Why a call of this package failed.
 *
 * - `project-not-found`: no project of this name
 * - `indexing-failed`: a document could not be cut, analyzed or stored
 * - `query-invalid`: a query that cannot be understood; `search-failed`: the search itself failed
 * - `dictionary-failed`: the dictionary could not be compiled or read
 * - `index-locked`: another process writes to the index
 * - `index-corrupt`: a file of the index is damaged, or was deleted while it was open
 * - `config-invalid`: a setting that makes no sense, with its file, line and column
 * - `path-invalid`: the name of a project or file that is not allowed, or that leads out of its project
 * - `file-not-found`, `file-exists`: there is no such file; there is one already
 * - `file-invalid`: a file that is too large, or no text; `file-failed`: the system refused
 * - `model-mismatch`: the vectors of the index belong to another model
 * - `invalid-input`: an argument that makes no sense; `closed`: the backend is closed
 */
export type RagErrorCode =
  | 'project-not-found'
  | 'indexing-failed'
  | 'query-invalid'
  | 'search-failed'
  | 'dictionary-failed'
  | 'index-locked'
  | 'index-corrupt'
  | 'config-invalid'
  | 'path-invalid'
  | 'file-not-found'
  | 'file-exists'
  | 'file-invalid'
  | 'file-failed'
  | 'model-mismatch'
  | 'invalid-input'
  | 'closed';

/** The base of all errors of `@vizprompt/rag`. */
export class RagError extends CodedError<RagErrorCode> {
  constructor(code: RagErrorCode, message: string, details?: ErrorDetails, name = 'RagError') {
    super(name, code, message, details);
    // Subclasses carry the mark of the base too.
    if (name !== 'RagError') Object.defineProperty(this, BASE_MARK, { value: true });
  }

  /** Checks whether a value is an error of this package, from this or any other installed copy. */
  static isInstance(value: unknown): value is RagError {
    return hasErrorMark(value, 'RagError');
  }
}

const BASE_MARK = Symbol.for('vizprompt.error.RagError');

/** There is no project of this name. */
export class ProjectNotFoundError extends RagError {
  constructor(message: string, details?: ErrorDetails) {
    super('project-not-found', message, details, 'ProjectNotFoundError');
  }

  /** True if a value is a `ProjectNotFoundError`, from this or any other installed copy. */
  static override isInstance(value: unknown): value is ProjectNotFoundError {
    return hasErrorMark(value, 'ProjectNotFoundError');
  }
}

/** A document could not be cut, analyzed or stored, or the index is locked or damaged. */
export class IndexingError extends RagError {
  constructor(
    message: string,
    details?: ErrorDetails,
    code: 'indexing-failed' | 'index-locked' | 'index-corrupt' = 'indexing-failed',
  ) {
    super(code, message, details, 'IndexingError');
  }

  /** True if a value is an `IndexingError`, from this or any other installed copy. */
  static override isInstance(value: unknown): value is IndexingError {
    return hasErrorMark(value, 'IndexingError');
  }
}

/** A query that cannot be understood, with the place in it, or a search that failed. */
export class SearchError extends RagError {
  /** UTF-16 offset in the query where it goes wrong, if it is the query. */
  readonly position?: number;

  constructor(
    message: string,
    details: ErrorDetails & { readonly position?: number } = {},
    code: 'query-invalid' | 'search-failed' = 'query-invalid',
  ) {
    const { position, ...rest } = details;
    super(
      code,
      message,
      position === undefined ? rest : { ...rest, context: { ...rest.context, position } },
      'SearchError',
    );
    if (position !== undefined) this.position = position;
  }

  /** True if a value is a `SearchError`, from this or any other installed copy. */
  static override isInstance(value: unknown): value is SearchError {
    return hasErrorMark(value, 'SearchError');
  }
}
