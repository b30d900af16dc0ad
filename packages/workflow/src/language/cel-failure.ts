import { messageOf } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';

/** What CEL says of an expression, and the place in it. */
export interface CelComplaint {
  readonly code: string;
  readonly problem: string;
  /** In UTF-16 code units from 0. */
  readonly offset: number;
}

/** Reads an error of CEL. */
export function readCelError(error: unknown): CelComplaint {
  const { code, summary, range } = Object(error);
  return {
    code: typeof code === 'string' ? code : 'unknown',
    problem: typeof summary === 'string' ? summary : messageOf(error),
    offset: typeof range?.start === 'number' ? range.start : 0,
  };
}

/** The error of a condition that cannot be read or evaluated. */
export function celFailure(source: string, error: unknown): WorkflowError {
  if (WorkflowError.isInstance(error)) return error;
  const { code, problem, offset } = readCelError(error);
  return new WorkflowError(
    'condition-failed',
    `the condition '${source}' failed at character ${offset + 1}: ${problem}`,
    { cause: error, context: { condition: source, offset, reason: code } },
  );
}
