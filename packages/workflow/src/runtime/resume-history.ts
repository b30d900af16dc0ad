import {
  type Journal,
  type RunHistory,
  type StepRecord,
  wholeHistory,
} from '../journal/journal.ts';

/** The suffixes of rows that say how a failure was handled: see `runParallel` and `runStep`. */
const DECISIONS = /:(?:chosen|failed)$/;

/**
 * Returns the paths of failures that nothing was decided by: they ended the run, or the process ended first. Parts of
 * parallel steps leave them in the journal; the process that continues with the run tries these again.
 */
export function undecidedFailures(steps: readonly StepRecord[]): readonly string[] {
  const failed = steps.filter(({ meta }) => meta['error'] !== undefined);
  if (failed.length === 0) return [];
  const decided = new Set(
    steps.flatMap(({ path }) => (DECISIONS.test(path) ? [path.replace(DECISIONS, '')] : [])),
  );
  return failed.flatMap(({ path }) => (isWithin(path, decided) ? [] : [path]));
}

/**
 * Returns the history of a run, for its new leader: failures that are to be tried again are forgotten.
 *
 * @throws WorkflowError with the code `conflict`, `journal-unwritable` or `corrupt`.
 */
export async function historyToGoOn(journal: Journal, runId: string): Promise<RunHistory> {
  const history = wholeHistory(await journal.history(runId));
  const again = new Set(undecidedFailures(history.steps));
  if (again.size === 0) return history;
  await journal.forget(runId, [...again]);
  return { ...history, steps: history.steps.filter(({ path }) => !again.has(path)) };
}

/**
 * Returns the steps that need not be done again, of several attempts one after the other: of each the newest, and no failures
 * that nothing was decided by.
 */
export function stepsToGoOn(steps: readonly StepRecord[]): readonly StepRecord[] {
  const newest = [...new Map(steps.map((step) => [step.path, step])).values()];
  const again = new Set(undecidedFailures(newest));
  return newest.filter(({ path }) => !again.has(path));
}

/** Checks whether a path is one of these, or below one. */
function isWithin(path: string, places: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (places.has(path.slice(0, end))) return true;
  }
  return false;
}
