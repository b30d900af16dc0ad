import { VizPromptError } from '../errors.ts';
import type { ProjectProblem } from '../events.ts';

/** What is wrong with a file, by the error of reading it. */
export function problemOf(file: string, error: unknown): ProjectProblem {
  if (!(error instanceof Error)) throw error;
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
