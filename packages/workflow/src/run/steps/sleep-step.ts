import { toMs } from '../../definition/duration.ts';
import type { SleepStep } from '../../definition/step.ts';
import { WorkflowError } from '../../errors.ts';
import { valueAt } from '../../language/variable-path.ts';
import type { Place, StepDone, Thread } from '../thread.ts';

/** Waits; after a resume until the same time. */
export async function runSleep(
  { scope, variables, services }: Thread,
  step: SleepStep,
  { name, path, stepId, type }: Place,
): Promise<StepDone> {
  const until =
    step.until === undefined
      ? services.engine.now() + toMs(step.duration ?? 0)
      : timeOf(step.until, valueAt(step.until, variables));
  const isReplayed = scope.known?.(name) !== undefined;
  if (!isReplayed) services.tell('step:started', { path, stepId, stepType: type });
  const startedAt = services.engine.now();
  await scope.sleep(name, until);
  const ms = services.engine.now() - startedAt;
  services.tell('step:ended', { path, stepId, output: null, isReplayed, ms });
  return { output: undefined };
}

function timeOf(path: string, value: unknown): number {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  const message = `'until: ${path}' must be a time such as 2026-01-31T09:00:00Z, and is ${JSON.stringify(value)}`;
  throw new WorkflowError('condition-failed', message, { context: { path } });
}
