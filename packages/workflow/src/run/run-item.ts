import type { JsonValue } from '@vizprompt/providers';
import type { ForeachStep } from '../definition/step.ts';
import { valueAt } from '../language/variable-path.ts';
import type { Thread } from './thread.ts';

/** Does the steps of a `foreach` for the item that the thread's variables hold. */
export async function runItem(thread: Thread, step: ForeachStep): Promise<JsonValue> {
  const last = await thread.runSteps(thread, step.steps);
  if (step.result !== undefined) return valueAt(step.result, thread.variables);
  const final = step.steps.at(-1);
  const name = final && 'output_variable' in final ? final.output_variable : undefined;
  return name === undefined ? last : (thread.variables[name] ?? null);
}
