import { CodedError, messageOf } from '@vizprompt/providers';
import {
  type ErrorDetails,
  type ErrorJson,
  hasErrorMark,
  isError,
} from '@vizprompt/providers/internal';

/**
 * Why a call of this package failed.
 *
 * - `definition-invalid`: files that cannot be understood, with all problems and their places in
 *   `context.problems`
 * - `invalid-input`: an argument that makes no sense, or a `user_input` that does not fit `inputs`
 * - `not-found`: no such workflow, prompt set, run or step
 * - `conflict`: another process has the run, or the id is taken
 * - `not-waiting`: no question is open there; `finished`: the run has come to its end
 * - `step-failed`: a step failed for good; its path is in `context.path`, why in `cause`
 * - `condition-failed`: a condition or a path could not be evaluated; `template-failed`: a prompt could not be
 *   rendered
 * - `unusable-answer`: a model answered with nothing, or its answer was cut off or held back by a filter; `exhausted`: the
 *   rounds of a loop were used up
 * - `limit`: steps, time, tokens or dollars are used up
 * - `cancelled`: the run was cancelled; `timeout`: a step took too long
 * - `journal-unwritable`: the journal cannot be written; acknowledged work is safe, and `resume` continues
 * - `corrupt`: a row of the journal cannot be read, with its place; other runs can
 * - `recorder-failed`: a recorder that is required failed; `closed`: the engine is closed
 */
export type WorkflowErrorCode =
  | 'definition-invalid'
  | 'invalid-input'
  | 'not-found'
  | 'conflict'
  | 'not-waiting'
  | 'finished'
  | 'step-failed'
  | 'condition-failed'
  | 'template-failed'
  | 'unusable-answer'
  | 'exhausted'
  | 'limit'
  | 'cancelled'
  | 'timeout'
  | 'journal-unwritable'
  | 'corrupt'
  | 'recorder-failed'
  | 'closed';

/** The one error of `@vizprompt/workflow`; what models and functions threw is its `cause`. */
export class WorkflowError extends CodedError<WorkflowErrorCode> {
  constructor(code: WorkflowErrorCode, message: string, details?: ErrorDetails) {
    super('WorkflowError', code, message, details);
  }

  /** Checks whether a value is a `WorkflowError`, from this or any other installed copy. */
  static isInstance(value: unknown): value is WorkflowError {
    return hasErrorMark(value, 'WorkflowError');
  }
}

/** Errors that no policy of a step can deal with: the run ends. */
const FATAL: ReadonlySet<WorkflowErrorCode> = new Set([
  'cancelled',
  'closed',
  'conflict',
  'corrupt',
  'journal-unwritable',
  'limit',
  'recorder-failed',
]);

/** Checks whether an error ends the run, whatever its steps say. */
export function isFatal(error: unknown): error is WorkflowError {
  return WorkflowError.isInstance(error) && FATAL.has(error.code);
}

/** Why a signal was aborted, as an error of this package. */
export function reasonOf(signal: AbortSignal): WorkflowError {
  const reason: unknown = signal.reason;
  if (WorkflowError.isInstance(reason)) return reason;
  return cancelledBy(reason);
}

/** Returns the error of a run that was cancelled. */
export function cancelledBy(reason: unknown): WorkflowError {
  const why = isError(reason) || typeof reason === 'string' ? `: ${messageOf(reason)}` : '';
  return new WorkflowError('cancelled', `the run was cancelled${why}`, { cause: reason });
}

/** Returns an error as variables, events and the journal hold it. */
export function toErrorJson(error: unknown): ErrorJson {
  if (error instanceof CodedError) return plain(error.toJSON());
  const name = isError(error) ? error.name : 'Error';
  return { name, code: codeOf(error) ?? 'unknown', message: messageOf(error), context: {} };
}

/** Returns the code of an error that has one. */
export function codeOf(error: unknown): string | undefined {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns a step that failed for good. */
export function stepFailed(
  place: { readonly runId: string; readonly path: string; readonly stepId: string },
  cause: unknown,
): WorkflowError {
  // One of a part or an inner step says where already; one of an aggregation does not.
  const isPlaced = WorkflowError.isInstance(cause) && cause.code === 'step-failed';
  if (isPlaced && cause.context['path'] !== undefined) return cause;
  const { runId, path, stepId } = place;
  return new WorkflowError('step-failed', `the step '${path}' failed: ${messageOf(cause)}`, {
    cause,
    context: { runId, path, stepId, causeCode: codeOf(cause) },
  });
}

/** Returns an error of a step that was kept as JSON; as JSON it is the same again. */
export function fromErrorJson({ message, context, cause }: ErrorJson): WorkflowError {
  return new WorkflowError('step-failed', message, {
    context,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Returns the error that a run ended with, as the journal has it. */
export function ended(json: ErrorJson | undefined, status: string): WorkflowError {
  if (!json) return new WorkflowError('step-failed', `the run ended: ${status}`);
  const { name, code, message, context, cause } = json;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by its name
  const own = (name === 'WorkflowError' ? code : 'step-failed') as WorkflowErrorCode;
  return new WorkflowError(own, message, { context, ...(cause === undefined ? {} : { cause }) });
}

/** Errors may hold anything; the journal holds JSON. */
function plain(error: ErrorJson): ErrorJson {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was one
    return JSON.parse(JSON.stringify(error)) as ErrorJson;
  } catch {
    return { ...error, context: {} };
  }
}
