import { CodedError, hasErrorMark, type ErrorDetails } from '@vizprompt/providers';

/**
 * Why a call of this package failed.
 *
 * - `definition-invalid`: files that cannot be understood, with all problems and their places in
 *   `context.problems`
 * - `invalid-input`: an argument that makes no sense, or a `user_input` that does not fit `inputs`
 * - `not-found`: no such workflow, prompt set, run or step
 * - `conflict`: another process has the run, or the id is taken
 * - `not-waiting`: nobody is asked there; `finished`: the run has come to its end
 * - `step-failed`: a step failed for good; its path is in `context.path`, why in `cause`
 * - `condition-failed`: a condition or a path could not be evaluated; `template-failed`: a prompt could not be
 *   rendered
 * - `limit`: steps, time, tokens or dollars are used up
 * - `cancelled`: the run was cancelled; `timeout`: a step took too long
 * - `journal-unwritable`: the journal cannot be written; what was acknowledged stands, and `resume` goes on
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
  | 'limit'
  | 'cancelled'
  | 'timeout'
  | 'journal-unwritable'
  | 'recorder-failed'
  | 'closed';

/** The one error of `@vizprompt/workflow`; what models and functions threw is its `cause`. */
export class WorkflowError extends CodedError<WorkflowErrorCode> {
  constructor(code: WorkflowErrorCode, message: string, details?: ErrorDetails) {
    super('WorkflowError', code, message, details);
  }

  /** Whether a value is a `WorkflowError`, from this or any other installed copy. */
  static isInstance(value: unknown): value is WorkflowError {
    return hasErrorMark(value, 'WorkflowError');
  }
}
