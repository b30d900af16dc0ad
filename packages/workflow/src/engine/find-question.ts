import { WorkflowError } from '../errors.ts';
import type { StoredRun, WaitRecord } from '../journal/journal.ts';
import type { OpenQuestion } from './run-state.ts';
import { openQuestion } from './view-run.ts';

/**
 * The question that an answer is for.
 *
 * @throws WorkflowError with the code `finished`, `not-waiting`, or `invalid-input` if it might be for several.
 */
export function findQuestion(
  { id, endedAt, status }: StoredRun,
  waits: readonly WaitRecord[],
  path: string | undefined,
): OpenQuestion {
  const context = { runId: id, ...(path === undefined ? {} : { path }) };
  if (endedAt !== undefined) {
    const message = `the run '${id}' has ended (${status}): nobody is asked any more`;
    throw new WorkflowError('finished', message, { context });
  }
  const open = waits.flatMap(openQuestion);
  const [first] = open;
  const paths = open.map((one) => one.path);
  if (path === undefined && open.length > 1) {
    const message = `the run '${id}' asks several questions: give the path of one, of ${paths.join(', ')}`;
    throw new WorkflowError('invalid-input', message, { context: { ...context, paths } });
  }
  const found = path === undefined ? first : open.find((one) => one.path === path);
  if (found) return found;
  const where = path === undefined ? '' : ` at '${path}'`;
  const others = paths.length === 0 ? '' : `; it asks at ${paths.join(', ')}`;
  throw new WorkflowError('not-waiting', `the run '${id}' asks nobody${where}${others}`, {
    context,
  });
}
